package planning

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// goal is a row of the table of goals: what targets of one kind are about.
type goal struct {
	name   string                                                      // of the function that gives it
	two    bool                                                        // it has a number before the bound
	time   bool                                                        // the bound is a time
	least  bool                                                        // the bound is the least, instead of the most
	served bool                                                        // it is about the jobs that start, whatever becomes of the others
	words  func(t Target, of string, time func(float64) string) string // with its times as text
	value  func(t Target, c *result.ClassResult) result.Estimate
	faults func(f *check.Faults, t Target, call string) // of the numbers
	needs  spec.Features                                // of which a queue must have some; 0: any queue will do
	lacks  string                                       // what to say of a queue that has none
}

// rows are the goals by their kind.
var rows = [...]goal{
	MeanWait: {name: "MeanWait", time: true, served: true,
		words: func(t Target, of string, time func(float64) string) string {
			return fmt.Sprintf("mean wait%s ≤ %s", of, time(t.Bound))
		},
		value: func(_ Target, c *result.ClassResult) result.Estimate { return c.Waiting.Mean },
		faults: func(f *check.Faults, t Target, call string) {
			f.Asked(t.positive(), "%s: give a positive finite time", call)
		}},
	Quantile: {name: "WaitQuantile", two: true, time: true, served: true,
		words: func(t Target, of string, time func(float64) string) string {
			return fmt.Sprintf("%g %% quantile%s ≤ %s", 100*t.At, of, time(t.Bound))
		},
		value: func(t Target, c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(t.At) },
		faults: func(f *check.Faults, t Target, call string) {
			f.Asked(t.positive(), "%s: give a positive finite time", call)
			f.Asked(t.At > 0 && t.At < 1, "%s: the probability must lie strictly between 0 and 1", call)
		}},
	Within: {name: "ServiceLevel", two: true, least: true,
		words: func(t Target, of string, time func(float64) string) string {
			return fmt.Sprintf("share%s within %s ≥ %g", of, time(t.At), t.Bound)
		},
		value: func(t Target, c *result.ClassResult) result.Estimate { return c.ServiceLevel(t.At) },
		faults: func(f *check.Faults, t Target, call string) {
			f.Asked(t.At >= 0 && !math.IsInf(t.At, 1), "%s: give a finite time, not negative", call)
			share(f, t, call)
		}},
	Slowdown: {name: "MeanSlowdown", two: true, served: true,
		words: func(t Target, of string, _ func(float64) string) string {
			return fmt.Sprintf("slowdown%s ≤ %g", of, t.Bound)
		},
		value: func(_ Target, c *result.ClassResult) result.Estimate { return c.Slowdown.Mean },
		faults: func(f *check.Faults, t Target, call string) {
			f.Asked(t.At > 0 && !math.IsInf(t.At, 1), "%s: give a positive finite time, below which services count as that long", call)
			f.Asked(t.positive() && t.Bound > 1, "%s: no slowdown is below 1; give a bound above it", call)
		}},
	Blocked: {name: "Blocked", faults: share,
		words: func(t Target, of string, _ func(float64) string) string {
			return fmt.Sprintf("share%s turned away ≤ %g", of, t.Bound)
		},
		value: func(_ Target, c *result.ClassResult) result.Estimate { return c.Blocked },
		needs: spec.Bounded, lacks: "the queue turns no job away; add Loss() or Room(n)"},
	Left: {name: "Left", faults: share,
		words: func(t Target, of string, _ func(float64) string) string {
			return fmt.Sprintf("share%s that gives up ≤ %g", of, t.Bound)
		},
		value: func(_ Target, c *result.ClassResult) result.Estimate { return c.Left },
		needs: spec.Impatient | spec.Dropping, lacks: "no job gives up; add Patience(law)"},
	ETTR: {name: "ETTR", least: true, faults: share,
		words: func(t Target, of string, _ func(float64) string) string {
			return fmt.Sprintf("ETTR%s ≥ %g", of, t.Bound)
		},
		value: func(_ Target, c *result.ClassResult) result.Estimate { return c.ETTR },
		needs: spec.Failing | spec.Interrupted, lacks: "no server fails, so that no time is lost; add Failures"},
}

func (t Target) positive() bool { return t.Bound > 0 && !math.IsInf(t.Bound, 1) }

// share says what is wrong with a bound on a share.
func share(f *check.Faults, t Target, call string) {
	f.Asked(t.Bound > 0 && t.Bound < 1, "%s: the share must lie strictly between 0 and 1", call)
}
