package trace

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Experiment is what a TOML file of mjqm-simulator asks for: the product of
// its pivots, or one run without pivots.
type Experiment struct {
	Identifier          string
	Events, Repetitions int // 0: not given
	Runs                []Setting
	Notes               []string // conventions of the simulator that change a law
}

// Setting is one system of an experiment.
type Setting struct {
	Servers int
	Policy  string  // as the file names it, with its parameters
	FCFS    bool    // "fifo", or "smash" with a window of 1
	Gap     law.Law // between arrivals of any class; nil: not given
	Classes []spec.Class
}

// Spec is the queue of the system, for mjq.Build. It is first come first served in any
// case; FCFS reports whether the file asks for that.
func (s Setting) Spec() (*spec.Spec, error) {
	queue := &spec.Spec{Servers: s.Servers, Classes: s.Classes}
	if s.Gap != nil {
		queue.Arrivals = arrival.Renewal{Gap: s.Gap}
	}
	return queue.Checked()
}

// FirstCome are the systems that ask for first come first served.
func (x *Experiment) FirstCome() (systems []Setting) {
	for _, s := range x.Runs {
		if s.FCFS {
			systems = append(systems, s)
		}
	}
	return systems
}

// tomlReader collects what is wrong and what is worth a note, each once.
type tomlReader struct {
	file          string
	faults, notes []string
}

func (t *tomlReader) fault(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(t.faults, s) {
		t.faults = append(t.faults, s)
	}
}

func (t *tomlReader) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(t.notes, s) {
		t.notes = append(t.notes, s)
	}
}

// err is nil, or one error of the first faults.
func (t *tomlReader) err() error {
	f := check.Faults{Most: mostProblems}
	for _, s := range t.faults {
		f.Add("%s: %s", t.file, s)
	}
	return f.Err("")
}

// ReadTOML reads an experiment. Keys that it does not know are faults, since
// they are mostly misspelt. Faults of syntax name the line, faults of meaning
// the key; all are named at once, up to ten.
func ReadTOML(file string, r io.Reader) (*Experiment, error) {
	text, err := readText(file, r)
	if err != nil {
		return nil, err
	}
	var doc table
	if err := toml.Unmarshal(text, &doc); err != nil {
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			line, _ := bad.Position()
			return nil, &LineError{file, line, bad.Error()}
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t := &tomlReader{file: file}
	t.known("", doc, "identifier", "events", "repetitions", "cores", "policy", "generator", "smash", "arrival", "service", "class", "pivot", "output")
	t.lists("", doc, "class", "pivot", "output")
	for i, c := range t.classTables(doc["class"]) {
		t.lists(fmt.Sprintf("class %d: ", i+1), c)
	}
	if err := t.err(); err != nil {
		return nil, err
	}
	x := &Experiment{}
	x.Identifier, _ = doc["identifier"].(string)
	for _, system := range t.systems(doc) {
		if len(t.faults) >= mostProblems {
			break
		}
		x.Runs = append(x.Runs, t.setting(system))
		x.Events, x.Repetitions = max(x.Events, t.count(system, "events")), max(x.Repetitions, t.count(system, "repetitions"))
	}
	x.Notes = t.notes
	if err := t.err(); err != nil {
		return nil, err
	}
	for i, run := range x.Runs {
		if _, err := run.Spec(); err != nil {
			return nil, fmt.Errorf("%s: run %d: %w", file, i+1, err)
		}
	}
	return x, nil
}

// table is a TOML table.
type table = map[string]any

// known reports keys outside the list.
func (t *tomlReader) known(at string, in table, keys ...string) {
	var odd []string
	for k := range in {
		if !slices.Contains(keys, k) {
			odd = append(odd, k)
		}
	}
	slices.Sort(odd)
	for _, k := range odd {
		t.fault("unknown key %q; known are %s", at+k, strings.Join(keys, ", "))
	}
}

// lists reports values that are lists, but for those of the keys. The simulator
// takes none outside a pivot.
func (t *tomlReader) lists(at string, in table, but ...string) {
	for _, k := range slices.Sorted(maps.Keys(in)) {
		if slices.Contains(but, k) {
			continue
		}
		switch v := in[k].(type) {
		case table:
			t.lists(at+k+".", v)
		case []any:
			t.fault("%s is the list %v; one value belongs there, and a list of values to run through below [[pivot]]", at+k, v)
		}
	}
}

// count is a whole number that may be absent.
func (t *tomlReader) count(in table, key string) int {
	switch v := in[key].(type) {
	case nil:
		return 0
	case int64:
		if v >= 0 && v <= math.MaxInt32 {
			return int(v)
		}
	}
	t.fault("%s is %v; give a whole number, not negative", key, in[key])
	return 0
}

// sub is the table of that name, empty if absent.
func (t *tomlReader) sub(at string, in table, key string) table {
	switch v := in[key].(type) {
	case nil:
		return table{}
	case table:
		return v
	}
	t.fault("%s%s is %v; it must be a table, as in %s.mean = 2", at, key, in[key], key)
	return table{}
}

// setting turns one system into laws.
func (t *tomlReader) setting(doc table) Setting {
	s := Setting{Servers: t.count(doc, "cores")}
	if s.Servers < 1 {
		t.fault("cores is %v; give the number of servers, at least 1", doc["cores"])
	}
	s.Policy, s.FCFS = t.policy(doc)
	arrival, service := t.sub("", doc, "arrival"), t.sub("", doc, "service")
	t.known("arrival.", arrival, distributionKeys...)
	t.known("service.", service, distributionKeys...)
	classes := t.classTables(doc["class"])
	if len(classes) == 0 {
		t.fault("no class; begin one with [[class]]")
		return s
	}
	var arrivals []table
	for i, c := range classes {
		at := fmt.Sprintf("class %d: ", i+1)
		t.known(at, c, "name", "cores", "arrival", "service")
		own := t.sub(at, c, "arrival")
		t.known(at+"arrival.", own, distributionKeys...)
		arrivals = append(arrivals, own)
		mine := t.sub(at, c, "service")
		t.known(at+"service.", mine, distributionKeys...)
		name, _ := c["name"].(string)
		need := t.count(c, "cores")
		if need < 1 {
			t.fault("%scores is %v; give the servers of a job, at least 1", at, c["cores"])
		}
		s.Classes = append(s.Classes, spec.Class{Name: name, Need: need, Service: t.law(at+"service", overlay(service, mine))})
	}
	s.Classes = named(s.Classes)
	t.arrivals(&s, arrival, arrivals)
	return s
}

// classTables takes [[class]] entries, or the tables [class.1], [class.2] of
// older files in the order of their numbers.
func (t *tomlReader) classTables(v any) []table {
	switch v := v.(type) {
	case []any:
		return t.tables("class", v)
	case table:
		var numbers []int
		for k := range v {
			n, err := strconv.Atoi(k)
			if err != nil {
				t.fault("class.%s: an old class table is called by a number; or begin each with [[class]]", k)
				return nil
			}
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		var out []table
		for _, n := range numbers {
			out = append(out, t.sub("class.", v, strconv.Itoa(n)))
		}
		return out
	}
	return nil
}

// tables are the elements of an array of tables.
func (t *tomlReader) tables(at string, list []any) (out []table) {
	for _, v := range list {
		each, ok := v.(table)
		if !ok {
			t.fault("%s holds %v; begin each with [[%s]]", at, v, at)
			return nil
		}
		out = append(out, each)
	}
	return out
}

// policy is the name with its parameters, and whether it is first come first
// served with head-of-line blocking.
func (t *tomlReader) policy(doc table) (name string, fcfs bool) {
	window := any(nil)
	switch p := doc["policy"].(type) {
	case nil:
		t.note("no policy is given; fifo is taken, where the simulator takes smash with a window of 1 or 2, by its version")
		return "fifo", true
	case string:
		name = p
		window = t.sub("", doc, "smash")["window"]
	case table:
		name, _ = p["name"].(string)
		window = p["window"]
		var keys []string
		for k := range p {
			if k != "name" {
				keys = append(keys, fmt.Sprintf("%s %v", k, p[k]))
			}
		}
		slices.Sort(keys)
		if len(keys) > 0 {
			return name + ", " + strings.Join(keys, ", "), name == "fifo" || name == "smash" && window == int64(1)
		}
	default:
		t.fault("policy is %v; give a name such as \"fifo\", or a table with a name", p)
	}
	return name, name == "fifo" || name == "smash" && window == int64(1)
}

// overlay is the defaults with what a class says of its own.
func overlay(defaults, own table) table {
	out := table{}
	for k, v := range defaults {
		out[k] = v
	}
	for k, v := range own {
		out[k] = v
	}
	return out
}
