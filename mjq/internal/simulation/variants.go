package simulation

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Variants simulates the problem and variants of it with the same jobs, and returns the
// result of the first and what all jobs meet more under each variant, from pairs of
// replications. Jobs and WarmUp must be given. When ctx ends it returns what it has, along
// with the error of the context.
func Variants(ctx context.Context, p *problem.Problem, variants []*problem.Problem, m Method, o problem.Options) (base *result.Result, changes []result.Change, err error) {
	defer problem.Caught("Sensitivities", &err)
	o.SetSeed(o.SeedOr(problem.SeedSimulate))
	base, first, err := observed(ctx, p, m, o.Part(0, len(variants)+1))
	if err != nil {
		return base, nil, err
	}
	for i, v := range variants {
		r, seen, err := observed(ctx, v, m, o.Part(i+1, len(variants)+1))
		if err != nil {
			return base, changes, err
		}
		changes = append(changes, allChanged(base, first, r, seen, o.Level))
	}
	return base, changes, nil
}

// allChanged is the difference of all jobs; infinite where only the variant is unstable,
// unknown where the first is.
func allChanged(base *result.Result, first []estimate.Observed, r *result.Result, seen []estimate.Observed, level float64) result.Change {
	switch {
	case first == nil:
		return result.Change{Waiting: result.Unknown(), Response: result.Unknown(), Slowdown: result.Unknown()}
	case seen == nil:
		e := result.Infinite("unstable")
		return result.Change{Waiting: e, Response: e, Slowdown: e}
	}
	last := len(seen) - 1
	change := seen[last].Less(&first[last], "all", level, "paired replications")
	estimate.Withhold(&change, &r.All, &base.All)
	return change
}
