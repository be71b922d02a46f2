package sampler_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestPastBoundHolds: the wait of a single server has a tail below Lundberg's bound and,
// far out, falls as fast.
func TestPastBoundHolds(t *testing.T) {
	p := arrival.MMPP([]float64{1.4, 0.2}, [][]float64{{-0.1, 0.1}, {0.05, -0.05}})
	m := mjq.Servers(1).Process(p).Class("one", 1, 1, mjq.ExpMean(1))
	r := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
	lo, hi := 0.0, 0.999 // θ with E exp(θσ) χ(θ) = 1
	for range 200 {
		theta := (lo + hi) / 2
		if gap, _, ok := arrival.PastBound(p, theta); !ok || gap-math.Log(1-theta) > 0 {
			hi = theta
		} else {
			lo = theta
		}
	}
	_, slack, _ := arrival.PastBound(p, lo)
	if !(slack > 0) {
		t.Errorf("bursts leave the slack %v", slack)
	}
	for _, x := range []float64{0, 0.5, 2, 10, 40, 100} {
		tail := 1 - r.All.Waiting.CDF(x).Value
		bound := math.Exp(slack - lo*x)
		if tail > bound*(1+1e-6) {
			t.Errorf("P(W > %v) = %v exceeds the bound %v", x, tail, bound)
		}
		if x == 100 && tail < bound/10 {
			t.Errorf("P(W > %v) = %v is far below the bound %v", x, tail, bound)
		}
	}
}

// TestCertifiedBursts: certified samples under bursts and batches against exact values, by
// a calculated bound and by one that simulation has to prove; Poisson arrivals in disguise
// need no slack.
func TestCertifiedBursts(t *testing.T) {
	ctx := context.Background()
	two := func(b mjq.Model, law func(mean float64) mjq.Law) mjq.Model {
		return b.Class("small", 1, 0.6, law(1)).Class("large", 3, 0.4, law(2)).AtLoad(0.6)
	}
	exponential := func(mean float64) mjq.Law { return mjq.ExpMean(mean) }
	bursts := mjq.Servers(4).MMPP([]float64{3, 0.5}, [][]float64{{-0.2, 0.2}, {0.1, -0.1}})
	for what, b := range map[string]mjq.Model{"bursts": bursts, "batches": mjq.Servers(4).Poisson(1).Batches(arrival.FixedSize(3)),
		"Poisson": mjq.Servers(4).MAP([][]float64{{-3, 1}, {1, -3}}, [][]float64{{1, 1}, {1, 1}})} {
		m := two(b, exponential)
		exact := mjq.Must(m.Solve(ctx, mjq.Exact{MomentsOnly: true}))
		r := mjq.Must(m.Solve(ctx, mjq.Certified{Samples: oracle.Sized(80, 400)}, mjq.Seed(8)))
		for i, c := range exact.Classes {
			oracle.Agrees(t, what+": wait of "+c.Name, r.Classes[i].Waiting.Mean, c.Waiting.Mean.Value)
		}
		oracle.Agrees(t, what+": waste", r.WastedHOL, exact.WastedHOL.Value)
		if !(r.Run.Theta > 0) {
			t.Errorf("%s: no bound", what)
		}
	}
	m := two(bursts, func(mean float64) mjq.Law { return mjq.Uniform(0, 2*mean) })
	r := mjq.Must(m.Solve(ctx, mjq.Certified{Eps: 1e-3, Samples: oracle.Sized(60, 300)}, mjq.Seed(8)))
	long := mjq.Must(m.Solve(ctx, mjq.Forward{Jobs: 30_000}, mjq.Seed(9)))
	oracle.Agrees(t, "uniform services", r.All.Waiting.Mean, long.All.Waiting.Mean.Value)
}
