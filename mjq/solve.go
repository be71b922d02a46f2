package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/result"
)

// Solve answers how long jobs wait, how many servers blocking wastes, and how many jobs there
// are.
//
//	r, err := cluster.Solve(ctx)                                    // mjq chooses the method
//	r, err := cluster.Solve(ctx, mjq.Exact{MomentsOnly: true})
//	r, err := cluster.Solve(ctx, mjq.Forward{Jobs: 5e6}, mjq.RelErr(0.01), mjq.Seed(7))
//
// Without a method it takes Exact if the model fits and its operations, counted beforehand, take
// at most some eight seconds. Otherwise it takes forward runs with control variates, or
// Simulation under other policies than first come, first served. The default target is a
// half-width of at most 2 % of the mean wait of each class, or 0.5 % of its mean service time,
// whichever is wider. A run that would take more than some eight seconds stops early with the
// interval that it has. With RelErr or HalfWidth the target is the mean wait of all jobs, and
// the budget MaxJobs or 2·10⁸ jobs. See site/docs/methods/index.md.
//
// The choice does not depend on the machine. Run.Method of the result is what you would ask to
// get the same, the first note says why, and Run.Met reports whether the target was reached.
//
// A queue beyond its stability limit is an answer, not an error: Stable is false and waits are
// infinite. When ctx ends, Solve returns what it has, along with the error of ctx. It fails,
// naming all errors, on a faulty model, without arrivals, and on a method that is not for the
// model.
//
// Options: any method except Pile and PolicyIteration, RelErr, HalfWidth, MaxJobs.
func (m Model) Solve(ctx context.Context, opts ...Option) (*result.Result, error) {
	a, p, err := m.request(ctx, "Solve", opts)
	if err != nil {
		return nil, err
	}
	r, err := a.solve(ctx, p, a.engine())
	return r, prefixed(err)
}

// Methods returns a table of all methods: what each answers, why it is not for this model, and a
// prediction of its run time. The time is in seconds of one core until the half-width of the
// mean wait of all jobs is 1 % of it, or RelErr. The last column has the settings that suit this
// target.
//
// On the benchmark queues times are mostly within a factor of two of the measured ones
// (site/docs/methods/index.md). A dash means that there is no prediction: beyond the limit,
// under other policies than first come, first served, without variances, and for RareEvent.
// Cost: a fifth of a second, and the memory of a forward run.
func (m Model) Methods(ctx context.Context, opts ...Option) (*result.Table, error) {
	a, p, err := m.request(ctx, "Methods", opts)
	if err != nil {
		return nil, err
	}
	t, err := methods.Table(ctx, p, a.o)
	return t, prefixed(err)
}

// HeavyTraffic returns the heavy-traffic constant of the queue and the states of the saturated
// system from which it is computed. E[Δ(Y_d)] is the number of completions by which a saturated
// system that starts just after a completion is ahead of one that starts at a random time, in
// the long run. The open queue with Poisson arrivals then has
//
//	(1 - ρ) E[N] → E[Δ(Y_d)] + 1   as ρ = λ/λ_c → 1,
//
// where N is the number of jobs in the system. It takes first come, first served and positive
// phase-type service times. States are listed if all are exponential and there are at most 2000. The cost is about twice
// that of Stability(ctx, Exact{}).
//
// Source: Grosof, Hong, Harchol-Balter and Scheller-Wolf, The RESET and MARC Techniques, with
// Application to Multiserver-Job Analysis (2023).
func (m Model) HeavyTraffic(ctx context.Context, opts ...Option) (*result.HeavyTraffic, error) {
	a, p, err := m.request(ctx, "HeavyTraffic", opts)
	if err != nil {
		return nil, err
	}
	h, err := limit.HeavyTraffic(ctx, p, a.o.Fresh)
	return labelled(h, func(h *result.HeavyTraffic) *result.Unit { return &h.Limit.Unit }, p.Unit), prefixed(err)
}
