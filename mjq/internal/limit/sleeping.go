package limit

import (
	"context"
	"errors"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// sleepingLimit is the limit where servers sleep. Jobs of one need keep all servers on that they can use
// while enough of them wait. Other jobs may leave servers off while the head of the queue does not fit.
func sleepingLimit(ctx context.Context, p *problem.Problem, by Way, o *problem.Options) (*result.Stability, error) {
	if p.OneNeed() {
		rate, _ := unblockedRate(p)
		return StabilityAt(p, rate, 0, "closed form", "all servers that jobs can use are on while enough jobs wait"), nil
	}
	if by.Exact || by.Piled {
		return nil, errors.New("servers sleep, and jobs have several needs: the limit is searched for by simulation; leave out mjq.Exact{} and mjq.Pile{}")
	}
	return searchLimit(ctx, p, o)
}

// sleepingBound bounds a limit that is searched for.
func sleepingBound(ctx context.Context, p *problem.Problem, _ func()) (*result.Stability, error) {
	if p.OneNeed() {
		return nil, nil
	}
	return atMost(p, mostRate(ctx, p), "Where servers sleep it is unknown, and at most the capacity."), nil
}
