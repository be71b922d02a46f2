package limit_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// inTurn are arrivals that bring n small jobs, then a wide one, then n small ones, ...
func inTurn(n int) (d0 [][]float64, d map[string][][]float64) {
	k := n + 1
	d0, small, wide := make([][]float64, k), make([][]float64, k), make([][]float64, k)
	for i := range k {
		d0[i], small[i], wide[i] = make([]float64, k), make([]float64, k), make([]float64, k)
		d0[i][i] = -0.1
		if i < n {
			small[i][i+1] = 0.1
		} else {
			wide[i][0] = 0.1
		}
	}
	return d0, map[string][][]float64{"small": small, "wide": wide}
}

// TestLimitOfAnOrder: two servers, n small jobs in turn with a wide one. From a wide job
// to the next, all services of mean 1: two small jobs run while there are two, then one
// alone. The pile and AtLoad know it, and simulations beside it.
func TestLimitOfAnOrder(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{1, 2, 3} {
		d0, d := inTurn(n)
		m := mjq.Servers(2).MarkedMAP(d0, d).Class("small", 1, 0.5, mjq.ExpMean(1)).Class("wide", 2, 0.5, mjq.ExpMean(1))
		cycle := 1 + 1 + float64(n-1)/2
		want := float64(n+1) / cycle
		st := mjq.Must(m.Stability(ctx))
		if math.Abs(st.Rate-want) > 1e-12 || st.HalfWidth != 0 {
			t.Errorf("%d small jobs in turn: %v, want %v", n, st.Estimate(), want)
		}
		if pile := mjq.Must(m.Stability(ctx, mjq.Pile{}, mjq.RelErr(0.01))); math.Abs(pile.Rate-want) > 2*pile.HalfWidth {
			t.Errorf("%d small jobs in turn, pile: %v, want %v", n, pile.Estimate(), want)
		}
		near := mjq.Must(m.AtLoad(0.9).Resolve(ctx))
		if math.Abs(near.Rate()-0.9*want) > 1e-12 {
			t.Errorf("%d small jobs in turn at 0.9: rate %v", n, near.Rate())
		}
		if r := mjq.Must(m.AtLoad(1.01).Solve(ctx, mjq.Forward{Jobs: 100, Replications: 2})); r.Stable {
			t.Errorf("%d small jobs in turn are stable at 1.01 of the limit", n)
		}
		if exact := mjq.Must(near.Solve(ctx, mjq.Exact{MomentsOnly: true})); math.Abs(exact.Limit.Rate-want) > 1e-10 {
			t.Errorf("%d small jobs in turn: the exact solution has the limit %v", n, exact.Limit.Rate)
		}
	}
}

// TestSomeMarked: where the arrivals mark only wide jobs, the others are of the classes by
// their probabilities, in the exact solution as in simulations.
func TestSomeMarked(t *testing.T) {
	ctx := context.Background()
	m := mjq.Servers(4).MarkedMAP([][]float64{{-2.2, 0.1}, {0.05, -0.55}}, map[string][][]float64{"wide": {{0.6, 0}, {0, 0.2}}, "": {{1.5, 0}, {0, 0.3}}}).
		Class("small", 1, 0.9, mjq.ExpMean(0.8)).Class("wide", 3, 0.1, mjq.ExpMean(1))
	exact := mjq.Must(m.Solve(ctx, mjq.Exact{MomentsOnly: true}))
	seen := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: 60_000, Replications: 24}, mjq.Seed(6)))
	oracle.Agrees(t, "waste", seen.WastedHOL, exact.WastedHOL.Value)
	oracle.Agrees(t, "jobs", seen.MeanJobs, exact.MeanJobs.Value)
	for i, c := range exact.Classes {
		if c.Prob != seen.Classes[i].Prob {
			t.Errorf("shares %v and %v", c.Prob, seen.Classes[i].Prob)
		}
		oracle.Agrees(t, "wait of "+c.Name, seen.Classes[i].Waiting.Mean, c.Waiting.Mean.Value)
	}
	if exact.Limit.Rate != seen.Limit.Rate || exact.Limit.Wasted != seen.Limit.Wasted {
		t.Errorf("limits %v and %v", exact.Limit, seen.Limit)
	}
	pile := mjq.Must(m.Stability(ctx, mjq.Pile{}, mjq.RelErr(0.01)))
	if math.Abs(pile.Rate-exact.Limit.Rate) > 2*pile.HalfWidth {
		t.Errorf("the pile has the limit %v, the age process %v", pile.Estimate(), exact.Limit.Rate)
	}
	if !(math.Abs(exact.Utilization.Value-m.OfferedLoad()) < 1e-10) {
		t.Errorf("utilisation %v, offered load %v", exact.Utilization, m.OfferedLoad())
	}
}
