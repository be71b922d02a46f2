package trace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// ModelBuilder turns a trace into the description of a queue. It is a value: each call
// returns a changed copy.
type ModelBuilder struct {
	by      grouping
	t       *Trace
	servers int
	fit     fitting // nil: empirical
	poisson bool

	arrivals Arrivals // OwnGaps: by fit
	period   float64  // over which the rate may change; 0: it does not
	slots    int      // of the period
}

// Model begins a model of the trace on s servers: classes with the frequencies
// that they have in the trace, arrivals with the gaps between jobs. By default
// a class holds the jobs of one need and laws are empirical.
//
// A model has independent jobs, and arrivals with independent gaps unless Arrivals and
// ByHour say otherwise. What a trace has beyond that (users who submit the same job ten
// times, classes that come in bursts) is lost, and mostly makes the trace wait longer
// than the model: compare with Replay.
func (t *Trace) Model(servers int) ModelBuilder {
	return ModelBuilder{t: t, servers: servers}
}

// Empirical takes each service time and each gap of the trace with equal
// probability. This is the default.
func (q ModelBuilder) Empirical() ModelBuilder {
	q.fit = nil
	return q
}

// ByNeed makes a class of all jobs that need the same number of servers: T1, T2, ...
// This is the default.
func (q ModelBuilder) ByNeed() ModelBuilder {
	q.by = byNeed
	return q
}

// PowersOfTwo makes a class of the jobs between two powers of two: T1, T2, T3-4, T5-8,
// ... All jobs of a class need the same number of servers: as many as the largest job of
// the class in the trace. That raises the load (compare the offered load of the model
// with Trace.OfferedLoad), so waits come out on the safe side.
func (q ModelBuilder) PowersOfTwo() ModelBuilder {
	q.by = powersOfTwo
	return q
}

// ByClass makes a class of the jobs of one label and one need: "label/need".
func (q ModelBuilder) ByClass() ModelBuilder {
	q.by = byLabel
	return q
}

// TwoMoments fits laws to the mean and the variance of the services of each
// class and of the gaps; see law.FitMeanSCV.
func (q ModelBuilder) TwoMoments() ModelBuilder {
	q.fit = fitTwo
	return q
}

// ThreeMoments fits phase-type laws to the first three moments of the services
// of each class and of the gaps; see law.FitThreeMoments. Where no law of at most 50
// phases has them (nearly equal times, or a third moment out of bounds) it falls
// back on TwoMoments; Fits says where and why, and so do the notes of every
// result of the model.
//
// The third moment of a sample hangs on its few longest jobs. Of a class with a
// heavy tail it is no estimate of anything: compare with Empirical.
func (q ModelBuilder) ThreeMoments() ModelBuilder {
	q.fit = fitThree
	return q
}

// Exponential takes the means alone.
func (q ModelBuilder) Exponential() ModelBuilder {
	q.fit = fitMean
	return q
}

// PoissonArrivals replaces the law of the gaps by the exponential one of the
// same mean.
func (q ModelBuilder) PoissonArrivals() ModelBuilder {
	q.poisson = true
	return q
}

// Fits are the laws of the model beside the moments they stand for: the gaps
// first (not with PoissonArrivals or Arrivals), then the classes as in the model. It fails
// where Build does for the trace.
func (q ModelBuilder) Fits() ([]Fit, error) {
	parts, err := q.parts()
	if err != nil {
		return nil, err
	}
	return parts.fits, nil
}

// Spec is the description of the queue, for mjq.Build. It fails when the trace has fewer
// than two jobs, all at one time, or a job that needs more servers than there are, when a
// law is to be fitted to services that are all 0, and where a description has faults.
func (q ModelBuilder) Spec() (*spec.Spec, error) {
	parts, err := q.parts()
	if err != nil {
		return nil, err
	}
	s := spec.Spec{Servers: q.servers, Arrivals: parts.arrivals, Classes: parts.classes, Notes: fallbacks(parts.fits)}
	return s.Checked()
}

// fallbacks is a note on the fits that have fewer moments than asked for.
func fallbacks(fits []Fit) []string {
	var names []string
	for _, f := range fits {
		if f.Note != "" {
			names = append(names, f.Class)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Fitted to two moments where three were asked for: %s. ModelBuilder.Fits says why; ModelBuilder.Empirical takes the times as they are.", strings.Join(names, ", "))}
}

// modelParts is what a trace says of a model.
type modelParts struct {
	arrivals arrival.Process
	classes  []spec.Class
	fits     []Fit
}

// sound says what keeps any model from being made.
func (q ModelBuilder) sound() error {
	if err := q.t.Validate(); err != nil {
		return err
	}
	if n := len(q.t.Jobs); n < 2 || !(q.t.Span() > 0) {
		return fmt.Errorf("model of trace %s: it has %d jobs within %v units of time; two at different times are needed for a rate", q.t.Name, n, q.t.Span())
	}
	return nil
}

func (q ModelBuilder) parts() (*modelParts, error) {
	if err := q.sound(); err != nil {
		return nil, err
	}
	var f check.Faults
	if err := q.t.fits(q.servers); err != nil {
		f.Join(err)
	}
	services, needs := map[group][]float64{}, map[group]int{}
	for i := range q.t.Jobs {
		j := &q.t.Jobs[i]
		k := q.by.of(j)
		services[k] = append(services[k], j.Service)
		needs[k] = max(needs[k], j.Need)
	}
	out := &modelParts{arrivals: arrival.Poisson(q.t.Rate())}
	add := func(name string, xs []float64) law.Law {
		fit, err := q.fit.of(name, xs)
		if err != nil {
			f.Join(err)
		}
		out.fits = append(out.fits, fit)
		return fit.Law
	}
	switch {
	case q.arrivals != OwnGaps:
		all, err := q.candidates(q.arrivals)
		if err == nil {
			var c candidate
			c, err = chosen(all, q.arrivals)
			out.arrivals = c.process
		}
		f.Join(err)
	case !q.poisson:
		out.arrivals = arrival.Renewal{Gap: add("arrivals", q.gaps())}
	}
	for _, k := range slices.SortedFunc(maps.Keys(services), group.before) {
		name, share := q.by.name(k), float64(len(services[k]))/float64(len(q.t.Jobs))
		out.classes = append(out.classes, spec.Class{Name: name, Need: needs[k], Prob: share, Service: add(name, services[k])})
	}
	return out, f.Err("model of trace " + q.t.Name)
}

// gaps are the times between arrivals.
func (q ModelBuilder) gaps() []float64 {
	gaps := make([]float64, len(q.t.Jobs)-1)
	for i := range gaps {
		gaps[i] = q.t.Jobs[i+1].Arrival - q.t.Jobs[i].Arrival
	}
	return gaps
}

// fits says which jobs are too large for the servers, if any.
func (t *Trace) fits(servers int) error {
	wide, first := 0, math.MaxInt
	for i, j := range t.Jobs {
		if j.Need > servers {
			wide++
			first = min(first, i)
		}
	}
	if wide == 0 {
		return nil
	}
	return fmt.Errorf("%s more than the %d servers, the first in line %d (%d); take %d servers, or leave those jobs out",
		spec.Count(wide, "job")+" need", servers, t.Jobs[first].Line, t.Jobs[first].Need, t.MaxNeed())
}
