package spec

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// TestFirstCome: with one need, policies that keep the order are first come first served, unless
// jobs of different classes must leave different numbers of servers free.
func TestFirstCome(t *testing.T) {
	queue := func(p policy.Policy, needs ...int) *Spec {
		s := &Spec{Servers: 9, Policy: p}
		for i, need := range needs {
			s.Classes = append(s.Classes, Class{Name: string(rune('a' + i)), Need: need, Prob: 1 / float64(len(needs)), Service: law.ExpMean(1)})
		}
		return s
	}
	levels := func(names ...[]string) policy.Priority { return policy.Priority{Levels: names} }
	keeping := queue(policy.FirstFit{}, 2, 2)
	keeping.Classes[0].Keep = 1
	for _, c := range []struct {
		s    *Spec
		want bool
	}{
		{queue(nil, 1, 2), true},
		{queue(policy.FCFS{}, 1, 2), true},
		{queue(policy.FirstFit{}, 2, 2), true},
		{queue(policy.FirstFit{}, 1, 2), false},
		{queue(policy.EASY(), 4), true},
		{queue(policy.EASY().Kill(), 4), false},
		{queue(policy.ServerFilling{}, 2, 2), true},
		{queue(policy.ServerFillingSRPT{}, 2, 2), false},
		{queue(policy.Quickswap{Threshold: 2}, 9), true},
		{queue(policy.New("mine", func(*policy.View) {}), 1), false},
		{queue(levels([]string{"a"}), 2, 2), false},
		{queue(levels([]string{"a", "b"}), 2, 2), true},
		{queue(levels([]string{"a", "b"}).Within(policy.EASY()), 2, 2), true},
		{queue(levels([]string{"a", "b"}).Within(policy.EASY().Kill()), 2, 2), false},
		{keeping, false},
	} {
		if got := c.s.FirstCome(); got != c.want {
			t.Errorf("%v, needs of %v and %v: %v, not %v", c.s.Policy, c.s.Classes[0].Need, c.s.Classes[len(c.s.Classes)-1].Need, got, c.want)
		}
	}
}
