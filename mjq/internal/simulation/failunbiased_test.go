package simulation_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestUnbiasedOnFailingServers: unbiased samples of servers that fail have the exact values of chains,
// and under a policy that no chain knows the values of simulations.
func TestUnbiasedOnFailingServers(t *testing.T) {
	ctx := context.Background()
	fail := func(s int, rate, up float64, repair mjq.Law) mjq.Model {
		return mjq.Servers(s).Poisson(rate).Failures("hw", mjq.ExpMean(up), repair)
	}
	two := fail(5, 1.1, 20, mjq.ExpMean(2)).Class("c0", 1, 0.7, mjq.ExpMean(1)).Class("c1", 3, 0.3, mjq.ExpMean(1.25)).After(mjq.Resume)
	wide := fail(6, 0.6, 50, mjq.ExpMean(5)).Class("c0", 2, 0.8, mjq.ExpMean(1)).Class("c1", 5, 0.2, mjq.ExpMean(1/0.7)).Crews(2).After(mjq.Resume)
	how := mjq.Unbiased{Samples: int(oracle.Sized(100, 3000)), Window: 200, PathLength: 1500}
	near := func(name string, e result.Estimate, want, half float64) {
		t.Helper()
		if !(math.Abs(e.Value-want) <= 2*math.Hypot(e.HalfWidth, half)) || !(e.HalfWidth < 0.2*want) {
			t.Errorf("%s: %v, want %v ± %v", name, e, want, half)
		}
	}
	for name, m := range map[string]mjq.Model{"fail-two": two, "fail-two_wide": wide} {
		// On short paths nearly all of a mean comes from the differences of the pairs.
		r, err := m.Solve(ctx, mjq.Unbiased{Samples: int(oracle.Sized(8000, 60_000)), Window: 2, PathLength: 32}, mjq.Seed(5))
		if err != nil {
			t.Fatal(name, err)
		}
		exact := mjq.Must(m.Solve(ctx, mjq.Exact{}))
		for c := range r.Classes {
			near(name, r.Classes[c].Waiting.Mean, exact.Classes[c].Waiting.Mean.Value, 0)
			near(name, r.Classes[c].Interruptions, exact.Classes[c].Interruptions.Value, 0)
		}
		near(name, r.Up, exact.Up.Value, 0)
		near(name, r.Utilization, exact.Utilization.Value, 0)
	}
	mixed := wide.Policy(mjq.EASY()).After(mjq.Checkpoint{Every: 0.3, Cost: 0.02, Recovery: 0.1, Detection: 0.05}, "c0").
		Failures("sw", mjq.ExpMean(30), mjq.Deterministic(0)).WhileBusy().Spares(1)
	nodes := mjq.Nodes(4, 2).Poisson(0.9).Class("c0", 1, 0.7, mjq.ExpMean(1)).Class("c1", 4, 0.3, mjq.ExpMean(1.2)).
		Failures("hw", mjq.ExpMean(40), mjq.ExpMean(3)).Policy(mjq.FirstFit())
	for name, m := range map[string]mjq.Model{"mixed": mixed, "nodes": nodes} {
		r, err := m.Solve(ctx, how, mjq.Seed(6))
		if err != nil {
			t.Fatal(name, err)
		}
		s := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: oracle.Sized(2000, 60_000), Replications: 32}, mjq.Seed(7)))
		for c := range r.Classes {
			near(name+" waits", r.Classes[c].Waiting.Mean, s.Classes[c].Waiting.Mean.Value, s.Classes[c].Waiting.Mean.HalfWidth)
			near(name+" hits", r.Classes[c].Interruptions, s.Classes[c].Interruptions.Value, s.Classes[c].Interruptions.HalfWidth)
			if s.Classes[c].Lost.Value < 1e-9 { // nothing, but for rounding
				continue
			}
			near(name+" lost", r.Classes[c].Lost, s.Classes[c].Lost.Value, s.Classes[c].Lost.HalfWidth)
			near(name+" ETTR", r.Classes[c].ETTR, s.Classes[c].ETTR.Value, s.Classes[c].ETTR.HalfWidth)
		}
		near(name+" up", r.Up, s.Up.Value, s.Up.HalfWidth)
		near(name+" lost share", r.All.LostShare, s.All.LostShare.Value, s.All.LostShare.HalfWidth)
	}
	if _, err := two.Failures("old", mjq.ErlangMeanPhases(50, 2), mjq.ExpMean(1)).Solve(ctx, how); err == nil || !strings.Contains(err.Error(), "exponential times only") {
		t.Errorf("clocks that remember: %v", err)
	}
}
