package trace

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// WeightSearch configures BestWeights.
type WeightSearch struct {
	Today policy.Multifactor // the priorities as they are; the policy of the replay does not count
	Goals []WeightGoal
	// Bounds are the least and the most value of each number of the priorities that may change, by its name
	// in policy.Multifactor: Age, FairShare, HalfLife. By default every weight above 0 goes from 0 to 10 times its value.
	Bounds map[string][2]float64
	Tries  int // weights that are tried; 0 is 48
}

// WeightGoal is what weights shall come to, for the jobs of a class or of an account, or for all jobs.
type WeightGoal struct {
	Class, Account string
	Wait           float64 // the mean wait is at most this; 0 sets no such goal
	// Share is the least part of the servers in use that an account holds while a job of it waits. A
	// share of all server-time would be no goal, because whatever the weights, all jobs are served in the end.
	Share float64
}

// String is the goal in words.
func (g WeightGoal) String() string {
	if g.Share > 0 {
		return fmt.Sprintf("share of %s while it waits ≥ %g", g.Account, g.Share)
	}
	return fmt.Sprintf("mean wait of %s ≤ %s", cmp.Or(g.Class, g.Account, "all jobs"), result.Seconds.Text(g.Wait))
}

// excess is by which part a value misses the goal; below 0 it meets it.
func (g WeightGoal) excess(value float64) float64 {
	x := value/g.Wait - 1
	if g.Share > 0 {
		x = g.Share/value - 1
	}
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}

// BestWeights looks for weights of priorities within bounds that meet goals on waits and shares: it
// chooses on the first half of the log and judges on the other half, with intervals over its days.
// The search tries today's weights, then points that fill the
// bounds evenly on a logarithmic scale, then points near the best of these. The best is the one whose worst goal has
// most to spare.
//
// The answer promises what the other half shows, and no more. Weights that were not tried may be better.
// Goals that no weights met in the search may be possible, unless their class or account misses them
// even before all others, which the answer says. Usage begins at 0 in each half, and users send the same jobs
// whatever they wait. Intervals take 28 days in each half; see WhatIf. Times must be in seconds.
//
// When ctx ends it returns the error of the context. Options: those of every question.
func (t *Trace) BestWeights(ctx context.Context, how Replay, ask WeightSearch, opts ...mjq.Option) (_ *BestWeights, err error) {
	defer panics.Catch(&err)
	o, faults := problem.Read(ctx, "BestWeights", opts)
	var f check.Faults
	f.Join(append(faults, t.daysFault())...)
	t = t.windowed(how.Since, how.Until)
	ask.check(&f, t, how)
	space := ask.space(&f)
	if err := f.Err("BestWeights on trace " + t.Name); err != nil {
		return nil, err
	}
	days, first := t.days()
	f.That(len(days) >= 2, "the log has %d days; give at least 2, one half to choose and one to judge", len(days))
	if err := f.Err("BestWeights on trace " + t.Name); err != nil {
		return nil, err
	}
	cut := (first + float64(len(days)/2)) * Day
	var halves [2]*whatIf
	for i, half := range []*Trace{t.Within(math.Inf(-1), cut), t.Within(cut, math.Inf(1))} {
		if err := half.daysFault(); err != nil {
			return nil, fmt.Errorf("half of the log: %w", err)
		}
		halves[i] = half.asking(ctx, append(slices.Clip(opts), mjq.Progress(nil)), o.Workers)
	}
	s := &weighing{whatIf: halves[0], how: how, ask: ask, space: space}
	best, err := s.choose(ask.Today)
	if err != nil {
		return nil, err
	}
	return s.judge(halves[1], ask.Today, best)
}

// check looks at the goals.
func (s *WeightSearch) check(f *check.Faults, t *Trace, how Replay) {
	f.That(len(s.Goals) > 0, "Goals: give at least one, as a mean wait of a class")
	f.That(s.Tries >= 0 && s.Tries <= 100_000, "Tries %d: give 1 to 100,000, or 0 for 48", s.Tries)
	classes, accounts := map[string]bool{}, map[string]bool{}
	for i := range t.Jobs {
		classes[how.Classes.name(how.Classes.of(&t.Jobs[i]))] = true
		accounts[t.Jobs[i].Account] = true
	}
	for i, g := range s.Goals {
		f.That(g.Class == "" || g.Account == "", "Goals: goal %d is of class %q and of account %q; give one of them", i+1, g.Class, g.Account)
		f.That((g.Wait > 0) != (g.Share > 0) && !math.IsInf(g.Wait, 1), "Goals: goal %d has Wait %v and Share %v; give one of them, above 0 and finite", i+1, g.Wait, g.Share)
		f.That(g.Share == 0 || g.Account != "" && g.Share < 1, "Goals: goal %d has Share %v; give a part below 1, and the Account whose it is", i+1, g.Share)
		f.That(g.Class == "" || classes[g.Class], "Goals: class %q is not in the log%s", g.Class, check.OneOf(g.Class, slices.Sorted(maps.Keys(classes))))
		f.That(g.Account == "" || accounts[g.Account], "Goals: account %q is not in the log%s", g.Account, check.OneOf(g.Account, slices.Sorted(maps.Keys(accounts))))
	}
}

// side is the bounds of a number of the priorities.
type side struct {
	name      string
	low, high float64
}

// space is the bounds of all that may change.
func (s *WeightSearch) space(f *check.Faults) (list []side) {
	today, bounds := s.Today, s.Bounds
	if bounds == nil {
		bounds = map[string][2]float64{}
		for name, x := range map[string]float64{"Age": today.Age, "FairShare": today.FairShare, "Size": today.Size, "Class": today.Class, "Partition": today.Partition} {
			if x > 0 {
				bounds[name] = [2]float64{0, 10 * x}
			}
		}
		f.That(len(bounds) > 0, "Bounds: all weights are 0 today; give the bounds of those that may change")
	}
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		b := bounds[name]
		_, err := today.With(name, b[0])
		f.Join(err)
		f.That(b[0] >= 0 && b[0] <= b[1] && !math.IsInf(b[1], 1), "Bounds of %s: %v to %v; give two finite numbers in order, not negative", name, b[0], b[1])
		list = append(list, side{name, b[0], b[1]})
	}
	return list
}

// at is the value at a place from 0 to 1, on a logarithmic scale; from 0 on, its first tenth is 0.
func (x side) at(place float64) float64 {
	low := x.low
	if low == 0 {
		if place < 0.1 {
			return 0
		}
		low, place = x.high/1000, (place-0.1)/0.9
	}
	if x.high == 0 {
		return 0
	}
	value := low * math.Pow(x.high/low, place)
	if whole := math.Round(value); value >= 10 && whole >= x.low && whole <= x.high {
		return whole
	}
	return value
}
