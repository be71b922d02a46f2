package mjq_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// onSixteen is sixteen nodes of eight units and jobs of one, four, eight and sixteen.
func onSixteen() mjq.Model {
	return mjq.Nodes(16, 8).Poisson(12).
		Class("one", 1, 0.55, mjq.ExpMean(1)).Class("four", 4, 0.27, mjq.ExpMean(2)).
		Class("node", 8, 0.12, mjq.ExpMean(3)).Class("pair", 16, 0.06, mjq.ExpMean(4))
}

// TestNodesSpan: where jobs lie follows from their needs, unless it is said.
func TestNodesSpan(t *testing.T) {
	s := onSixteen().OnNodes("four", 2, 2).Scattered("node").Spec()
	for i, want := range []int{1, 2, 0, 2} {
		if got := s.Span(i); got != want {
			t.Errorf("class %s lies on %d nodes, want %d", s.Classes[i].Name, got, want)
		}
	}
	if s.Servers != 128 || s.Each(1)[0] != 2 || s.Each(3)[0] != 8 {
		t.Errorf("%d servers, %v and %v on each node", s.Servers, s.Each(1), s.Each(3))
	}
	kinds := mjq.Nodes(16, 8).Nodes(4, 4).Class("a", 12, 1, mjq.ExpMean(1)).OnNodes("a", 3, 4)
	if err := kinds.Err(); err != nil || kinds.Spec().Servers != 144 {
		t.Errorf("kinds of nodes: %v, %d servers", err, kinds.Spec().Servers)
	}
}

// TestNodesWritten: a model on nodes is read as it was written, and its text tells them.
func TestNodesWritten(t *testing.T) {
	typed := mjq.NodesOf(64, mjq.Needs{"cpu": 128, "gpu": 8}).NodesOf(8, mjq.Needs{"cpu": 64}).Poisson(1).
		Needing("train", mjq.Needs{"cpu": 32, "gpu": 16}, 0.5, mjq.ExpMean(1)).OnNodes("train", 2, 24).
		Needing("prepare", mjq.Needs{"cpu": 4}, 0.5, mjq.ExpMean(1))
	for _, m := range []mjq.Model{onSixteen(), onSixteen().Placement(mjq.LowestFit()).Scattered("pair"), onSixteen().Nodes(2, 4).OnNodes("four", 4, 1), typed} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back mjq.Model
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
			t.Errorf("%s is read as %s, %v", text, again, err)
		}
		if back.String() != m.String() {
			t.Errorf("%v is read as %v", m, back)
		}
	}
	if text := onSixteen().String(); !strings.HasPrefix(text, "FCFS multiserver-job queue: 16 nodes of 8 units, BestFit") {
		t.Error(text)
	}
	if text := typed.String(); !strings.Contains(text, "64 nodes of 128 cpu and 8 gpu, 8 nodes of 64 cpu and 0 gpu") {
		t.Error(text)
	}
	if plain, err := json.Marshal(mjq.Servers(4).Class("a", 1, 1, mjq.ExpMean(1))); err != nil || strings.Contains(string(plain), "nodes") || strings.Contains(string(plain), "placement") {
		t.Errorf("a model without nodes is written %s, %v", plain, err)
	}
}

// oddly is a placement of a user's own.
type oddly struct{}

func (oddly) String() string                    { return "oddly" }
func (oddly) Score(free, _, need []int) float64 { return float64((free[0] - need[0]) % 2) }

// TestNodesFaults: every fault names the value and the remedy.
func TestNodesFaults(t *testing.T) {
	one := func(need int) mjq.Model { return mjq.Nodes(4, 8).Class("a", need, 1, mjq.ExpMean(1)) }
	for want, m := range map[string]mjq.Model{
		"need 12 is above the 8 units of a node and no multiple of them; give 8 or 16": one(12),
		"on each of 2 nodes, and 0 nodes can hold that":                                one(18).OnNodes("a", 2, 9),
		"on each of 5 nodes, and 4 nodes can hold that":                                one(10).OnNodes("a", 5, 2),
		"on 0 nodes; give at least 1":                                                  one(8).OnNodes("a", 0, 8),
		"and 3 on each of 2 nodes are 6":                                               one(8).OnNodes("a", 2, 3),
		"kind 1 has 0 nodes":                                                           mjq.Nodes(0, 8).Class("a", 1, 1, mjq.ExpMean(1)),
		"of kind 1 has 0 units":                                                        mjq.Nodes(4, 0).Class("a", 1, 1, mjq.ExpMean(1)),
		"placement BestFit: there are no nodes":                                        mjq.Servers(8).Placement(mjq.BestFit()).Class("a", 1, 1, mjq.ExpMean(1)),
		"OnNodes or Scattered, and there are no nodes":                                 mjq.Servers(8).Class("a", 1, 1, mjq.ExpMean(1)).Scattered(),
		`needs "tpu", which is not among the resources`:                                mjq.NodesOf(4, mjq.Needs{"gpu": 8}).Needing("a", mjq.Needs{"tpu": 1}, 1, mjq.ExpMean(1)),
		"placement chooses the units":                                                  one(1).RandomAssignment(),
		"such a set of jobs need not fit on nodes":                                     one(1).Policy(mjq.ServerFilling()),
		"chooses again by the sum of the needs":                                        one(1).Policy(mjq.PreemptiveFirstFit()),
		"Keep along with Nodes":                                                        one(1).Loss().Keep("a", 2),
		"Servers(5) along with Nodes":                                                  one(1).Servers(5),
	} {
		if err := m.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if _, err := json.Marshal(one(1).Placement(oddly{})); err == nil || !strings.Contains(err.Error(), "oddly") {
		t.Errorf("a placement of one's own is written: %v", err)
	}
}
