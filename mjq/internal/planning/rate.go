package planning

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// LargestRate finds the largest arrival rate at which all targets are met, to within
// RelErr of it (1 % if 0): Best meets them, and a rate larger by that part does not.
// Rates are looked at from half of the stability limit upward, closing in on the limit
// by halves, because a look costs (1-ρ)^-2.
func LargestRate(ctx context.Context, q Query) (*result.Sizing, error) {
	var f check.Faults
	f.That(q.Problem.Arrivals != nil || q.Problem.Load != nil || !q.Problem.Features().Has(spec.Sent), "all jobs come from Users, so there is no arrival rate to vary; ask FewestServers")
	l, err := q.begin(ctx, "arrival rate", &f)
	if err != nil {
		return nil, err
	}
	if q.RelErr == 0 {
		q.RelErr = 0.01
	}
	limit, err := limit.Of(ctx, l.q.Problem, nil)
	if err != nil {
		return nil, l.interrupted(ctx, err)
	}
	top := limit.Rate
	if math.IsNaN(top) {
		top = limit.IdealRate
	}
	if math.IsInf(top, 1) {
		if top, err = l.beyond(ctx, limit.IdealRate); err != nil {
			return l.close(false), l.interrupted(ctx, err)
		}
	}
	err = l.closeIn(ctx, top, q.RelErr)
	found := l.close(false)
	found.Confirmed = found.Meets == found.Best && found.Misses <= found.Best*(1+q.RelErr)*(1+1e-9)
	l.undecided()
	return found, l.interrupted(ctx, err)
}

// beyond is a rate that misses the targets, of a queue without a limit.
func (l *looker) beyond(ctx context.Context, rate float64) (float64, error) {
	for range 64 {
		p, err := l.at(ctx, rate, l.q.Problem.WithRate(rate), l.q.Problem)
		if err != nil || !p.Verdict.OK() {
			return rate, err
		}
		rate *= 2
	}
	return 0, fmt.Errorf("every rate up to %.3g meets the goals; choose goals that are harder to meet", rate)
}

// closeIn brackets the border below top and halves the bracket until it is narrow.
func (l *looker) closeIn(ctx context.Context, top, narrow float64) error {
	meets, misses := 0.0, top
	for misses-meets > narrow*meets {
		x := (meets + misses) / 2
		if meets == 0 && misses < top {
			x = misses / 4 // the border is far below
		}
		if misses < top*1e-6 { // no rate meets the goals
			return nil
		}
		p, err := l.at(ctx, x, l.q.Problem.WithRate(x), l.q.Problem)
		if err != nil {
			return err
		}
		if p.Verdict.OK() {
			meets = x
		} else {
			misses = x
		}
	}
	return nil
}
