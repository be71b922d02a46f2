package limit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// failingLimit is the limit of a queue on servers that fail and are repaired: for one class by the law
// of the servers that are up, of several by the saturated chain, and else by a search with the simulation.
func failingLimit(ctx context.Context, p *problem.Problem, by Way, o *problem.Options) (*result.Stability, error) {
	if by.Piled {
		return nil, errors.New("servers fail, and Pile takes servers that are always up; leave the method out")
	}
	st, err := exactFailing(ctx, p)
	if err == nil || ctx.Err() != nil {
		return st, err
	}
	if by.Exact {
		return nil, fmt.Errorf("no exact limit of servers that fail: %w; leave out mjq.Exact{} to search for the limit by simulation", err)
	}
	st, failed := searchLimit(ctx, p, o)
	if st != nil {
		st.Notes = append(st.Notes, fmt.Sprintf("The limit has an interval: it was found by simulation, because no exact limit is known (%v). Lower RelErr for a narrower one.", err))
	}
	return st, failed
}

// exactFailing is the limit where formulas or a chain have it.
func exactFailing(ctx context.Context, p *problem.Problem) (*result.Stability, error) {
	servers, needs, err := problem.FailingServers(p.Spec)
	if err != nil {
		return nil, err
	}
	if len(p.Classes) == 1 && !p.Features().Has(spec.Ordered|spec.Turning) {
		rate, err := servers.LimitOfOne(needs[0], p.Spares, p.Classes[0].Service, problem.AfterHit(p.Spec, 0))
		if err == nil {
			return StabilityAt(p, rate, 0, "closed form", "jobs that run on the servers that are up, by the repairs, over the mean time that a job runs"), nil
		}
	}
	q, err := problem.FailingQueue(p.Spec, math.NaN())
	if err != nil {
		return nil, err
	}
	rate, states, err := q.Limit(ctx)
	if err != nil {
		return nil, err
	}
	return StabilityAt(p, rate, 0, "saturated-chain", fmt.Sprintf("saturated chain of %.0f states of started jobs and of servers that are up", states)), nil
}
