package limit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
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
	return searched(ctx, p, o, err)
}

// failingBound is the limit if theory has it, and else the capacity of servers that are always up.
func failingBound(ctx context.Context, p *problem.Problem, _ func()) (*result.Stability, error) {
	st, err := exactFailing(ctx, p)
	switch {
	case err == nil:
		return st, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return atMost(p, mostRate(ctx, alwaysUp(p)), "It is unknown of servers that fail, and at most the capacity of servers that never do."), nil
}

// WithDown says what the other numbers of a limit mean where servers fail.
func WithDown(p *problem.Problem, st *result.Stability) *result.Stability {
	if !p.Features().Has(spec.Failing) {
		return st
	}
	with := *st
	with.Notes = append(slices.Clip(st.Notes), "Wasted servers include those that are down, and without blocking means without failures too.")
	return &with
}

// alwaysUp is the queue on servers that neither fail nor are reserved or spare.
func alwaysUp(p *problem.Problem) *problem.Problem {
	if !p.Features().Has(spec.Away) {
		return p
	}
	s := p.WithPolicy(policy.FCFS{})
	s.Failures, s.Crews, s.Spares, s.Reservations = nil, nil, 0, nil
	return problem.New(s)
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
