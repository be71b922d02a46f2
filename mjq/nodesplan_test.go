package mjq_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

var short = mjq.Simulation{Jobs: 20_000, Replications: 4}

// TestNodesSweep: of the sizes of nodes in a sweep one node of all units is a pool, and a size
// that does not part the units is refused.
func TestNodesSweep(t *testing.T) {
	ctx := context.Background()
	classes := func(m mjq.Model) mjq.Model {
		return m.Poisson(2).Class("a", 1, 0.7, mjq.ExpMean(1)).Class("b", 4, 0.3, mjq.ExpMean(1))
	}
	g, err := mjq.Sweep(ctx, classes(mjq.Nodes(2, 4)), mjq.Grid{NodeSizes: []int{2, 8}, Placements: []mjq.Placement{mjq.BestFit(), mjq.WorstFit()}}, short, mjq.Seed(5))
	if err != nil || len(g.Points) != 4 {
		t.Fatal(g, err)
	}
	pool := mjq.Must(classes(mjq.Servers(8)).Solve(ctx, short, mjq.Seed(5)))
	for i := range g.Points {
		same := math.Abs(g.At(i).All.Waiting.Mean.Value-pool.All.Waiting.Mean.Value) < 1e-9
		if one := g.Points[i].Nodes == "1x8"; same != one {
			t.Errorf("%s: mean wait %v, of a pool %v", g.Points[i].Label(), g.At(i).All.Waiting.Mean, pool.All.Waiting.Mean)
		}
	}
	if text := g.String(); !strings.Contains(text, "4x2    WorstFit") {
		t.Error(text)
	}
	if _, err := mjq.Sweep(ctx, classes(mjq.Nodes(2, 4)), mjq.Grid{NodeSizes: []int{3}}, short); err == nil || !strings.Contains(err.Error(), "8 units in all cannot be parted into nodes of 3") {
		t.Error(err)
	}
	if _, err := mjq.Sweep(ctx, classes(mjq.Servers(8)), mjq.Grid{NodeSizes: []int{2}}, short); err == nil || !strings.Contains(err.Error(), "begin with Nodes") {
		t.Error(err)
	}
}

// TestNodesFewest: where jobs take whole nodes the fewest nodes are the fewest servers.
func TestNodesFewest(t *testing.T) {
	ctx := context.Background()
	nodes := mjq.Must(mjq.Nodes(3, 4).Poisson(2).Class("a", 4, 1, mjq.ExpMean(1)).FewestServers(ctx, mjq.MeanWait(0.1), mjq.MaxJobs(4e6)))
	pool := mjq.Must(mjq.Servers(3).Poisson(2).Class("a", 1, 1, mjq.ExpMean(1)).FewestServers(ctx, mjq.MeanWait(0.1)))
	if nodes.Best != pool.Best || nodes.What != "nodes" || !nodes.Confirmed {
		t.Errorf("%v\n%v", nodes, pool)
	}
}

// TestNodesCompare: the same jobs wait longer on the emptiest nodes than on the fullest, and for
// one that waits at the head others may start.
func TestNodesCompare(t *testing.T) {
	ctx := context.Background()
	m := mjq.Nodes(4, 8).Poisson(5).Class("a", 1, 0.7, mjq.ExpMean(1)).Class("b", 8, 0.3, mjq.ExpMean(1))
	c := mjq.Must(mjq.ComparePlacements(ctx, m, []mjq.Placement{mjq.BestFit(), mjq.WorstFit()}, short))
	if d := c.Results[1].All.Waiting.Mean.Value - c.Results[0].All.Waiting.Mean.Value; !(d > 0.1) || c.Policies[1] != "WorstFit" {
		t.Error(c)
	}
	if text := c.String(); !strings.HasPrefix(text, "FCFS multiserver-job queue: 4 nodes of 8 units, 2 job classes") || !strings.Contains(text, "\nplacement ") || !strings.Contains(text, "held") {
		t.Error(text)
	}
	c = mjq.Must(mjq.Compare(ctx, m, []mjq.Policy{mjq.FCFS(), mjq.Conservative(), mjq.FirstFit()}, short))
	for i := range 2 {
		if !(c.Results[i+1].All.Waiting.Mean.Value < c.Results[i].All.Waiting.Mean.Value) {
			t.Error(c)
		}
	}
	if c.What != "" || strings.Contains(c.String(), "placement") {
		t.Error(c)
	}
	if _, err := mjq.ComparePlacements(ctx, mjq.Servers(4), []mjq.Placement{mjq.BestFit()}, short); err == nil {
		t.Error("placements of a pool are compared")
	}
}

// TestNodesPriority: on nodes a class of the first level that preempts waits as if it were alone, one
// that does not waits longer, and the others wait for it.
func TestNodesPriority(t *testing.T) {
	ctx := context.Background()
	m := mjq.Nodes(2, 4).Poisson(2).Class("urgent", 4, 0.3, mjq.ExpMean(1)).Class("one", 1, 0.7, mjq.ExpMean(1))
	alone := mjq.Must(mjq.Nodes(2, 4).Poisson(0.6).Class("urgent", 4, 1, mjq.ExpMean(1)).Solve(ctx, mjq.Exact{})).Class("urgent").Waiting.Mean.Value
	drawn := func(p mjq.Policy) *result.Result {
		return mjq.Must(m.Policy(p).Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 8}))
	}
	first := mjq.Priority([]string{"urgent"})
	levels := drawn(first)
	preempts, waits := drawn(first.Preemptive(mjq.Resume)).Class("urgent").Waiting.Mean, levels.Class("urgent").Waiting.Mean
	if math.Abs(preempts.Value-alone) > 2*preempts.HalfWidth || !(waits.Value > alone+2*waits.HalfWidth) {
		t.Errorf("alone %v, preempting %v, otherwise %v", alone, preempts, waits)
	}
	if last, equal := levels.Class("one").Waiting.Mean, drawn(mjq.FCFS()).Class("one").Waiting.Mean; !(last.Value > equal.Value) {
		t.Errorf("of the last level %v, without levels %v", last, equal)
	}
	if err := m.Policy(first.Preemptive(mjq.Resume).Exempt(1)).Err(); err == nil || !strings.Contains(err.Error(), "without Within and Exempt") {
		t.Error(err)
	}
}

// TestNodesRefused: what does not know nodes says so.
func TestNodesRefused(t *testing.T) {
	ctx := context.Background()
	m := mjq.Nodes(2, 4).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1))
	_, certified := m.Solve(ctx, mjq.Certified{})
	_, transient := m.Transient(ctx, mjq.State{}, mjq.Horizon{Until: 2, Parts: 8})
	_, prices := m.Sensitivities(ctx)
	for name, err := range map[string]error{"Certified": certified, "Transient": transient, "Sensitivities": prices} {
		if err == nil || !strings.Contains(err.Error(), "jobs here must fit on nodes") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNodesPath: the servers of a job are those of its nodes, and no server has two jobs.
func TestNodesPath(t *testing.T) {
	m := mjq.Nodes(3, 4).Poisson(3).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.3, mjq.ExpMean(1)).Class("c", 8, 0.2, mjq.ExpMean(1))
	p := mjq.Must(m.Path(context.Background(), 0, 60))
	if len(p.Nodes) != 3 || p.Nodes[2] != 8 {
		t.Fatal(p.Nodes)
	}
	for i, j := range p.Jobs {
		on := map[int]int{}
		for _, k := range j.Seized {
			on[k/4]++
		}
		for _, n := range on {
			if n != min(j.Need, 4) {
				t.Errorf("job %d of %d servers takes %v", j.Number, j.Need, j.Seized)
			}
		}
		for _, other := range p.Jobs[:i] {
			if other.Start < j.End && j.Start < other.End && slices.ContainsFunc(other.Seized, func(k int) bool { return slices.Contains(j.Seized, k) }) {
				t.Errorf("jobs %d and %d share servers: %v, %v", other.Number, j.Number, other.Seized, j.Seized)
			}
		}
	}
}
