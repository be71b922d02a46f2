package interval

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
)

// mostTargeted is how many jobs a run with a target may take at least; at ten million a
// second they take a day.
const mostTargeted = 1e12

// Untargeted is the error of a target whose interval is withheld.
func (e *Exposed) Untargeted(ctx context.Context, o *problem.Options, rate float64, by Averaging) error {
	if by == OverSamples {
		// independent samples meet what they meet at any time
	} else if most := e.Exposure.Over(mostTargeted); most.Effective(scarcity.MeanWait) < scarcity.Least {
		return fmt.Errorf("%s: the mean wait has no interval within %.0[3]e jobs, because much of the waiting comes from rare %[2]s; leave the target out and set Jobs, or use Exact where it fits",
			o.Target(), rare(e.Problem, most.Largest(scarcity.MeanWait)), mostTargeted)
	}
	if o.RelErr.Is && by != OverSamples && e.seldom() > mostTargeted*sureFactor {
		return fmt.Errorf("%s: the mean wait is too near 0 for any run, because fewer than one of %.0[2]e jobs waits; leave RelErr out for a bound of P(W > 0), or use HalfWidth or Exact",
			o.Target(), mostTargeted)
	}
	tail := TailsOf(ctx, e.Problem, rate, by)
	if tail.given(1) && tail.Sure > 1 {
		return nil
	}
	return fmt.Errorf("%s: the mean wait has no interval, so it cannot reach a target. %s An interval needs E[σ^%.3g] < ∞. Leave the target out and give the number of samples or jobs. %s",
		o.Target(), tailReason(e.Problem, &tail), tail.needs(1), tailRemedy)
}
