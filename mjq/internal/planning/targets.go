package planning

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Kind is what a target is about.
type Kind int

// Targets are about the mean wait, a quantile of the wait, the share of the arriving jobs that
// start within some time, the mean slowdown, the shares of jobs turned away and given up, and the
// effective share of the time of jobs where servers fail.
const (
	MeanWait Kind = iota
	Quantile
	Within
	Slowdown
	Blocked
	Left
	ETTR
)

// Target is a bound on what jobs meet.
type Target struct {
	Kind  Kind
	Class string  // "": all jobs
	At    float64 // probability of a quantile, time of a share, threshold of slowdowns
	Bound float64 // the most; of a share in time and of ETTR the least
}

// String is the target in a few words.
func (t Target) String() string { return t.in("") }

// time reports whether the target bounds a time.
func (t Target) time() bool { return rows[t.Kind].time }

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
	return rows[t.Kind].words(t, of, text)
}

// call is the target as it is given.
func (t Target) call() string {
	if t.Class == "" {
		return t.bare()
	}
	return strings.TrimSuffix(t.bare(), ")") + fmt.Sprintf(", %q)", t.Class)
}

// bare is the same without the class.
func (t Target) bare() string {
	if rows[t.Kind].two {
		return fmt.Sprintf("%s(%v, %v)", rows[t.Kind].name, t.At, t.Bound)
	}
	return fmt.Sprintf("%s(%v)", rows[t.Kind].name, t.Bound)
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
	return rows[t.Kind].value(t, c)
}

// verdict is what an estimate says of the target.
func (t Target) verdict(e result.Estimate) result.Verdict {
	low, high, bound := e.Lo(), e.Hi(), t.Bound
	value := e.Value
	if rows[t.Kind].least { // at least, instead of at most
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
	f.Asked(known, "%v: the model has no class %q%s", t, t.Class, s.Known(t.Class))
	never := slices.ContainsFunc(s.Classes, func(c spec.Class) bool { return c.Name == t.Class && c.Prob == 0 && c.Users == 0 })
	f.That(!never, "%v: no job of class %q arrives; name another class, or give it arrivals", t, t.Class)
	row := &rows[t.Kind]
	row.faults(f, t, t.bare())
	f.That(row.needs == 0 || s.Features().Has(row.needs), "%s: %s", t.bare(), row.lacks)
}
