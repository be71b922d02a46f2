package method

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/result"
)

// LimitMethod is a way to find the stability limit.
type LimitMethod int

// The ways to find the stability limit: the best one for the queue, or one that is
// forced.
const (
	BestLimit  LimitMethod = 0
	ExactLimit LimitMethod = 1
	PileLimit  LimitMethod = 2
)

// limitTakes are the settings of Stability; all but Device are for the pile.
const limitTakes = RelErr | MaxJobs | Replications | Device

// FindLimit is the stability limit λ_c: by the closed formula if all jobs need the
// same number of servers, a product form if one is known, the saturated chain if
// services are phase-type and it has at most 100,000 states, and else the pile; where
// arrivals mark classes, by the drift of the age process instead of chains. Under
// other policies see policyLimit. On cancellation it returns what it has, along with the
// error of the context.
func (p *Problem) FindLimit(ctx context.Context, by LimitMethod, o Options) (_ *result.Stability, err error) {
	defer Caught("stability", &err)
	o.Seed = o.seed(seedPile)
	if !o.memorable() {
		return p.findLimit(ctx, by, o)
	}
	return remember.Answer(func() *remember.Question { return p.limitQuestion(by, &o) }, o.Fresh,
		func(st *result.Stability, at time.Time) { st.Remembered = at },
		func(st *result.Stability) bool { return st.Met },
		func() (*result.Stability, error) { return p.findLimit(ctx, by, o) })
}

// limitQuestion leaves the arrivals out where they do not matter, so that all loads of a
// queue share one limit.
func (p *Problem) limitQuestion(by LimitMethod, o *Options) *remember.Question {
	if _, independent := p.Gap(); p.FirstCome() && (independent || p.Arrivals == nil) {
		s := *p.Spec
		s.Arrivals, s.Load, s.Notes = nil, nil, nil
		p = p.WithArrivals(&s)
	}
	return p.Question("stability", o).Numbers(uint64(by))
}

// findLimit is FindLimit without memory.
func (p *Problem) findLimit(ctx context.Context, by LimitMethod, o Options) (*result.Stability, error) {
	pile := newPile(p, &o)
	var f check.Faults
	o.faults(&f)
	pile.faults(&f)
	p.PolicyFaults(&f)
	f.That(by != ExactLimit|PileLimit, "mjq.Exact{} and mjq.Pile{}: choose one of them")
	if err := f.Err("stability"); err != nil {
		return nil, err
	}
	if !p.FirstCome() {
		return p.policyLimit(ctx, by, &o)
	}
	if by == PileLimit {
		return pile.run(ctx)
	}
	if rate, ok := p.unblockedRate(); ok {
		return p.stabilityAt(rate, 0, "closed form", "G/G/k: no job blocks another of the same need"), nil
	}
	if marked(p.Spec) && p.Plain() {
		return p.orderedLimit(ctx, by, pile)
	}
	if by == ExactLimit {
		st, err := p.exactLimit(ctx, MaxExactStates, o.throttled())
		if err != nil {
			err = fmt.Errorf("exact stability limit: %w", err)
		}
		return st, err
	}
	st, err := p.exactLimit(ctx, autoStates, o.throttled())
	if err == nil || ctx.Err() != nil {
		return st, err
	}
	grown, failed := pile.run(ctx) // the queue is beyond the exact methods
	if st != nil && grown != nil {
		grown.Notes = append(grown.Notes, fmt.Sprintf("This is not the exact limit, because: %v.", err))
	}
	return grown, failed
}

// bestLimit is FindLimit by default.
func (p *Problem) bestLimit(ctx context.Context) (*result.Stability, error) {
	return p.FindLimit(ctx, BestLimit, Defaults())
}

// unblockedRate is the limit when all jobs need the same number of servers: k of them
// fit, and then it is a plain queue of k servers.
func (p *Problem) unblockedRate() (float64, bool) {
	need := p.Classes[0].Need
	if !p.Plain() {
		return 0, false
	}
	for _, c := range p.Classes {
		if c.Need != need {
			return 0, false
		}
	}
	return float64(p.Servers/need) / p.MeanService(), true
}

// stabilityAt fills the result for a limit.
func (p *Problem) stabilityAt(rate, half float64, method, source string) *result.Stability {
	st := &result.Stability{Rate: rate, HalfWidth: half, Method: method, Source: source, IdealRate: p.IdealRate(),
		Work: p.Work(), Wasted: float64(p.Servers) - rate*p.Work(), Met: true}
	if math.Abs(st.Wasted) < 1e-12*float64(p.Servers) { // a difference of sums
		st.Wasted = 0
	}
	p.resourceLimits(st)
	return st
}
