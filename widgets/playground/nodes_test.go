package playground

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// halves are jobs of one server and of a whole node of four.
var halves = []Class{{Name: "one", Need: 1, Share: 0.5, Law: "exponential", Mean: 1}, {Name: "node", Need: 4, Share: 0.5, Law: "exponential", Mean: 1}}

// TestAskNodes: one node is a pool, on several nodes jobs wait longer, and the page says for how
// much of the time the nodes alone are the reason.
func TestAskNodes(t *testing.T) {
	ask := func(servers, size int, placement, policy string) Answer {
		list := asked(t, Setting{Servers: servers, Load: 0.6, NodeSize: size, Placement: placement, Policy: policy, Classes: halves})
		a := list[len(list)-1]
		if !a.Done || a.Error != "" || !strings.HasPrefix(a.Notes[0], "The head of the queue waits") {
			t.Fatalf("%d on a node, %s: %+v", size, placement, a)
		}
		return a
	}
	m := mjq.Servers(8).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("node", 4, 0.5, mjq.ExpMean(1)).AtOffered(0.6)
	pool := float64(mjq.Must(m.Solve(context.Background(), mjq.Exact{})).All.Waiting.Mean.Value)
	one, best, worst := ask(8, 8, "", ""), ask(8, 4, "", ""), ask(8, 4, "WorstFit", "")
	if math.Abs(float64(one.All.Mean)-pool) > 3*float64(one.All.Half) || !strings.HasPrefix(one.Notes[0], "The head of the queue waits 0 %") {
		t.Errorf("one node: mean wait %v, %q; one pool %v", one.All.Mean, one.Notes, pool)
	}
	if easy := ask(8, 4, "WorstFit", "EASY"); !(worst.All.Mean > best.All.Mean && best.All.Mean > one.All.Mean && easy.All.Mean < worst.All.Mean && easy.All.P99 > 0) {
		t.Errorf("mean waits: one node %v, the fullest of two %v, the emptiest %v, EASY %v", one.All.Mean, best.All.Mean, worst.All.Mean, easy.All.Mean)
	}
	for want, s := range map[string]Setting{
		"10 servers cannot be parted into nodes of 4; give 12 servers": {Servers: 10, NodeSize: 4},
		`placement "BestFitt" is not known`:                            {Servers: 8, NodeSize: 4, Placement: "BestFitt"},
		"choose FCFS, FirstFit, Backfill":                              {Servers: 8, NodeSize: 4, Policy: "Max weight"},
	} {
		s.Load, s.Classes = 0.5, halves
		if list := asked(t, s); !strings.Contains(list[len(list)-1].Error, want) {
			t.Errorf("%q, want %q", list[len(list)-1].Error, want)
		}
	}
}

// TestPlacementsOnPage: the page offers the placements that a setting takes, in their order.
func TestPlacementsOnPage(t *testing.T) {
	page, err := os.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), `<select id="placement">`)
	list, _, _ = strings.Cut(list, "</select>")
	options := strings.Split(list, `<option value="`)[1:]
	for i, name := range Placements() {
		if i >= len(options) || !strings.HasPrefix(options[i], name+`"`) {
			t.Errorf("%s is not in its place among %q", name, options)
		}
	}
	if len(options) != len(Placements()) {
		t.Errorf("%q for %v", options, Placements())
	}
}

// TestNodesGiven: a model on nodes comes to the page and its program asks for the same; what the
// page does not have is refused.
func TestNodesGiven(t *testing.T) {
	m := mjq.Nodes(3, 4).Placement(mjq.WorstFit()).Poisson(2).Class("one", 1, 1, mjq.ExpMean(1))
	s, err := Of(m)
	if err != nil || s.Servers != 12 || s.NodeSize != 4 || s.Placement != "WorstFit" {
		t.Errorf("%+v, %v", s, err)
	}
	if text := s.Program(); !strings.Contains(text, "mjq.Nodes(3, 4).Placement(mjq.WorstFit()).Poisson(2)") {
		t.Error(text)
	}
	s.Rate, s.Load, s.Policy = 0, 0.5, "Conservative"
	if text := s.Program(); !strings.Contains(text, "AtOffered(0.5)") || !strings.Contains(text, "Policy(mjq.Conservative())") || strings.Contains(text, "Resolve") {
		t.Error(text)
	}
	for want, m := range map[string]mjq.Model{"nodes of one size": m.Nodes(1, 8), "neither OnNodes nor Scattered": m.Scattered("one"), "show what Resolve gives": m.AtLoad(0.5)} {
		if _, err := Of(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestFewestNodes: where each job takes a node, as many nodes are enough as servers are for jobs
// of one.
func TestFewestNodes(t *testing.T) {
	whole := Setting{Servers: 12, Rate: 2, NodeSize: 4, Classes: []Class{{Name: "node", Need: 4, Share: 1, Law: "exponential", Mean: 1}}}
	one := Setting{Servers: 3, Rate: 2, Classes: []Class{{Name: "one", Need: 1, Share: 1, Law: "exponential", Mean: 1}}}
	nodes, servers := fewest(t, whole), fewest(t, one)
	if servers.Servers == 0 || nodes.Servers != 4*servers.Servers || !strings.Contains(nodes.Verdict, " nodes of 4 servers are the fewest") {
		t.Errorf("%+v, of servers %+v", nodes, servers)
	}
}

// fewest is the last answer to how many servers have a mean wait of 0.1.
func fewest(t *testing.T, s Setting) (last Sized) {
	t.Helper()
	Fewest(context.Background(), s, Target{Most: 0.1}, func(a Sized) { last = a })
	if last.Error != "" || !last.Done {
		t.Fatalf("%+v", last)
	}
	return last
}
