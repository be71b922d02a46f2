package interval

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Averaging is what a method averages, on which it depends how heavy the tails
// of its averages are.
type Averaging int

const (
	OverSamples Averaging = iota // independent samples of the stationary queue
	OverJobs                     // successive jobs, and Little's law
	OverTime                     // successive jobs with their services, and time
	Telescoped                   // the weighed differences of Unbiased
)

// Tails says which averages of a method have an interval at an arrival rate.
type Tails struct {
	Overload
	by      Averaging
	index   []float64 // of the service, by class; see law.TailIndex
	service float64   // the least of them
	least   int       // the class that has it
	gap     float64   // the index of the time between arrivals
}

// TailsOf finds how heavy the tails are. The queue must be stable. Where the bounds
// of crowding leave open how many long jobs it takes to hold up the line, and
// an interval hangs on it, stability limits with fewer servers tell.
func TailsOf(ctx context.Context, m *problem.Problem, rate float64, by Averaging) Tails {
	t := Tails{by: by, service: math.Inf(1), gap: math.Inf(1)}
	if m.Arrivals != nil { // all jobs may be those of users
		t.gap = arrival.TailIndex(m.Arrivals)
	}
	s := crowding{Servers: m.Servers, Work: rate * m.Work()}
	for c, class := range m.Classes {
		index := law.TailIndex(class.Service)
		if index < t.service {
			t.service, t.least = index, c
		}
		t.index, s.Needs = append(t.index, index), append(s.Needs, class.Need)
	}
	s.Index = t.index
	if m.Features().Has(spec.Unlike | spec.Placed) { // one long job may hold up the line: whether it does is not known
		t.Overload = Overload{Index: t.service - 1, Jobs: 1, Class: t.least, Sure: math.Inf(1)}
		return t
	}
	few, many := s.Bounds()
	t.Overload = s.Least(few, many)
	if !t.given(2) && t.service > 2 {
		t.Overload = s.Least(holding(ctx, m, rate, few, many), many)
	}
	return t
}

// holding is the least number of servers, between few and many, without which the
// queue is not clearly stable. It is few if ctx ends.
func holding(ctx context.Context, m *problem.Problem, rate float64, few, many int) int {
	for few < many {
		middle := few + (many-few)/2
		limit, ok := without(ctx, m, middle)
		switch {
		case !ok:
			return few
		case limit > rate:
			few = middle + 1
		default:
			many = middle
		}
	}
	return few
}

// without is an arrival rate at which the queue is stable with a given number of servers
// fewer: the lower end of the interval of its limit by a short pile, less a fiftieth.
// It is remembered for all copies that differ in the arrivals only, 0 if the pile
// knows none; ok is false if ctx ends.
func without(ctx context.Context, m *problem.Problem, held int) (rate float64, ok bool) {
	if known, found := m.Limits().With(held); found {
		return known, true
	}
	rest := problem.New(m.Unloaded().WithServers(m.Servers - held).Normalized())
	o := problem.Defaults()
	o.RelErr, o.MaxJobs = problem.Give(0.02), problem.Give[int64](200_000)
	st, err := limit.Find(ctx, rest, limit.Way{Piled: true}, o)
	if ctx.Err() != nil {
		return 0, false
	}
	if err == nil && st.HalfWidth < st.Rate {
		rate = 0.98 * (st.Rate - st.HalfWidth)
	}
	m.Limits().Keep(held, rate)
	return rate, true
}

// fewest is the least order of averages of waits and of their squares that an interval
// is given for. In theory more than 2 is enough; but near it so much of the variance
// is in so few values that Student's interval is too narrow. site/docs/methods/heavy-tails.md shows what was
// measured. It is enough for averages of what is bounded, as waste and probabilities.
const fewest = 2.5

// given reports whether the average for E[W^k] has an interval.
func (t *Tails) given(k float64) bool {
	if k == 0 {
		return t.order(0) > 2
	}
	return t.order(k) >= fewest
}

// order is the α up to which what is averaged for E[W^k] has moments; k is 0 for
// probabilities. It needs more than 2 for a variance.
//
// Independent samples have the moments of W^k. Along a path, a time x for which long
// jobs hold up the line has the exponent κ+1, κ being that of the waits, and adds
// x^(k+1) to the sum. A difference between windows of l jobs and of twice as many is
// of order l^k with a probability of order l^-κ, and weighed by l^(3/2).
//
// A single long job that does not hold up the line still changes its level while it
// lasts. Where services have a variance that is harmless: it takes several to hold up
// the line then, so that each matters little. Where they have none it adds its
// service to a sum, and a window into the past misses what is longer.
func (t *Tails) order(k float64) (order float64) {
	switch t.by {
	case OverSamples:
		order = t.Index / k
	case Telescoped:
		order = min((t.Index+1.5)/(k+1.5), (t.service+0.5)/1.5)
	default:
		order = (t.Index + 1) / (k + 1)
	}
	if t.service <= 2 {
		order = min(order, t.service)
	}
	return order
}

// needs is the moment of the service that a class must have for an interval of
// E[W^k].
func (t *Tails) needs(k float64) float64 {
	jobs, order := float64(max(1, t.Jobs)), fewest
	if k == 0 {
		order = 2
	}
	switch t.by {
	case OverSamples:
		return max(order*k/jobs+1, 2)
	case Telescoped:
		return max((order*(k+1.5)-1.5)/jobs+1, 1.5*order-0.5)
	}
	return max((order*(k+1)-1)/jobs+1, 2)
}

// limit withholds the intervals of averages of too low an order, and sets moments
// that are surely infinite; own is the index of what is added to the wait.
func (t *Tails) limit(w *result.Metric, own float64) {
	for i, e := range []*result.Estimate{&w.Mean, &w.Variance} {
		k := float64(i + 1)
		Withhold(e, t.given(k) && (t.by != OverTime || own/k >= fewest), k >= min(t.Sure, own))
	}
	if !t.given(0) {
		w.Effective = math.NaN()
	}
}

// Withhold leaves an estimate without an interval unless it has one, and one of what
// is known to be infinite with that value.
func Withhold(e *result.Estimate, given, infinite bool) {
	switch {
	case infinite:
		e.Value, e.HalfWidth = math.Inf(1), 0
	case !given && e.HalfWidth != 0: // an exact value stays exact
		e.HalfWidth = math.NaN()
	}
}

// WithoutIntervals leaves a class without intervals.
func WithoutIntervals(c *result.ClassResult) {
	for _, m := range estimate.Metrics(c) {
		Withhold(&m.Mean, false, false)
		Withhold(&m.Variance, false, false)
		m.Effective = 0
	}
	for _, e := range estimate.Numbers(c) {
		Withhold(e, false, false)
	}
}
