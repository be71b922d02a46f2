package problem

import (
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Targeted reports whether an interval of a given width was asked for.
func (o *Options) Targeted() bool { return o.Has(RelErr | HalfWidth) }

func (o *Options) targetFaults(f *check.Faults) {
	rel, half := o.Real(RelErr, 0), o.Real(HalfWidth, 0)
	f.That(rel >= 0, "RelErr(%v): must be positive", rel)
	f.That(half >= 0, "HalfWidth(%v): must be positive", half)
	f.That(!o.Targeted() || rel > 0 || half > 0 || rel != rel || half != half, "RelErr(%v), HalfWidth(%v): one of them must be positive", rel, half)
}

// Met reports whether an interval is as narrow as asked.
func (o *Options) Met(e result.Estimate) bool {
	return o.target().Met(e)
}

func (o *Options) target() replicate.Target {
	return replicate.Target{RelErr: o.Real(RelErr, 0), HalfWidth: o.Real(HalfWidth, 0)}
}

// Enough is the check that a sampler makes after every part: nil when no target was
// asked for. At least first observations are made before the first look, and each
// look comes after a third more, so that the choice of the moment hardly favours
// narrow intervals.
func (o *Options) Enough(first int) func(done int, mean func() result.Estimate) bool {
	if !o.Targeted() {
		return nil
	}
	return o.target().Rule(first)
}

// NoteTarget says in the result whether the target was reached.
func (o *Options) NoteTarget(r *result.Result, aim func(*result.Result) (result.Estimate, string)) {
	e, name := r.All.Waiting.Mean, "the mean wait"
	if aim != nil {
		e, name = aim(r)
	}
	r.Run.Met = o.Targeted() && o.Met(e)
	if o.Targeted() && !r.Run.Met {
		r.Notes = append(r.Notes, fmt.Sprintf("The target was not reached: %s is %v after %d samples. Raise MaxJobs or Samples, or ask for a wider interval.",
			name, e, r.Run.Samples))
	}
}
