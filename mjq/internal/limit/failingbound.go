package limit

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// alwaysUp is the queue on servers that neither fail nor are reserved or spare.
func alwaysUp(p *problem.Problem) *problem.Problem {
	if !p.Away() {
		return p
	}
	s := p.WithPolicy(policy.FCFS{})
	s.Failures, s.Crews, s.Spares, s.Reservations = nil, nil, 0, nil
	return problem.New(s)
}

// failingBound is what servers that fail carry at most: the capacity of servers that are always up.
func failingBound(ctx context.Context, p *problem.Problem) *result.Stability {
	most := mostRate(ctx, alwaysUp(p))
	return &result.Stability{Rate: most, Method: "upper bound", IdealRate: p.IdealRate(), Work: p.Work(),
		Notes: []string{"It is unknown of servers that fail, and at most the capacity of servers that never do. If the rate is above it, these waits grow with the length of the run."}}
}
