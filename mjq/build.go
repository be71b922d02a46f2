package mjq

import (
	"context"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Needs is how many units of each type a job holds together; types left out are not
// needed.
type Needs map[string]int

// Builder collects the description of a model. It is a value: each call returns a
// longer description and leaves the shorter one as it was, so that a common part can
// be kept and built on. Nothing is checked before Build.
type Builder struct {
	spec    spec.Spec
	poisson *float64 // the rate, if given as such
	needs   []Needs  // by class; nil where they are not by type
}

// Servers begins a model with s identical servers.
func Servers(s int) Builder { return Builder{spec: spec.Spec{Servers: s}} }

// Resources begins a model whose jobs hold units of several types at once (Baccelli,
// Olliaro, Ajmone Marsan, Marin: Section 9.2), with one type and its number of units;
// Builder.Resources adds the others and Builder.Needing the classes. Jobs are served
// first come first served with head-of-line blocking: a job that waits for one type
// blocks those behind it, whatever they need; see Model.AsPrinted.
func Resources(name string, units int) Builder { return Builder{}.Resources(name, units) }

// Resources adds a type of resource.
func (b Builder) Resources(name string, units int) Builder {
	b.spec.Resources = append(slices.Clip(b.spec.Resources), spec.Type{Name: name, Units: units})
	return b
}

// Poisson lets jobs arrive in a Poisson process of the given rate, in jobs per unit
// of time.
func (b Builder) Poisson(rate float64) Builder {
	b.spec.Arrivals, b.poisson = arrival.Poisson(rate), &rate
	return b
}

// Arrivals lets jobs arrive in a renewal process with the given law of the time
// between arrivals.
func (b Builder) Arrivals(gap Law) Builder {
	return b.Process(arrival.Renewal{Gap: gap})
}

// Process lets jobs arrive in any process of package arrival: batches, superpositions, a
// rate that changes by the hour.
func (b Builder) Process(p arrival.Process) Builder {
	b.spec.Arrivals, b.poisson = p, nil
	return b
}

// MAP lets jobs arrive in a Markovian arrival process: d0 holds the rates of changing
// phase without an arrival, d1 those with one; see arrival.MAP.
func (b Builder) MAP(d0, d1 [][]float64) Builder { return b.Process(arrival.MAP(d0, d1)) }

// MMPP lets jobs arrive in a Poisson process whose rate changes with the state of a
// Markov chain; see arrival.MMPP.
func (b Builder) MMPP(rates []float64, generator [][]float64) Builder {
	return b.Process(arrival.MMPP(rates, generator))
}

// MarkedMAP lets jobs arrive in a Markovian arrival process that also says of which class
// a job is: d[class] holds the rates of arrivals of that class. The probabilities of the
// classes then follow from the process, whatever is given with them; see
// arrival.MarkedMAP.
func (b Builder) MarkedMAP(d0 [][]float64, d map[string][][]float64) Builder {
	return b.Process(arrival.MarkedMAP(d0, d))
}

// Batches lets jobs come in batches of the given sizes at the arrivals named before,
// whose rate is then that of batches; see arrival.FixedSize and arrival.GeometricSize.
// The classes of the jobs of a batch are independent.
func (b Builder) Batches(sizes arrival.Sizes) Builder {
	return b.Process(arrival.Batches{Of: b.spec.Arrivals, Sizes: sizes})
}

// Profile lets jobs arrive in a Poisson process whose rate changes by the time of day:
// the period is divided into as many equal parts as there are rates; see arrival.Profile.
func (b Builder) Profile(period float64, rates ...float64) Builder {
	return b.Process(arrival.Profile{Period: period, Rates: rates})
}

// Policy chooses the scheduling policy; the default is FCFS.
func (b Builder) Policy(p Policy) Builder {
	b.spec.Policy = p
	return b
}

// Class adds a class of jobs: its name, the number of servers that a job needs at
// once, the probability that an arriving job is of this class, and the law of its
// service time. Two classes may need the same number of servers.
func (b Builder) Class(name string, need int, prob float64, service Law) Builder {
	return b.add(Class{Name: name, Need: need, Prob: prob, Service: service}, nil)
}

// Classes adds several classes.
func (b Builder) Classes(classes ...Class) Builder {
	b.spec.Classes = append(slices.Clip(b.spec.Classes), classes...)
	b.needs = append(slices.Clip(b.needs), make([]Needs, len(classes))...)
	return b
}

// Needing adds a class of jobs that need units of several types of resources.
func (b Builder) Needing(name string, needs Needs, prob float64, service Law) Builder {
	return b.add(Class{Name: name, Prob: prob, Service: service}, maps.Clone(needs))
}

// Specific adds a class whose jobs ask for specific servers, drawn at random or named,
// besides any (Baccelli, Olliaro, Ajmone Marsan, Marin: Section 9.1). A job starts when
// all of its servers are free, and no job starts before an earlier one; see
// Model.AsPrinted. Of equally free servers a job takes those of the lowest numbers.
func (b Builder) Specific(name string, pick Pick, prob float64, service Law) Builder {
	return b.add(Class{Name: name, Prob: prob, Service: service, Pick: &pick}, nil)
}

func (b Builder) add(c Class, needs Needs) Builder {
	b.spec.Classes = append(slices.Clip(b.spec.Classes), c)
	b.needs = append(slices.Clip(b.needs), needs)
	return b
}

// RandomAssignment has every job draw its servers at random; see
// Model.RandomAssignment.
func (b Builder) RandomAssignment() Builder {
	b.spec.RandomAssignment = true
	return b
}

// Build checks the description and returns the model. The error names every fault at
// once, each with the field, the value and the remedy; use errors.As or range over its
// Unwrap to take it apart. A model without arrivals is allowed: it has a stability
// limit, and AtRate gives it arrivals.
func (b Builder) Build() (*Model, error) {
	s, err := b.Spec()
	if err != nil {
		return nil, err
	}
	return &Model{method.New(s)}, nil
}

// Spec is the checked description, as plain data.
func (b Builder) Spec() (*spec.Spec, error) {
	var f check.Faults
	s := b.spec
	s.Classes = slices.Clone(s.Classes)
	for i, needs := range b.needs {
		if needs != nil {
			s.Classes[i].Units = unitsOf(&f, &s, i, needs)
		}
	}
	if rate := b.poisson; rate != nil {
		poissonFaults(&f, *rate)
		if len(f.List()) > 0 {
			s.Arrivals = nil // the fault is named
		}
	}
	f.Join(s.Validate()...)
	if faults := f.List(); len(faults) > 0 {
		return nil, prefixed(described(faults))
	}
	return s.Normalized(), nil
}

// unitsOf is what a class needs by type, in the order of the types.
func unitsOf(f *check.Faults, s *spec.Spec, class int, needs Needs) []int {
	units := make([]int, len(s.Resources))
	var names []string
	for j, r := range s.Resources {
		units[j], names = needs[r.Name], append(names, r.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		f.That(slices.Contains(names, name), "class %d %q: needs %q, which is not among the resources %s",
			class+1, s.Classes[class].Name, name, strings.Join(names, ", "))
	}
	return units
}

// poissonFaults says what is wrong with the rate of a Poisson process.
func poissonFaults(f *check.Faults, rate float64) {
	if !(rate > 0) || math.IsInf(rate, 1) {
		f.Add("Poisson(%v): the arrival rate must be positive and finite", rate)
	} else if !(rate >= spec.ShortestMean && rate <= spec.LongestMean) {
		f.Add("Poisson(%v): powers of the times between arrivals would overflow; choose a unit of time in which the rate lies between %g and %g", rate, spec.ShortestMean, spec.LongestMean)
	}
}

// Build makes a model of whatever describes one: a Builder, a model fitted to a trace,
// a divisible resource whose needs are whole.
func Build(d interface{ Spec() (*spec.Spec, error) }) (*Model, error) {
	s, err := d.Spec()
	if err != nil {
		return nil, prefixed(err)
	}
	return &Model{method.New(s)}, nil
}

// Must is v, or a panic with the error: for notebooks and examples, where a fault of
// the model should stop the cell. What a query has when its context ends is let through,
// with the note that says so; see widgets.Context.
func Must[T any](v T, err error) T {
	if err != nil && !stopped(v, err) {
		panic(err)
	}
	return v
}

// stopped reports whether it was the end of a context that ended a query, which has left
// something. It is apart because a generic function is compiled anew in every cell.
func stopped(v any, err error) bool {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	return ended && v != nil && !reflect.ValueOf(v).IsZero()
}
