package limit

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Way is how the stability limit is found: by the best way for the queue unless one is forced.
type Way struct {
	Exact bool // exactly, or there is an error
	Piled bool // by the pile
	Pile
}

// Pile is the settings of the pile.
type Pile struct {
	Replications int
	Device       problem.Processor
}

// Find is the stability limit λ_c: by the closed formula if all jobs need the
// same number of servers, a product form if one is known, the saturated chain if
// services are phase-type and it has at most 100,000 states, bounds if they are as close as
// asked, and else the pile; where
// arrivals mark classes, by the drift of the age process instead of chains. Under
// other policies see policyLimit. On cancellation it returns what it has, along with the
// error of the context.
func Find(ctx context.Context, p *problem.Problem, by Way, o problem.Options) (st *result.Stability, err error) {
	defer problem.Caught("Stability", &err)
	o.Seed = o.SeedOr(problem.SeedPile)
	if o.Seen == nil && by.Device != problem.Auto {
		st, err = cache.Answer(func() *cache.Question { return limitQuestion(p, by, &o) }, o.Fresh,
			func(st *result.Stability, at time.Time) { st.Remembered = at },
			func(st *result.Stability) bool { return st.Met },
			func() (*result.Stability, error) { return findLimit(ctx, p, by, o) })
	} else {
		st, err = findLimit(ctx, p, by, o)
	}
	if err != nil {
		err = fmt.Errorf("Stability: %w", err)
	}
	return st, err
}

// limitQuestion leaves the arrivals out where they do not matter, so that all loads of a
// queue share one limit.
func limitQuestion(p *problem.Problem, by Way, o *problem.Options) *cache.Question {
	if _, independent := p.Gap(); !p.Features().Has(spec.Reordered) && (independent || p.Arrivals == nil) {
		s := *p.Spec
		s.Arrivals, s.Load, s.Notes = nil, nil, nil
		p = p.WithArrivals(&s)
	}
	return p.Question("stability", o, by)
}

// findLimit is Find without memory.
func findLimit(ctx context.Context, p *problem.Problem, by Way, o problem.Options) (*result.Stability, error) {
	pile := newPile(p, &o, by.Pile)
	var f check.Faults
	o.Check(&f)
	f.Settings(func(f *check.Faults) { problem.SettingFaults(f, by.Pile) })
	pile.faults(&f)
	p.PolicyFaults(&f)
	if err := f.Err(""); err != nil {
		return nil, err
	}
	has := p.Features()
	if has.Has(spec.Interrupted) {
		q, _ := problem.Uninterrupted(p)
		return findLimit(ctx, q, by, o)
	}
	for _, x := range kinds() {
		if has.Has(x.of) {
			return x.find(ctx, p, by, &o)
		}
	}
	if by.Piled {
		return pile.run(ctx)
	}
	if rate, ok := unblockedRate(p); ok {
		return StabilityAt(p, rate, 0, "closed form", "G/G/k: no job blocks another of the same need"), nil
	}
	if has.Has(spec.Marked) && !has.Has(spec.Unlike) {
		return orderedLimit(ctx, p, by, pile)
	}
	if by.Exact {
		st, err := exactLimit(ctx, p, MaxExactStates, o.Throttled())
		if err != nil {
			err = fmt.Errorf("no exact limit: %w", err)
		}
		return st, err
	}
	st, err := exactLimit(ctx, p, autoStates, o.Throttled())
	if err == nil || ctx.Err() != nil {
		return st, err
	}
	if low, high, ok := Between(p); ok && high-low <= 2*pile.relErr*low {
		return bounds(p, low, high), nil
	}
	grown, failed := pile.run(ctx) // the queue is beyond the exact methods
	if st != nil && grown != nil {
		grown.Notes = append(grown.Notes, fmt.Sprintf("The limit has an interval and is not exact: %s.", check.First(err)))
	}
	return grown, failed
}

// kind is queues with one of some features: how their limit is found, and what is soon known of it, the
// limit or a bound from above; nil leaves it to the kinds that follow.
type kind struct {
	of    spec.Features
	find  func(ctx context.Context, p *problem.Problem, by Way, o *problem.Options) (*result.Stability, error)
	bound func(ctx context.Context, p *problem.Problem, alive func()) (*result.Stability, error)
}

// kinds are all but the plain queue, first come first served. A queue is of the first that it has a
// feature of.
func kinds() []kind {
	return []kind{
		{spec.Turning, turnedLimit, turnedBound}, {spec.Resizing, elasticLimit, elasticBound}, {spec.Away, failingLimit, failingBound},
		{spec.Sleeping, sleepingLimit, sleepingBound}, {spec.Reordered, policyLimit, policyBound},
	}
}

// Bound is the limit if it is known or soon found, and else a bound from above: what a
// method needs that does not go by the load.
func Bound(ctx context.Context, p *problem.Problem, alive func()) (*result.Stability, error) {
	if p.Limits().Found() == nil {
		for _, x := range kinds() {
			if !p.Features().Has(x.of) {
				continue
			}
			if st, err := x.bound(ctx, p, alive); st != nil || err != nil {
				return st, err
			}
		}
	}
	return Of(ctx, p, alive)
}

// atMost is a bound from above, with the reason.
func atMost(p *problem.Problem, rate float64, format string, args ...any) *result.Stability {
	st := &result.Stability{Rate: rate, Method: "upper bound", IdealRate: p.IdealRate(), Work: p.Work(),
		Notes: []string{fmt.Sprintf(format, args...) + " If the rate is above it, these waits grow with the length of the run. Ask Stability to search for it."}}
	resourceLimits(p, st)
	st.Wasted = math.NaN() // of the limit, which may be lower
	for j := range st.Resources {
		st.Resources[j].Wasted = math.NaN()
	}
	return st
}

// searched is the limit by a search with the simulation, because theory does not know it for a reason.
func searched(ctx context.Context, p *problem.Problem, o *problem.Options, why error) (*result.Stability, error) {
	st, err := searchLimit(ctx, p, o)
	if st != nil {
		st.Notes = append(st.Notes, fmt.Sprintf("The limit has an interval: it was found by simulation, because no exact limit is known (%s). Lower RelErr for a narrower one.", check.First(why)))
	}
	return st, err
}

// unblockedRate is the limit where a fixed number of jobs run at once, as in a plain queue of so
// many servers: all need the same, or no two fit together.
func unblockedRate(p *problem.Problem) (float64, bool) {
	n, ok := p.Channels()
	if !ok && !p.Features().Has(spec.Unlike|spec.Placed) && p.OneNeed() {
		n, ok = p.Servers/p.Classes[0].Need, true
	}
	return float64(n) / p.MeanService(), ok
}

// StabilityAt fills the result for a limit.
func StabilityAt(p *problem.Problem, rate, half float64, method, source string) *result.Stability {
	st := &result.Stability{Rate: rate, HalfWidth: half, Method: method, Source: source, IdealRate: p.IdealRate(),
		Work: p.Work(), Wasted: float64(p.Servers) - rate*p.Work(), Met: true}
	if math.Abs(st.Wasted) < 1e-12*float64(p.Servers) { // a difference of sums
		st.Wasted = 0
	}
	if p.Features().Has(spec.Turning) { // some of the work is never served
		st.IdealRate, st.Wasted = patientRate(p), math.NaN()
	}
	resourceLimits(p, st)
	return st
}

// resourceLimits adds what the limit means by type. Units of different types do
// not add up, so that the total is then unknown.
func resourceLimits(m *problem.Problem, st *result.Stability) {
	for j, r := range m.Resources {
		work := m.TypeWork(j)
		st.Resources = append(st.Resources, result.ResourceLimit{Name: r.Name, Units: r.Units,
			IdealRate: float64(r.Units) / work, Wasted: float64(r.Units) - st.Rate*work})
	}
	if len(st.Resources) > 1 {
		st.Wasted, st.Work = math.NaN(), math.NaN()
	}
}
