package mjq

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/tails"
	"github.com/mjqueue/mjq/mjq/law"
)

// averaging is what a method averages, on which it depends how heavy the tails
// of its averages are.
type averaging int

const (
	overSamples averaging = iota // independent samples of the stationary queue
	overJobs                     // successive jobs, and Little's law
	overTime                     // successive jobs with their services, and time
	telescoped                   // the weighed differences of Unbiased
)

// heaviness says which averages of a method have an interval at an arrival rate.
type heaviness struct {
	tails.Overload
	by      averaging
	index   []float64 // of the service, by class; see law.TailIndex
	service float64   // the least of them
	least   int       // the class that has it
	gap     float64   // the index of the time between arrivals
}

// heaviness finds how heavy the tails are. The queue must be stable. Where the bounds
// of package tails leave open how many long jobs it takes to hold up the line, and
// an interval hangs on it, stability limits with fewer servers tell.
func (m *Model) heaviness(ctx context.Context, rate float64, by averaging) heaviness {
	t := heaviness{by: by, service: math.Inf(1), gap: law.TailIndex(m.arrivals)}
	s := tails.System{Servers: m.servers, Work: rate * m.work()}
	for c, class := range m.classes {
		index := law.TailIndex(class.Service)
		if index < t.service {
			t.service, t.least = index, c
		}
		t.index, s.Needs = append(t.index, index), append(s.Needs, class.Need)
	}
	s.Index = t.index
	if m.variant != nil { // one long job may hold up the line: whether it does is not known
		t.Overload = tails.Overload{Index: t.service - 1, Jobs: 1, Class: t.least, Sure: math.Inf(1)}
		return t
	}
	few, many := s.Bounds()
	t.Overload = s.Least(few, many)
	if !t.given(2) && t.service > 2 {
		t.Overload = s.Least(m.holding(ctx, rate, few, many), many)
	}
	return t
}

// holding is the least number of servers, between few and many, without which the
// queue is not clearly stable. It is few if ctx ends.
func (m *Model) holding(ctx context.Context, rate float64, few, many int) int {
	for few < many {
		middle := few + (many-few)/2
		limit, ok := m.without(ctx, middle)
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

// without is an arrival rate at which the queue is stable with so many servers
// fewer: the lower end of the interval of its limit by a short pile, less a fiftieth.
// It is remembered for all copies that differ in the arrivals only, 0 if the pile
// knows none; ok is false if ctx ends.
func (m *Model) without(ctx context.Context, held int) (rate float64, ok bool) {
	if known, found := m.fewer.Load(held); found {
		return known.(float64), true
	}
	rest := Must(Servers(m.servers - held).Classes(m.classes...).Build())
	st, err := rest.Stability().Pile().RelErr(0.02).MaxJobs(200_000).Run(ctx)
	if ctx.Err() != nil {
		return 0, false
	}
	if err == nil && st.HalfWidth < st.Rate {
		rate = 0.98 * (st.Rate - st.HalfWidth)
	}
	m.fewer.Store(held, rate)
	return rate, true
}

// fewest is the least order of averages of waits and of their squares that an interval
// is given for. In theory more than 2 is enough; but near it so much of the variance
// is in so few values that Student's interval is too narrow. METHODS.md shows what was
// measured. It is enough for averages of what is bounded, as waste and probabilities.
const fewest = 2.5

// given says whether the average for E[W^k] has an interval.
func (t *heaviness) given(k float64) bool {
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
func (t *heaviness) order(k float64) (order float64) {
	switch t.by {
	case overSamples:
		order = t.Index / k
	case telescoped:
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
func (t *heaviness) needs(k float64) float64 {
	jobs, order := float64(max(1, t.Jobs)), fewest
	if k == 0 {
		order = 2
	}
	switch t.by {
	case overSamples:
		return max(order*k/jobs+1, 2)
	case telescoped:
		return max((order*(k+1.5)-1.5)/jobs+1, 1.5*order-0.5)
	}
	return max((order*(k+1)-1)/jobs+1, 2)
}

// limit withholds the intervals of averages of too low an order, and sets moments
// that are surely infinite; own is the index of what is added to the wait.
func (t *heaviness) limit(w *Metric, own float64) {
	for i, e := range []*Estimate{&w.Mean, &w.Variance} {
		k := float64(i + 1)
		withhold(e, t.given(k) && (t.by != overTime || own/k >= fewest), k >= min(t.Sure, own))
	}
	if !t.given(0) {
		w.Effective = math.NaN()
	}
}

// withhold leaves an estimate without an interval unless it has one, and one of what
// is known to be infinite with that value.
func withhold(e *Estimate, given, infinite bool) {
	switch {
	case infinite:
		e.Value, e.HalfWidth = math.Inf(1), 0
	case !given && e.HalfWidth != 0: // an exact value stays exact
		e.HalfWidth = math.NaN()
	}
}

// heavyTails goes over a finished result: what has no interval loses it, what is
// infinite is set so, and a note says why and what to do.
func (m *Model) heavyTails(ctx context.Context, r *Result, by averaging) {
	t := m.heaviness(ctx, r.Rate, by)
	inf := math.Inf(1)
	for i := range r.Classes {
		c := &r.Classes[i]
		t.limit(&c.Waiting, inf)
		t.limit(&c.Response, t.index[i])
	}
	t.limit(&r.All.Waiting, inf)
	t.limit(&r.All.Response, t.service)
	if math.IsNaN(r.All.Waiting.Mean.HalfWidth) {
		r.Run.Gain = 0
	}
	time := by != overTime || t.gap > 2 // else averages over time have no variance
	withhold(&r.MeanJobs, t.given(1) && time, t.Sure <= 1)
	withhold(&r.WastedHOL, t.given(0) && time, false)
	withhold(&r.Idle, by != overTime || t.given(0) && time, false)
	withhold(&r.Utilization, by != overTime || t.given(0) && time, false)
	for i := range r.Resources {
		withhold(&r.Resources[i].WastedHOL, t.given(0), false)
	}
	r.Notes = append(r.Notes, m.tailNotes(&t)...)
}

// tailNotes says which moments are missing, what has no interval for that, and
// what to do.
func (m *Model) tailNotes(t *heaviness) (notes []string) {
	if t.by == overTime && t.gap <= 2 {
		notes = append(notes, fmt.Sprintf("Averages over time have no interval: the time between arrivals, %v, has E[τ^k] = ∞ from k = %.4g on, and they take E[τ²] < ∞.", m.arrivals, t.gap))
	}
	if t.given(2) && t.given(0) && (t.by != overTime || t.service >= 2*fewest) {
		return notes
	}
	text := m.tailReason(t)
	switch {
	case t.Sure <= 1:
		text += " The mean and the variance of the wait are infinite."
	case t.Sure <= 2:
		text += " The variance of the wait is infinite."
	}
	for k, name := range []string{"bounded averages, such as the waste, and quantiles", "mean waits", "variances"} {
		if !t.given(float64(k)) && t.Sure > float64(k) {
			text += fmt.Sprintf(" No interval for %s: it takes E[σ^%.3g] < ∞.", name, t.needs(float64(k)))
		}
	}
	if t.by == overTime && t.service < 2*fewest {
		text += fmt.Sprintf(" Measured response times take E[σ^%v] < ∞ for the interval of a mean and E[σ^%v] < ∞ for that of a variance.", fewest, 2*fewest)
	}
	return append(notes, text+" "+tailRemedy)
}

// tailReason says which class has which moments, and what that does to the waits.
func (m *Model) tailReason(t *heaviness) string {
	c, jobs := t.Class, t.Jobs
	if jobs == 0 {
		c = t.least
	}
	text := fmt.Sprintf("Class %q: the service %v has E[σ^k] = ∞ from k = %.4g on", m.classes[c].Name, m.classes[c].Service, t.index[c])
	verb := "may be"
	if t.Sure == t.Index {
		verb = "is"
	}
	if jobs == 1 {
		return text + fmt.Sprintf(", and one such job holds up the line, so that E[W^k] %s infinite from k = %.4g on.", verb, t.Index)
	}
	return text + fmt.Sprintf(", and %d such jobs at once hold up the line, so that E[W^k] %s infinite from k = %.4g on.", jobs, verb, t.Index)
}

// tailRemedy is what to do without an interval.
const tailRemedy = "Use quantiles, which are finite; or bound the service, as BoundedPareto does, at what can really happen; MPareto1 is exact for one server."

// untargeted is the error of a target whose interval is withheld.
func (t *Target[Q]) untargeted(ctx context.Context, m *Model, rate float64, by averaging) error {
	if !t.asked {
		return nil
	}
	tail := m.heaviness(ctx, rate, by)
	if tail.given(1) && tail.Sure > 1 {
		return nil
	}
	return fmt.Errorf("mjq: RelErr(%v), HalfWidth(%v): the mean wait has no interval that could become so narrow: %s It takes E[σ^%.3g] < ∞. Leave the target out and give the number of samples or jobs. %s",
		t.relErr, t.halfWidth, m.tailReason(&tail), tail.needs(1), tailRemedy)
}
