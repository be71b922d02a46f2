package foreign

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/trace"
)

const (
	// mostRuns bounds the product of the pivots.
	mostRuns = 10_000
	// mostParts is how many parts the keys of a pivot have.
	mostParts = 2
)

// choice is a key of a pivot, as a path, and the values it takes in turn.
type choice struct {
	path   string
	values []any
}

// systems are all runs: the system with the values of each pivot put in, in every
// combination. The alphabetically first key varies fastest.
func (t *tomlReader) systems(base system, pivots []map[string]any) (out []system) {
	if len(pivots) == 0 {
		return []system{base}
	}
	for _, p := range pivots {
		var choices []choice
		if t.choices(p, "", mostParts, &choices); len(t.faults) > 0 {
			return nil
		}
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
			values := map[string]any{}
			for _, c := range choices {
				put(values, c.path, c.values[n%len(c.values)])
				n /= len(c.values)
			}
			run, err := base.with(values)
			if err != nil {
				if bad := new(trace.LineError); errors.As(err, &bad) {
					err = errors.New(bad.Reason)
				}
				t.fault("pivot: %v", err)
				return nil
			}
			out = append(out, run)
		}
	}
	return out
}

// with is the system with the values put in.
func (s system) with(values map[string]any) (system, error) {
	text, err := toml.Marshal(values)
	if err != nil {
		return s, err
	}
	var own system
	if err := decode("", text, &own); err != nil {
		return s, err
	}
	if policy, some := own.Policy.(map[string]any); some && policy["name"] == nil {
		if before, table := s.Policy.(map[string]any); table {
			own.Policy = maps.Clone(before)
			maps.Copy(own.Policy.(map[string]any), policy)
		}
	}
	return overlay(s, own), nil
}

// choices lists the keys of a pivot with their values. A key without a list
// takes one value.
func (t *tomlReader) choices(in map[string]any, at string, parts int, out *[]choice) {
	for k, v := range in {
		path := at + k
		switch v := v.(type) {
		case map[string]any:
			if path == "policy" && v["name"] != nil && flat(v) {
				*out = append(*out, choice{path, []any{v}})
			} else if parts == 1 {
				t.fault("unknown key %q", check.Shorten("pivot."+path))
			} else {
				t.choices(v, path+".", parts-1, out)
			}
		case []any:
			if slices.ContainsFunc(v, func(x any) bool { return !flat(x) }) {
				t.fault("pivot.%s has lists in its list; give the values", check.Shorten(path))
			}
			*out = append(*out, choice{path, v})
		default:
			*out = append(*out, choice{path, []any{v}})
		}
	}
}

// flat is whether a value is one, or a table of such.
func flat(v any) bool {
	switch v := v.(type) {
	case []any:
		return false
	case map[string]any:
		for _, inner := range v {
			if _, table := inner.(map[string]any); table || !flat(inner) {
				return false
			}
		}
	}
	return true
}

// put sets the value at a path of one key or two.
func put(in map[string]any, path string, v any) {
	head, rest, nested := strings.Cut(path, ".")
	if !nested {
		in[head] = v
		return
	}
	inner, table := in[head].(map[string]any)
	if !table {
		inner = map[string]any{}
		in[head] = inner
	}
	inner[rest] = v
}
