package foreign

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/pelletier/go-toml/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
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

// Model is the queue of the system. It is first come first served in any case; FCFS reports
// whether the file asks for that.
func (s Setting) Model() mjq.Model {
	m := mjq.Servers(s.Servers).Classes(s.Classes...)
	if s.Gap != nil {
		m = m.Arrivals(s.Gap)
	}
	return m
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

// mostBytes is more than any experiment has.
const mostBytes = 1 << 20

// ReadTOML reads an experiment. Keys that it does not know are faults, since
// they are mostly misspelt. Faults of syntax and of keys name the line, faults of
// meaning the key.
func ReadTOML(file string, r io.Reader) (*Experiment, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(text) > mostBytes {
		return nil, lineError(file, 1, fmt.Sprintf("the file has more than %d MB, which no experiment has; give the right file", mostBytes>>20))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // a byte order mark
	// Older files have tables [class.1], [class.2] in place of [[class]].
	var form struct{ Class any }
	if err := toml.Unmarshal(text, &form); err != nil {
		return nil, decodeFault(file, err)
	}
	if _, numbered := form.Class.(map[string]any); numbered {
		return readNumbered(file, text)
	}
	var doc document[[]class]
	if err := decode(file, text, &doc); err != nil {
		return nil, err
	}
	return doc.experiment(file, doc.Class)
}

// readNumbered reads an older file.
func readNumbered(file string, text []byte) (*Experiment, error) {
	var doc document[map[string]class]
	if err := decode(file, text, &doc); err != nil {
		return nil, err
	}
	numbers := map[int]class{}
	for name, c := range doc.Class {
		n, err := strconv.Atoi(name)
		if err != nil {
			return nil, fmt.Errorf("%s: class.%s: an old class table is called by a number; or begin each with [[class]]", file, check.Shorten(name))
		}
		numbers[n] = c
	}
	var classes []class
	for _, n := range slices.Sorted(maps.Keys(numbers)) {
		classes = append(classes, numbers[n])
	}
	return doc.experiment(file, classes)
}

// experiment are the runs of a document.
func (d *document[Classes]) experiment(file string, classes []class) (*Experiment, error) {
	t := &tomlReader{file: file}
	x := &Experiment{Identifier: d.Identifier}
	for _, run := range t.systems(d.system, d.Pivot) {
		if len(t.faults) >= mostProblems {
			break
		}
		x.Runs = append(x.Runs, t.setting(run, classes))
		x.Events, x.Repetitions = max(x.Events, t.count("events", run.Events)), max(x.Repetitions, t.count("repetitions", run.Repetitions))
	}
	x.Notes = t.notes
	if err := t.err(); err != nil {
		return nil, err
	}
	for i, run := range x.Runs {
		if err := run.Model().Err(); err != nil {
			return nil, fmt.Errorf("%s: run %d: %w", file, i+1, err)
		}
	}
	return x, nil
}

// count is a whole number that may be absent.
func (t *tomlReader) count(key string, n *int64) int {
	if n == nil {
		return 0
	}
	if *n < 0 || *n > math.MaxInt32 {
		t.fault("%s is %d; give a whole number from 0 to %d", key, *n, math.MaxInt32)
	}
	return int(*n)
}

// setting turns one system into laws.
func (t *tomlReader) setting(doc system, classes []class) Setting {
	s := Setting{Servers: t.count("cores", doc.Cores)}
	if s.Servers < 1 {
		t.fault("cores is %d; give the number of servers, at least 1", s.Servers)
	}
	s.Policy, s.FCFS = t.policy(doc)
	if len(classes) == 0 {
		t.fault("no class; begin one with [[class]]")
		return s
	}
	var arrivals []distribution
	for i, c := range classes {
		at := fmt.Sprintf("class %d: ", i+1)
		if need := t.count(at+"cores", &c.Cores); need < 1 {
			t.fault("%scores is %d; give the servers of a job, at least 1", at, need)
		}
		arrivals = append(arrivals, c.Arrival)
		s.Classes = append(s.Classes, spec.Class{Name: c.Name, Need: int(c.Cores), Service: t.law(at+"service", overlay(doc.Service, c.Service))})
	}
	s.Classes = named(s.Classes)
	t.arrivals(&s, doc.Arrival, arrivals)
	return s
}

// policy is the name with its parameters, and whether it is first come first
// served with head-of-line blocking.
func (t *tomlReader) policy(doc system) (name string, fcfs bool) {
	window := doc.Smash.Window
	switch p := doc.Policy.(type) {
	case nil:
		t.note("the policy is fifo, because the file gives none; the simulator takes smash with a window of 1 or 2, depending on its version")
		return "fifo", true
	case string:
		name = p
	case map[string]any:
		name, _ = p["name"].(string)
		window = p["window"]
		if !flat(p) {
			t.fault("policy has a table or a list in it; give each parameter one value")
			return name, false
		}
		text := name
		for _, k := range slices.Sorted(maps.Keys(p)) {
			if k != "name" {
				text += fmt.Sprintf(", %s %v", k, p[k])
			}
		}
		return text, name == "fifo" || name == "smash" && window == int64(1)
	default:
		t.fault("policy is neither a name such as \"fifo\" nor a table with a name; give one, and a list of them below [[pivot]]")
	}
	return name, name == "fifo" || name == "smash" && window == int64(1)
}
