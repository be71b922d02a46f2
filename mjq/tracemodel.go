package mjq

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/method"
)

// TraceModel turns a trace into a model; see its methods.
type TraceModel struct {
	Groups[TraceModel]
	t       *Trace
	servers int
	fit     fitting // nil: empirical
	poisson bool
}

// Model begins a model of the trace on s servers: classes with the frequencies
// that they have in the trace, arrivals with the gaps between jobs. By default
// a class holds the jobs of one need and laws are empirical.
//
// A model has independent jobs. What a trace has beyond that (days and nights,
// users who submit the same job ten times, classes that come in bursts) is
// lost, and mostly makes the trace wait longer than the model: compare with
// Replay.
func (t *Trace) Model(servers int) *TraceModel {
	q := &TraceModel{t: t, servers: servers}
	q.Groups.self = q
	return q
}

// Empirical takes each service time and each gap of the trace with equal
// probability. This is the default.
func (q *TraceModel) Empirical() *TraceModel {
	q.fit = nil
	return q
}

// TwoMoments fits laws to the mean and the variance of the services of each
// class and of the gaps; see FitMeanSCV.
func (q *TraceModel) TwoMoments() *TraceModel {
	q.fit = fitTwo
	return q
}

// ThreeMoments fits phase-type laws to the first three moments of the services
// of each class and of the gaps; see FitThreeMoments. Where no law of at most 50
// phases has them (nearly equal times, or a third moment out of bounds) it falls
// back on TwoMoments; Fits says where and why, and so do the notes of every
// result of the model.
//
// The third moment of a sample hangs on its few longest jobs. Of a class with a
// heavy tail it is no estimate of anything: compare with Empirical.
func (q *TraceModel) ThreeMoments() *TraceModel {
	q.fit = fitThree
	return q
}

// Exponential takes the means alone.
func (q *TraceModel) Exponential() *TraceModel {
	q.fit = fitMean
	return q
}

// PoissonArrivals replaces the law of the gaps by the exponential one of the
// same mean.
func (q *TraceModel) PoissonArrivals() *TraceModel {
	q.poisson = true
	return q
}

// Fits are the laws of the model beside the moments they stand for: the gaps
// first (not with PoissonArrivals), then the classes as in the model. It fails
// where Build does for the trace.
func (q *TraceModel) Fits() ([]Fit, error) {
	parts, err := q.parts()
	if err != nil {
		return nil, err
	}
	return parts.fits, nil
}

// Build makes the model. It fails when the trace has fewer than two jobs, all
// at one time, or a job that needs more servers than there are, when a law is to
// be fitted to services that are all 0, and where Builder.Build does.
func (q *TraceModel) Build() (*Model, error) {
	parts, err := q.parts()
	if err != nil {
		return nil, err
	}
	m, err := Servers(q.servers).Arrivals(parts.gap).Classes(parts.classes...).Build()
	if err != nil {
		return nil, err
	}
	s := *m.p.Spec
	s.Notes = fallbacks(parts.fits)
	return &Model{method.New(&s)}, nil
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
	return []string{fmt.Sprintf("Fitted to two moments where three were asked for: %s. TraceModel.Fits says why; TraceModel.Empirical takes the times as they are.", strings.Join(names, ", "))}
}

// modelParts is what a trace says of a model.
type modelParts struct {
	gap     Law
	classes []Class
	fits    []Fit
}

func (q *TraceModel) parts() (*modelParts, error) {
	if err := q.t.Validate(); err != nil {
		return nil, err
	}
	if n := len(q.t.Jobs); n < 2 || !(q.t.Span() > 0) {
		return nil, fmt.Errorf("mjq: model of trace %s: it has %d jobs within %v units of time; two at different times are needed for a rate", q.t.Name, n, q.t.Span())
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
	out := &modelParts{gap: ExpRate(q.t.Rate())}
	add := func(name string, xs []float64) Law {
		fit, err := q.fit.of(name, xs)
		if err != nil {
			f.Join(err)
		}
		out.fits = append(out.fits, fit)
		return fit.Law
	}
	if !q.poisson {
		out.gap = add("arrivals", q.gaps())
	}
	for _, k := range slices.SortedFunc(maps.Keys(services), group.before) {
		name, share := q.by.name(k), float64(len(services[k]))/float64(len(q.t.Jobs))
		out.classes = append(out.classes, Class{Name: name, Need: needs[k], Prob: share, Service: add(name, services[k])})
	}
	return out, faultsOf(&f, "model of trace "+q.t.Name)
}

// gaps are the times between arrivals.
func (q *TraceModel) gaps() []float64 {
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
		count(wide, "job")+" need", servers, t.Jobs[first].Line, t.Jobs[first].Need, t.MaxNeed())
}
