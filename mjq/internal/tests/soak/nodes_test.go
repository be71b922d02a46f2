package soak

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/result"
)

// onTwo is two nodes of four units at a moderate load.
func onTwo(p mjq.Placement) mjq.Model {
	return mjq.Nodes(2, 4).Poisson(2.2).Placement(p).Class("one", 1, 0.6, mjq.ExpMean(1)).
		Class("two", 2, 0.2, mjq.HyperExpMeans(0.5, 1.5, 0.5)).Class("node", 4, 0.12, mjq.ErlangMeanPhases(1, 2)).Class("pair", 8, 0.08, mjq.ExpMean(1))
}

// emptiest is WorstFit as a user would write it.
type emptiest struct{ placement.RandomFit }

func (emptiest) Score(free, _, _ []int) float64 { return -float64(free[0]) }

// TestNodesBySimulation: the chain of what is on the nodes and the simulation of jobs agree on
// all that both know.
func TestNodesBySimulation(t *testing.T) {
	for _, m := range []mjq.Model{onTwo(mjq.BestFit()), onTwo(mjq.WorstFit()), onTwo(mjq.RandomFit()), onTwo(emptiest{}),
		onTwo(mjq.WorstFit()).Loss(), onTwo(mjq.BestFit()).Room(3)} {
		exact, err := m.Solve(background, mjq.Exact{})
		if err != nil {
			t.Fatal(m, err)
		}
		drawn, err := m.Solve(background, mjq.Simulation{Jobs: oracle.Sized(25_000, 60_000), Replications: 16}, mjq.Seed(5))
		if err != nil {
			t.Fatal(m, err)
		}
		compare := func(what string, got, want result.Estimate) {
			switch {
			case want.Value == 0: // what cannot happen has not been seen, whatever its bound
				if got.Known() && got.Value != 0 {
					t.Errorf("%v: %s: %v, want 0", m, what, got)
				}
			case want.Known() && got.Known() && got.HalfWidth > 0:
				oracle.Within(t, m.String()+": "+what, got, want.Value, 4.5)
			}
		}
		for i := range exact.Classes {
			d, e := &drawn.Classes[i], &exact.Classes[i]
			compare("wait", d.Waiting.Mean, e.Waiting.Mean)
			compare("variance", d.Waiting.Variance, e.Waiting.Variance)
			compare("no wait", d.Waiting.NoWait, e.Waiting.NoWait)
			compare("blocked", d.Blocked, e.Blocked)
			compare("scattered", d.Scattered, e.Scattered)
		}
		d, e := drawn.Fragmentation, exact.Fragmentation
		compare("held", d.Held, e.Held)
		compare("stranded", d.Stranded, e.Stranded)
		compare("unusable", d.Unusable, e.Unusable)
		compare("empty nodes", d.EmptyNodes, e.EmptyNodes)
		compare("waste", drawn.WastedHOL, exact.WastedHOL)
		compare("idle", drawn.Idle, exact.Idle)
		compare("jobs", drawn.MeanJobs, exact.MeanJobs)
		if !d.Held.Known() || !e.Held.Known() {
			t.Errorf("%v: held %v drawn, %v exact", m, d.Held, e.Held)
		}
	}
}

// TestNodesSensitive: with Loss the law of the services matters on two nodes, and on one their
// means alone.
func TestNodesSensitive(t *testing.T) {
	for nodes, same := range map[int]bool{1: true, 2: false} {
		loss := func(s mjq.Law) mjq.Model {
			return mjq.Nodes(nodes, 4).Placement(mjq.WorstFit()).Poisson(float64(nodes)).Class("one", 1, 0.5, s).Class("node", 4, 0.5, s).Loss()
		}
		exact, err := loss(mjq.ExpMean(1)).Solve(background, mjq.Exact{})
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := loss(mjq.Deterministic(1)).Solve(background, mjq.Simulation{Jobs: oracle.Sized(70_000, 100_000), Replications: 32}, mjq.Seed(3))
		if err != nil {
			t.Fatal(err)
		}
		got, want := drawn.Class("node").Blocked, exact.Class("node").Blocked.Value
		if far := math.Abs(got.Value-want) > 2.5*got.HalfWidth; far == same {
			t.Errorf("%d nodes: blocked %v with deterministic services and %.5f with exponential ones", nodes, got, want)
		}
	}
}

// TestNodesUnbiased: coupling agrees with the chain on the nodes and, under policies that have no
// chain, with simulation. One node is the pool, draw for draw.
func TestNodesUnbiased(t *testing.T) {
	ask := mjq.Unbiased{PathLength: 1000, Samples: 256}
	for _, m := range []mjq.Model{onTwo(mjq.BestFit()), onTwo(mjq.WorstFit()), onTwo(mjq.RandomFit()), onTwo(mjq.BestFit()).Room(3)} {
		r, exact := mjq.Must(m.Solve(background, ask)), mjq.Must(m.Solve(background, mjq.Exact{}))
		for i, c := range exact.Classes {
			oracle.Within(t, m.String()+": "+c.Name, r.Classes[i].Waiting.Mean, c.Waiting.Mean.Value, 4)
			if c.Waiting.Variance.Known() { // with a room the chain has none
				oracle.Agrees(t, m.String()+": variance of "+c.Name, r.Classes[i].Waiting.Variance, c.Waiting.Variance.Value)
			}
		}
		oracle.Within(t, m.String()+": held", r.Fragmentation.Held, exact.Fragmentation.Held.Value, 4)
		oracle.Within(t, m.String()+": stranded", r.Fragmentation.Stranded, exact.Fragmentation.Stranded.Value, 4)
		oracle.Within(t, m.String()+": unusable", r.Fragmentation.Unusable, exact.Fragmentation.Unusable.Value, 4)
		oracle.Within(t, m.String()+": empty nodes", r.Fragmentation.EmptyNodes, exact.Fragmentation.EmptyNodes.Value, 4)
	}
	ask.Samples = oracle.Sized(48, 256)
	m := mjq.Nodes(4, 4).Poisson(4).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("three", 3, 0.3, mjq.ExpMean(1)).Class("two nodes", 8, 0.1, mjq.ExpMean(1))
	for _, p := range []mjq.Policy{mjq.FirstFit(), mjq.EASY(), mjq.Conservative(), mjq.MostServersFirst(), mjq.Priority([]string{"three"}).Preemptive(mjq.Resume)} {
		for _, fit := range []mjq.Placement{mjq.BestFit(), mjq.LowestFit()} {
			q := m.Policy(p).Placement(fit)
			r, drawn := mjq.Must(q.Solve(background, ask)), mjq.Must(q.Solve(background, mjq.Simulation{Jobs: oracle.Sized(7_000, 60_000), Replications: 16}, mjq.Seed(5)))
			for i, c := range drawn.Classes {
				got, want := r.Classes[i].Waiting.Mean, c.Waiting.Mean
				if d := math.Abs(got.Value - want.Value); !(d <= 2*math.Hypot(got.HalfWidth, want.HalfWidth)) {
					t.Errorf("%v, %v, %s: %v by coupling, %v simulated", p, fit, c.Name, got, want)
				}
			}
		}
	}
	pool := mjq.Servers(8).Poisson(2).Policy(mjq.FirstFit()).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("five", 5, 0.4, mjq.ExpMean(1))
	node := mjq.Nodes(1, 8).Poisson(2).Policy(mjq.FirstFit()).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("five", 5, 0.4, mjq.ExpMean(1))
	one, other := mjq.Must(pool.Solve(background, ask)), mjq.Must(node.Solve(background, ask))
	for _, r := range []*result.Result{one, other} {
		r.All.Waiting.Precision = result.Precision{} // by the limit, which differs by rounding
	}
	if !oracle.SameBits(one.All.Waiting, other.All.Waiting) {
		t.Errorf("one node %v, its units as a pool %v", other.All.Waiting.Mean, one.All.Waiting.Mean)
	}
}
