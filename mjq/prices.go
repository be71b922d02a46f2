package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Prices returns what one more server, and one more job of each class, are worth to a system
// that turns jobs away, if a job of a class that is served has the given worth; 1 where none is
// given. The price of a job is its worth less what its servers would have earned with others; it
// is negative for a class that keeps more out than it brings. It is for Loss with Poisson
// arrivals and servers that are alike, whatever the services, and costs a pass over the servers.
//
// Source: Kelly, Routing in circuit-switched networks, Advances in Applied Probability 20
// (1988).
func (m Model) Prices(ctx context.Context, worth map[string]float64, opts ...Option) (_ *result.Prices, err error) {
	defer problem.Caught("mjq: Prices", &err)
	_, p, err := m.request(ctx, "Prices", opts)
	if err != nil {
		return nil, err
	}
	prices, err := exact.Prices(p, worth)
	return labelled(prices, func(x *result.Prices) *result.Unit { return &x.Unit }, p.Unit), prefixed(err)
}

// BestKeep searches for the numbers of servers to keep free of each class (see Keep) with which
// the jobs that are served are worth most in a unit of time; a job has the worth 1 where none is
// given. The answer says how far that is from a bound that no rule exceeds.
//
// With up to 3000 sets of jobs that fit together rewards are exact, for exponential services,
// and the bound is that of the best rule which looks at the jobs in service. Beyond that rewards
// are Roberts's approximation. The search goes class by class, so that the best combination may
// escape it. It is for Loss with Poisson arrivals and servers that are alike. See
// site/docs/methods/turned-away.md.
func (m Model) BestKeep(ctx context.Context, worth map[string]float64, opts ...Option) (_ *result.Reservation, err error) {
	defer problem.Caught("mjq: BestKeep", &err)
	_, p, err := m.request(ctx, "BestKeep", opts)
	if err != nil {
		return nil, err
	}
	r, err := exact.BestKeep(ctx, p, worth)
	return labelled(r, func(r *result.Reservation) *result.Unit { return &r.Unit }, p.Unit), prefixed(err)
}
