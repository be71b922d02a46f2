package playground

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// TestAskTurned: one server without a waiting room turns half of the jobs away that would keep
// it busy (Erlang B); with patience, under another policy, shares are sampled and waits are there.
func TestAskTurned(t *testing.T) {
	none := 0
	one := []Class{{Name: "one", Need: 1, Share: 1, Law: "constant", Mean: 2}}
	list := asked(t, Setting{Servers: 1, Load: 1, Room: &none, Classes: one})
	a := list[len(list)-1]
	if !a.Done || !a.Stable || a.Error != "" || a.All.Blocked == nil || math.Abs(float64(a.All.Blocked.Value)-0.5) > 1e-12 || a.All.Left != nil || math.Abs(float64(a.Servers.Busy)-0.5) > 1e-12 {
		t.Errorf("%+v", a)
	}
	if !strings.HasPrefix(a.Verdict, "Stable at any rate, because jobs are turned away. 0.5 jobs") {
		t.Errorf("verdict %q", a.Verdict)
	}
	two := append(one, Class{Name: "three", Need: 3, Share: 0.5, Law: "exponential", Mean: 1})
	for _, policy := range []string{"FCFS", "Most servers first", "EASY"} {
		list := asked(t, Setting{Servers: 4, Load: 1.2, Patience: 2, Policy: policy, Classes: two})
		a := list[len(list)-1]
		if !a.Done || a.Error != "" || a.All.Left == nil || !(a.All.Left.Value > 0.05) || !(a.Classes[1].Mean > 0) {
			t.Errorf("%s: %+v", policy, a)
		}
	}
	list = asked(t, Setting{Servers: 4, Load: 1.2, Patience: 2, Policy: "Server filling", Classes: two})
	if last := list[len(list)-1]; !strings.Contains(last.Error, "jobs cannot leave its queue") {
		t.Errorf("a policy from whose queue no job can be taken: %+v", last)
	}
}

// TestTurnedGiven: a model with room and patience comes to the page, and its program asks for
// the same; what the page does not have is refused.
func TestTurnedGiven(t *testing.T) {
	m := mjq.Servers(4).Poisson(2).Class("one", 1, 1, mjq.ExpMean(1))
	s, err := Of(m.Room(3).Patience(mjq.ExpMean(5)))
	if err != nil || s.Room == nil || *s.Room != 3 || s.Patience != 5 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, want := range []string{"Room(3)", "Patience(mjq.ExpMean(5))"} {
		if text := s.Program(); !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	s.Rate, s.Load = 0, 1.5
	if text := s.Program(); !strings.Contains(text, "AtOffered(1.5)") {
		t.Errorf("no offered work in\n%s", text)
	}
	for want, m := range map[string]mjq.Model{"exponential patience alone": m.Patience(mjq.Deterministic(1)), "has no AlsoPreempted": m.Patience(mjq.ExpMean(1)).Policy(mjq.Priority([]string{"one"}).Preemptive(mjq.Resume)).AlsoPreempted(), "has no Keep": m.Loss().Keep("one", 1)} {
		if _, err := Of(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
