package soak

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/oracle"
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
		drawn, err := m.Solve(background, mjq.Simulation{Jobs: 60_000, Replications: 16}, mjq.Seed(5))
		if err != nil {
			t.Fatal(m, err)
		}
		compare := func(what string, got, want result.Estimate) {
			if want.Known() && got.Known() && got.HalfWidth > 0 {
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
		drawn, err := loss(mjq.Deterministic(1)).Solve(background, mjq.Simulation{Jobs: 100_000, Replications: 32}, mjq.Seed(3))
		if err != nil {
			t.Fatal(err)
		}
		got, want := drawn.Class("node").Blocked, exact.Class("node").Blocked.Value
		if far := math.Abs(got.Value-want) > 2.5*got.HalfWidth; far == same {
			t.Errorf("%d nodes: blocked %v with deterministic services and %.5f with exponential ones", nodes, got, want)
		}
	}
}
