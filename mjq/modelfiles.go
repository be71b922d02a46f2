package mjq

import (
	"fmt"
	"io"

	"github.com/mjqueue/mjq/mjq/internal/trace"
)

// TupleFamily is what the numbers of a tuple file mean; the file does not say.
type TupleFamily = trace.Family

// What follows need and probability: the four families of MJSRE, and those that
// MJQM-Simulator-TPDS makes of a mean alone (its exponential law has a mean in
// MJSRE's files too).
const (
	TuplesExponential       = trace.Exponential       // mean
	TuplesErlang            = trace.Erlang            // mean of the whole, number of phases
	TuplesHyperExp          = trace.HyperExp          // mean of phase 1, mean of phase 2, probability of phase 1
	TuplesBoundedPareto     = trace.BoundedPareto     // lowest, highest, shape
	TuplesDeterministic     = trace.Deterministic     // the constant
	TuplesUniform           = trace.Uniform           // mean m, on [m/2, 3m/2]
	TuplesBoundedParetoMean = trace.BoundedParetoMean // mean m, shape 2, on [120000/239999 m, 120000 m]
)

// ReadRates reads a list of arrival rates in brackets, [0.5, 1.0, 1.5], as the
// arrRate files beside the tuple files of MJQM-Simulator-TPDS hold them: rates of
// all jobs together, in jobs per unit of time, one run of the simulator each. Give
// them to a sweep: Sweep(m).Rates(rates...). The list may go over several lines;
// at most 1 MiB are read. It fails, naming lines, for rates that are not positive
// and finite and for text outside the brackets.
func ReadRates(name string, r io.Reader) ([]float64, error) {
	rates, err := trace.ReadRates(name, r)
	if err != nil {
		return nil, fmt.Errorf("mjq: reading rates: %w", err)
	}
	return rates, nil
}

// WriteRates writes rates as ReadRates reads them, with all digits. It fails for
// a rate that is not positive and finite, and for none.
func WriteRates(w io.Writer, rates []float64) error { return wrap(trace.WriteRates(w, rates)) }

// ReadTuples reads classes from a tuple file of MJSRE (Baccelli, Olliaro, Ajmone
// Marsan and Marin) or MJQM-Simulator-TPDS (the ancestor of mjqm-simulator; see
// ReadRates for its arrivals), one class a line: (need, probability,
// parameters...). All numbers of time are means, none is a rate, and an Erlang
// mean is that of the whole. Servers and arrivals are not in such a file:
// Servers(20).Classes(...). The error names file, line and reason of every
// malformed line, the first ten in words; the classes of the others are returned
// with it.
func ReadTuples(name string, r io.Reader, family TupleFamily) ([]Class, error) {
	found, err := trace.ReadTuples(name, r, family)
	if err != nil {
		err = fmt.Errorf("mjq: reading tuples: %w", err)
	}
	return classesOf(found), err
}

// WriteTuples writes classes as ReadTuples reads them, with all digits. All
// laws must be of the family. Names are not part of the format.
func WriteTuples(w io.Writer, classes []Class, family TupleFamily) error {
	return wrap(trace.WriteTuples(w, filed(classes), family))
}

// Experiment is what a TOML file of mjqm-simulator describes.
type Experiment struct {
	Identifier          string
	Events, Repetitions int // a run, as the simulator counts; 0 if not given
	Runs                []ExperimentRun
	Notes               []string // where the simulator's conventions change a law
}

// ExperimentRun is one system of an experiment. The model is first come first
// served in any case; FCFS says whether the file asks for that.
type ExperimentRun struct {
	Policy string
	FCFS   bool
	Model  *Model
}

// FCFS are the models of the runs that ask for first come first served, which
// are those that this package answers for.
func (x *Experiment) FCFS() []*Model {
	var models []*Model
	for _, run := range x.Runs {
		if run.FCFS {
			models = append(models, run.Model)
		}
	}
	return models
}

// ReadTOML reads an experiment of mjqm-simulator: its systems in every
// combination of the pivots, the alphabetically first key varying fastest: a list
// of rates below [[pivot]] makes as many models. A list elsewhere is a fault, as in
// the simulator. Conventions of the simulator that surprise are kept and noted: a bounded
// Pareto law of a mean and a shape other than 2 does not have that mean; a
// lognormal law has SCV 1/4. Keys that are not known are faults, for they are
// mostly misspelt; so is the Fréchet law, which this package lacks. All faults
// are named at once.
func ReadTOML(name string, r io.Reader) (*Experiment, error) {
	x, err := trace.ReadTOML(name, r)
	if err != nil {
		return nil, fmt.Errorf("mjq: reading TOML: %w", err)
	}
	out := &Experiment{Identifier: x.Identifier, Events: x.Events, Repetitions: x.Repetitions, Notes: x.Notes}
	for i, s := range x.Runs {
		b := Servers(s.Servers).Classes(classesOf(s.Classes)...)
		if s.Gap != nil {
			b = b.Arrivals(s.Gap)
		}
		m, err := b.Build()
		if err != nil {
			return nil, fmt.Errorf("mjq: reading TOML: %s: run %d: %w", name, i+1, err)
		}
		out.Runs = append(out.Runs, ExperimentRun{s.Policy, s.FCFS, m})
	}
	return out, nil
}

// WriteTOML writes the model as a first-come first-served experiment of
// mjqm-simulator, with the given events and repetitions (0 leaves them out),
// so that ReadTOML gives it back. It fails on a law that the simulator lacks, and
// on a model at a load, whose rate is not known before Resolve.
func (m *Model) WriteTOML(w io.Writer, identifier string, events, repetitions int) error {
	if m.p.Load != nil {
		return fmt.Errorf("mjq: writing TOML: the model is at load %v and its arrival rate not known; write what m.Resolve(ctx) returns", *m.p.Load)
	}
	s := trace.Setting{Servers: m.Servers(), Gap: m.p.Arrivals, Classes: filed(m.p.Classes)}
	return wrap(trace.WriteTOML(w, identifier, events, repetitions, s))
}

func wrap(err error) error {
	if err != nil {
		return fmt.Errorf("mjq: %w", err)
	}
	return nil
}

func classesOf(found []trace.Class) []Class {
	classes := make([]Class, len(found))
	for i, c := range found {
		classes[i] = Class{Name: c.Name, Need: c.Need, Prob: c.Prob, Service: c.Service}
	}
	return classes
}

func filed(classes []Class) []trace.Class {
	out := make([]trace.Class, len(classes))
	for i, c := range classes {
		out[i] = trace.Class{Name: c.Name, Need: c.Need, Prob: c.Prob, Service: c.Service}
	}
	return out
}
