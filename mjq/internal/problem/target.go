package problem

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Targeted reports whether an interval of a given width was asked for.
func (o *Options) Targeted() bool { return o.RelErr.Is || o.HalfWidth.Is }

func (o *Options) targetFaults(f *check.Faults) {
	x, h := o.RelErr.Value, o.HalfWidth.Value
	f.That(!o.RelErr.Is || x > 0 || x == 0 && h > 0, "RelErr(%v): must be positive", x)
	f.That(!o.HalfWidth.Is || h > 0 || h == 0 && x > 0, "HalfWidth(%v): must be positive", h)
	f.That(!(x >= 1), "RelErr(%v): give a fraction of the estimate below 1, such as 0.05 for 5 %%", x)
}

// Target is the target as the user wrote it.
func (o *Options) Target() string {
	var given []string
	for _, b := range o.Bounds() {
		if b.Name != "MaxJobs" {
			given = append(given, b.String())
		}
	}
	return strings.Join(given, ", ")
}

// Met reports whether an interval is as narrow as asked.
func (o *Options) Met(e result.Estimate) bool {
	return o.target().Met(e)
}

func (o *Options) target() replicate.Target {
	return replicate.Target{RelErr: o.RelErr.Or(0), HalfWidth: o.HalfWidth.Or(0)}
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
