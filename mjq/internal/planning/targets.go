package planning

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Kind is what a target is about.
type Kind int

// Targets are about the mean wait, a quantile of the wait, the share of the arriving jobs that
// start within some time, the mean slowdown, and the shares of jobs turned away and given up.
const (
	MeanWait Kind = iota
	Quantile
	Within
	Slowdown
	Blocked
	Left
)

// Target is a bound on what jobs meet.
type Target struct {
	Kind  Kind
	Class string  // "": all jobs
	At    float64 // probability of a quantile, time of a share, threshold of slowdowns
	Bound float64 // the most; of a share the least
}

// String is the target in a few words.
func (t Target) String() string { return t.in("") }

// time reports whether the target bounds a time.
func (t Target) time() bool { return t.Kind == MeanWait || t.Kind == Quantile }

// in is the target in a few words, with times in a unit.
func (t Target) in(u result.Unit) string {
	text := func(x float64) string {
		if u == "" {
			return fmt.Sprint(x)
		}
		return u.Text(x)
	}
	of := ""
	if t.Class != "" {
		of = " of " + t.Class
	}
	switch t.Kind {
	case Quantile:
		return fmt.Sprintf("%g %% quantile%s ≤ %s", 100*t.At, of, text(t.Bound))
	case Within:
		return fmt.Sprintf("share%s within %s ≥ %g", of, text(t.At), t.Bound)
	case Slowdown:
		return fmt.Sprintf("slowdown%s ≤ %g", of, t.Bound)
	case Blocked:
		return fmt.Sprintf("share%s turned away ≤ %g", of, t.Bound)
	case Left:
		return fmt.Sprintf("share%s that gives up ≤ %g", of, t.Bound)
	}
	return fmt.Sprintf("mean wait%s ≤ %s", of, text(t.Bound))
}

// call is the target as it is given.
func (t Target) call() string {
	numbers := fmt.Sprint(t.Bound)
	if t.Kind == Quantile || t.Kind == Within || t.Kind == Slowdown {
		numbers = fmt.Sprintf("%v, %v", t.At, t.Bound)
	}
	name := [...]string{"MeanWait", "WaitQuantile", "ServiceLevel", "MeanSlowdown", "Blocked", "Left"}[t.Kind]
	if t.Class != "" {
		numbers += fmt.Sprintf(", %q", t.Class)
	}
	return fmt.Sprintf("%s(%s)", name, numbers)
}

// of is what the target is about.
func (t Target) of(s *spec.Spec, r *result.Result) result.Estimate {
	if t.Kind == Left && t.Class != "" {
		k := slices.IndexFunc(s.Classes, func(c spec.Class) bool { return c.Name == t.Class })
		if s.Classes[k].Patience == nil && !s.Discards(k) {
			return result.Exact(0, r.All.Left.Method)
		}
	}
	c := &r.All
	if t.Class != "" {
		c = r.Class(t.Class)
	}
	switch t.Kind {
	case Quantile:
		return c.Waiting.Quantile(t.At)
	case Within:
		return c.ServiceLevel(t.At)
	case Slowdown:
		return c.Slowdown.Mean
	case Blocked:
		return c.Blocked
	case Left:
		return c.Left
	}
	return c.Waiting.Mean
}

// verdict is what an estimate says of the target.
func (t Target) verdict(e result.Estimate) result.Verdict {
	low, high, bound := e.Lo(), e.Hi(), t.Bound
	value := e.Value
	if t.Kind == Within { // at least, instead of at most
		low, high, value, bound = -e.Hi(), -e.Lo(), -value, -bound
	}
	switch {
	case math.IsInf(value, 1) || low > bound:
		return result.Misses
	case high <= bound:
		return result.Meets
	case value <= bound:
		return result.LikelyMeets
	}
	return result.LikelyMisses // of an unknown value, too
}

// faults says what is wrong with the target for a queue.
func (t Target) faults(f *check.Faults, s *spec.Spec) {
	known := t.Class == "" || slices.ContainsFunc(s.Classes, func(c spec.Class) bool { return c.Name == t.Class })
	f.Asked(known, "%v: the model has no class %q; name one of its classes", t, t.Class)
	never := slices.ContainsFunc(s.Classes, func(c spec.Class) bool { return c.Name == t.Class && c.Prob == 0 && c.Users == 0 })
	f.That(!never, "%v: no job of class %q arrives; name another class, or give it arrivals", t, t.Class)
	positive := t.Bound > 0 && !math.IsInf(t.Bound, 1)
	switch t.Kind {
	case MeanWait:
		f.Asked(positive, "MeanWait(%v): give a positive finite time", t.Bound)
	case Quantile:
		f.Asked(positive, "WaitQuantile(%v, %v): give a positive finite time", t.At, t.Bound)
		f.Asked(t.At > 0 && t.At < 1, "WaitQuantile(%v, %v): the probability must lie strictly between 0 and 1", t.At, t.Bound)
	case Within:
		f.Asked(t.At >= 0 && !math.IsInf(t.At, 1), "ServiceLevel(%v, %v): give a finite time, not negative", t.At, t.Bound)
		f.Asked(t.Bound > 0 && t.Bound < 1, "ServiceLevel(%v, %v): the share must lie strictly between 0 and 1", t.At, t.Bound)
	case Blocked:
		f.Asked(t.Bound > 0 && t.Bound < 1, "Blocked(%v): the share must lie strictly between 0 and 1", t.Bound)
		f.That(s.Room != nil, "Blocked(%v): the queue turns no job away; add Loss() or Room(n)", t.Bound)
	case Left:
		f.Asked(t.Bound > 0 && t.Bound < 1, "Left(%v): the share must lie strictly between 0 and 1", t.Bound)
		f.That(s.Impatient() || s.Drops() && !s.Turns(), "Left(%v): no job gives up; add Patience(law)", t.Bound)
	case Slowdown:
		f.Asked(t.At > 0 && !math.IsInf(t.At, 1), "MeanSlowdown(%v, %v): give a positive finite time, below which services count as that long", t.At, t.Bound)
		f.Asked(positive && t.Bound > 1, "MeanSlowdown(%v, %v): no slowdown is below 1; give a bound above it", t.At, t.Bound)
	}
}
