package trace

import (
	"maps"
	"slices"
	"strings"
)

// mostRuns bounds the product of the pivots.
const mostRuns = 10_000

// choice is a key of a pivot, as a path, and the values it takes in turn.
type choice struct {
	path   string
	values []any
}

// systems are the tables of all runs: the document with the values of each
// pivot put in, in every combination. The alphabetically first key varies
// fastest.
func (t *tomlReader) systems(doc table) []table {
	list, isList := doc["pivot"].([]any)
	if doc["pivot"] != nil && !isList {
		t.fault("pivot is %v; begin each with [[pivot]]", doc["pivot"])
	}
	pivots := t.tables("pivot", list)
	if len(pivots) == 0 {
		return []table{doc}
	}
	var out []table
	for _, p := range pivots {
		t.known("pivot.", p, "events", "repetitions", "cores", "policy", "smash", "arrival", "service")
		var choices []choice
		t.choices(p, "", &choices)
		slices.SortFunc(choices, func(a, b choice) int { return strings.Compare(a.path, b.path) })
		runs := 1
		for _, c := range choices {
			runs *= len(c.values)
			if runs == 0 || runs+len(out) > mostRuns {
				t.fault("the pivots make no run or more than %d; give each key at least one value, and fewer in all", mostRuns)
				return nil
			}
		}
		for n := range runs {
			run := table(maps.Clone(doc))
			for _, c := range choices {
				put(run, c.path, c.values[n%len(c.values)])
				n /= len(c.values)
			}
			out = append(out, run)
		}
	}
	return out
}

// choices lists the keys of a pivot with their values. A key without a list
// takes one value.
func (t *tomlReader) choices(in table, at string, out *[]choice) {
	for k, v := range in {
		path := at + k
		switch v := v.(type) {
		case table:
			if path == "policy" && v["name"] != nil && !anyList(v) {
				*out = append(*out, choice{path, []any{v}})
				continue
			}
			t.choices(v, path+".", out)
		case []any:
			*out = append(*out, choice{path, v})
		default:
			*out = append(*out, choice{path, []any{v}})
		}
	}
}

func anyList(in table) bool {
	for _, v := range in {
		if _, list := v.([]any); list {
			return true
		}
	}
	return false
}

// put sets the value at a path, copying the tables on the way so that other
// runs keep theirs.
func put(in table, path string, v any) {
	head, rest, nested := strings.Cut(path, ".")
	if !nested {
		in[head] = v
		return
	}
	inner := table{}
	if old, ok := in[head].(table); ok {
		inner = maps.Clone(old)
	}
	put(inner, rest, v)
	in[head] = inner
}
