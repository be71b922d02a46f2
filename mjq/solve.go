package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/choice"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/result"
)

// Solve answers how long jobs wait, what blocking wastes and how many jobs there are.
//
//	r, err := cluster.Solve(ctx)                                    // mjq chooses the method
//	r, err := cluster.Solve(ctx, mjq.Exact{MomentsOnly: true})
//	r, err := cluster.Solve(ctx, mjq.Forward{Jobs: 5e6}, mjq.RelErr(0.01), mjq.Seed(7))
//
// Without a method it takes Exact where that fits and takes no more than some ten seconds,
// counted beforehand in operations, so that the choice does not depend on the machine. Else
// it takes forward runs with control variates, or Simulation under other policies than first
// come first served, until the mean wait of every class is known within 2 %, or that of all
// jobs within RelErr or HalfWidth, or until MaxJobs (2·10⁸ by default) are spent.
// Run.Method of the result is what would be asked to get the same, the first note says why,
// and the second what was not reached and for which class.
//
// A queue beyond its stability limit is an answer, not an error: Stable is false and waits
// are infinite. When ctx ends Solve returns what it has, with the intervals that this
// allows, along with the error of the context. It fails, naming all faults, on a faulty
// model, on a model without arrivals, and on a method that is not for the model.
//
// Options: any method but Pile and PolicyIteration, RelErr, HalfWidth, MaxJobs.
func (m Model) Solve(ctx context.Context, opts ...Option) (*result.Result, error) {
	a, p, err := m.request(ctx, "Solve", opts, []string{"RelErr", "HalfWidth", "MaxJobs"}, nil)
	if err != nil {
		return nil, err
	}
	r, err := a.solve(ctx, p)
	return r, prefixed(err)
}

// Methods lists the methods with what each answers, why not for this model, and about how
// many seconds of one core each takes until the half-width of the 95 % interval of the mean
// waiting time of all jobs is 1 % of it, or what RelErr says, asked with the settings in the
// last column, which suit that target.
//
// The seconds follow from theory (the variance of the mean of a long run near the stability
// limit), the variance of the wait and the cost of a job in a run of about a million jobs,
// and where the limit would take long from a rough one. On the benchmark models they are
// mostly within a factor of two of what was needed (site/docs/methods/index.md). They are a dash where the
// method does not fit or no time can be foreseen: beyond the limit, under policies other
// than first come first served, without variances, and for RareEvent, whose target is
// another one. Exact has no interval: its seconds are those of the solution with
// distributions.
//
// Cost: a fifth of a second, and the memory of a forward run.
func (m Model) Methods(ctx context.Context, opts ...Option) (*result.Table, error) {
	a, p, err := m.request(ctx, "Methods", opts, []string{"RelErr"}, []string{})
	if err != nil {
		return nil, err
	}
	t, err := choice.Table(ctx, p, a.o)
	return t, prefixed(err)
}

// HeavyTraffic solves the Poisson equation of the saturated chain. E[Δ(Y_d)] is how many
// completions a saturated system that starts just after a completion is ahead in the long
// run of one that starts at a random time; the open queue with Poisson arrivals then has
//
//	(1 - ρ) E[N] → E[Δ(Y_d)] + 1   as ρ = λ/λ_c → 1,
//
// N being the number of jobs in the system. Services must be phase-type and positive. States
// are listed when all are exponential and there are at most 2000. The cost is about twice
// that of Stability(ctx, Exact{}).
//
// Source: Grosof, Hong, Harchol-Balter and Scheller-Wolf, The RESET and MARC Techniques, with
// Application to Multiserver-Job Analysis (2023).
func (m Model) HeavyTraffic(ctx context.Context, opts ...Option) (*result.HeavyTraffic, error) {
	a, p, err := m.request(ctx, "HeavyTraffic", opts, nil, []string{})
	if err != nil {
		return nil, err
	}
	h, err := limit.HeavyTraffic(ctx, p, a.o.Fresh)
	return h, prefixed(err)
}
