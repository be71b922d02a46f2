package classic

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// twoLevels is a system of an urgent class over another.
func twoLevels(servers, urgent, other int, above, below law.Law, p policy.Priority) Priorities {
	return Priorities{servers, []int{urgent, other}, []PriorityClass{{0.3, 0, above}, {0.2, 1, below}}, p}
}

// oneLevel has both classes in one level.
func (s Priorities) oneLevel() Priorities {
	s.Classes[1].Level = 0
	return s
}

// TestClosed: which forms are closed.
func TestPriorities(t *testing.T) {
	unit, long, fixed := law.ExpMean(1), law.ExpMean(2), law.Deterministic{X: 1}
	var p policy.Priority
	for _, c := range []struct {
		s    Priorities
		want bool
	}{
		{twoLevels(4, 4, 3, unit, fixed, p), true},
		{twoLevels(4, 3, 3, unit, fixed, p.Preemptive(policy.Resume)), true},
		{twoLevels(4, 4, 3, unit, fixed, p.Preemptive(policy.Restart)), true},
		{twoLevels(4, 4, 3, unit, fixed, p.Preemptive(policy.Resampled)), true},
		{twoLevels(4, 4, 3, unit, fixed, p.Preemptive(policy.Drop)), false},
		{twoLevels(4, 4, 3, unit, fixed, p.Preemptive(policy.Resume).Exempt(1)), false},
		{twoLevels(4, 4, 3, unit, fixed, p.Preemptive(policy.Resume).Overhead(unit)), false},
		{twoLevels(4, 4, 3, unit, fixed, p.Within(policy.EASY().Kill())), false},
		{twoLevels(4, 4, 3, unit, fixed, p.Within(policy.MostServersFirst{})), true},
		{twoLevels(4, 4, 3, unit, fixed, p).oneLevel(), true},
		{twoLevels(4, 4, 3, unit, fixed, p.Within(policy.FirstFit{})).oneLevel(), true},
		{twoLevels(4, 3, 3, unit, fixed, p.Within(policy.MostServersFirst{})).oneLevel(), true},
		{twoLevels(4, 4, 3, unit, fixed, p.Within(policy.MostServersFirst{})).oneLevel(), false}, // the larger comes first
		{twoLevels(4, 4, 3, unit, fixed, p.Preemptive(policy.Resume).Within(policy.ServerFilling{})).oneLevel(), false},
		{twoLevels(4, 4, 1, unit, fixed, p), false}, // two jobs of one server fit together
		{twoLevels(4, 3, 1, unit, fixed, p), false},
		{twoLevels(4, 2, 2, unit, unit, p), true},
		{twoLevels(4, 2, 2, unit, unit, p.Preemptive(policy.Resume)), true},
		{twoLevels(4, 2, 2, unit, long, p), false},
		{twoLevels(4, 2, 2, unit, unit, p.Preemptive(policy.Restart)), false},
	} {
		if _, source, ok := c.s.Closed(); ok != c.want {
			t.Errorf("%v, needs %v: %q, %v", c.s.Policy, c.s.Needs, source, ok)
		}
	}
}

// TestEndless: a service that begins again is endless if each job above preempts it and its
// tail is as heavy as their gaps, or if it has no exponential moment and they can ever.
func TestEndlessPriorities(t *testing.T) {
	var p policy.Priority
	restart := p.Preemptive(policy.Restart)
	short, light, heavy := law.ExpMean(1), law.ExpMean(3), law.LogNormalMeanSCV(1, 1)
	for _, c := range []struct {
		s    Priorities
		want bool
	}{
		{twoLevels(4, 4, 1, short, light, restart), false}, // 0.3 < 1/3
		{twoLevels(4, 4, 1, short, law.ExpMean(4), restart), true},
		{twoLevels(4, 4, 1, short, law.ExpMean(4), restart).oneLevel(), false},
		{twoLevels(4, 4, 1, short, law.ExpMean(4), restart.Within(policy.MostServersFirst{})).oneLevel(), true},
		{twoLevels(4, 4, 1, short, law.ExpMean(4), p.Preemptive(policy.Resume)), false},
		{twoLevels(4, 4, 1, short, law.ExpMean(4), p.Preemptive(policy.Resampled)), false},
		{twoLevels(4, 1, 1, short, law.ExpMean(4), restart), false}, // it may stay
		{twoLevels(4, 1, 1, short, heavy, restart), true},           // not for ever
		{twoLevels(4, 3, 1, short, heavy, restart), false},          // a job of one server always has a place
		{twoLevels(4, 3, 2, short, heavy, restart), true},
	} {
		if got := c.s.Endless(1); got != c.want || c.s.Endless(0) {
			t.Errorf("%v, needs %v, %v: %v", c.s.Policy, c.s.Needs, c.s.Classes[1].Service, got)
		}
	}
}
