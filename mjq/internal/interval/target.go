package interval

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/exposure"
	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// mostTargeted is how many jobs a run with a target may take at least; at ten million a
// second they take a day.
const mostTargeted = 1e12

// Untargeted is the error of a target whose interval is withheld.
func Untargeted(ctx context.Context, o *problem.Options, p *problem.Problem, rate, load float64, by Averaging) error {
	if !o.Targeted() {
		return nil
	}
	if by == OverSamples {
		// independent samples meet what they meet at any time
	} else if e := exposure.Of(p.Spec, load); e.Over(mostTargeted).Effective(exposure.MeanWait) < exposure.Least {
		return fmt.Errorf("RelErr(%v), HalfWidth(%v): much of the waiting comes from %s, which are so rare that the mean wait has no interval in %.0e jobs; leave the target out and give the number of jobs, or use Exact where it fits",
			o.Real(problem.RelErr, 0), o.Real(problem.HalfWidth, 0), rare(p, e.Over(mostTargeted).Largest(exposure.MeanWait)), mostTargeted)
	}
	tail := TailsOf(ctx, p, rate, by)
	if tail.given(1) && tail.Sure > 1 {
		return nil
	}
	return fmt.Errorf("RelErr(%v), HalfWidth(%v): the mean wait has no interval that could become so narrow: %s It takes E[σ^%.3g] < ∞. Leave the target out and give the number of samples or jobs. %s",
		o.Real(problem.RelErr, 0), o.Real(problem.HalfWidth, 0), tailReason(p, &tail), tail.needs(1), tailRemedy)
}
