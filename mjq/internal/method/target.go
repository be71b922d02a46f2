package method

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/exposure"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// targeted reports whether an interval of a given width was asked for.
func (o *Options) targeted() bool { return o.has(RelErr | HalfWidth) }

func (o *Options) targetFaults(f *check.Faults) {
	rel, half := o.float(RelErr, 0), o.float(HalfWidth, 0)
	f.That(rel >= 0, "RelErr(%v): must be positive", rel)
	f.That(half >= 0, "HalfWidth(%v): must be positive", half)
	f.That(!o.targeted() || rel > 0 || half > 0 || rel != rel || half != half, "RelErr(%v), HalfWidth(%v): one of them must be positive", rel, half)
}

// met reports whether an interval is as narrow as asked.
func (o *Options) met(e result.Estimate) bool {
	return o.target().Met(e)
}

func (o *Options) target() replicate.Target {
	return replicate.Target{RelErr: o.float(RelErr, 0), HalfWidth: o.float(HalfWidth, 0)}
}

// enough is the check that a sampler makes after every part: nil when no target was
// asked for. At least first observations are made before the first look, and each
// look comes after a third more, so that the choice of the moment hardly favours
// narrow intervals.
func (o *Options) enough(first int) func(done int, mean func() result.Estimate) bool {
	if !o.targeted() {
		return nil
	}
	return o.target().Rule(first)
}

// noteTarget says in the result whether the target was reached.
func (o *Options) noteTarget(r *result.Result, aim func(*result.Result) (result.Estimate, string)) {
	e, name := r.All.Waiting.Mean, "the mean wait"
	if aim != nil {
		e, name = aim(r)
	}
	r.Run.Met = o.targeted() && o.met(e)
	if o.targeted() && !r.Run.Met {
		r.Notes = append(r.Notes, fmt.Sprintf("The interval asked for was not reached: %s is %v after %d samples; allow more.",
			name, e, r.Run.Samples))
	}
}

// mostTargeted is how many jobs a run with a target may take at least; at ten million a
// second they take a day.
const mostTargeted = 1e12

// untargeted is the error of a target whose interval is withheld.
func (o *Options) untargeted(ctx context.Context, p *Problem, rate, load float64, by averaging) error {
	if !o.targeted() {
		return nil
	}
	if by == overSamples {
		// independent samples meet what they meet at any time
	} else if e := exposure.Of(p.Spec, load); e.Over(mostTargeted).Effective(exposure.MeanWait) < exposure.Least {
		return fmt.Errorf("RelErr(%v), HalfWidth(%v): much of the waiting comes from %s, which are so rare that the mean wait has no interval in %.0e jobs; leave the target out and give the number of jobs, or use Exact where it fits",
			o.float(RelErr, 0), o.float(HalfWidth, 0), p.rare(e.Over(mostTargeted).Largest(exposure.MeanWait)), mostTargeted)
	}
	tail := p.heaviness(ctx, rate, by)
	if tail.given(1) && tail.Sure > 1 {
		return nil
	}
	return fmt.Errorf("RelErr(%v), HalfWidth(%v): the mean wait has no interval that could become so narrow: %s It takes E[σ^%.3g] < ∞. Leave the target out and give the number of samples or jobs. %s",
		o.float(RelErr, 0), o.float(HalfWidth, 0), p.tailReason(&tail), tail.needs(1), tailRemedy)
}
