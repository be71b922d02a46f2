package mjq

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/trace"
)

// FitMeanSCV is a law with the given mean and squared coefficient of variation
// c²: deterministic for 0, uniform below 1/50, a mixture of two Erlang laws of
// one rate below 1, exponential at 1, hyperexponential with balanced means
// above (Tijms, A First Course in Stochastic Models, Appendix B). Both moments
// are met exactly.
func FitMeanSCV(mean, scv float64) Law { return trace.FitMeanSCV(mean, scv) }

// TraceModel turns a trace into a model; see its methods.
type TraceModel struct {
	Groups[TraceModel]
	t       *Trace
	servers int
	fit     func(xs []float64) Law
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
	q := &TraceModel{t: t, servers: servers, fit: Empirical}
	q.Groups.self = q
	return q
}

// Empirical takes each service time and each gap of the trace with equal
// probability. This is the default.
func (q *TraceModel) Empirical() *TraceModel {
	q.fit = Empirical
	return q
}

// TwoMoments fits laws to the mean and the variance of the services of each
// class and of the gaps; see FitMeanSCV.
func (q *TraceModel) TwoMoments() *TraceModel {
	q.fit = func(xs []float64) Law {
		l := Empirical(xs)
		return FitMeanSCV(l.Mean(), scv(l))
	}
	return q
}

// Exponential takes the means alone.
func (q *TraceModel) Exponential() *TraceModel {
	q.fit = func(xs []float64) Law { return ExpMean(Empirical(xs).Mean()) }
	return q
}

// PoissonArrivals replaces the law of the gaps by the exponential one of the
// same mean.
func (q *TraceModel) PoissonArrivals() *TraceModel {
	q.poisson = true
	return q
}

// Build makes the model. It fails when the trace has fewer than two jobs, all
// at one time, or a job that needs more servers than there are, and where
// Builder.Build does.
func (q *TraceModel) Build() (*Model, error) {
	if n := len(q.t.Jobs); n < 2 || !(q.t.Span() > 0) {
		return nil, fmt.Errorf("mjq: model of trace %s: it has %d jobs within %v units of time; two at different times are needed for a rate", q.t.Name, n, q.t.Span())
	}
	if err := q.t.fits(q.servers); err != nil {
		return nil, fmt.Errorf("mjq: model of trace %s: %w", q.t.Name, err)
	}
	services, needs := map[group][]float64{}, map[group]int{}
	for i := range q.t.Jobs {
		j := &q.t.Jobs[i]
		k := q.by.of(j)
		services[k] = append(services[k], j.Service)
		needs[k] = max(needs[k], j.Need)
	}
	var keys []group
	for k := range services {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, group.before)
	b := Servers(q.servers).Arrivals(q.gaps())
	for _, k := range keys {
		b = b.Class(q.by.name(k), needs[k], float64(len(services[k]))/float64(len(q.t.Jobs)), q.fit(services[k]))
	}
	return b.Build()
}

// gaps is the law between arrivals.
func (q *TraceModel) gaps() Law {
	if q.poisson {
		return ExpRate(q.t.Rate())
	}
	gaps := make([]float64, len(q.t.Jobs)-1)
	for i := range gaps {
		gaps[i] = q.t.Jobs[i+1].Arrival - q.t.Jobs[i].Arrival
	}
	return q.fit(gaps)
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
