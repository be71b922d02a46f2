package exact_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestOneNodeIsAPool: on one node, jobs that find room or give up meet what they meet in a pool of as
// many servers, though another place serves them.
func TestOneNodeIsAPool(t *testing.T) {
	ctx := context.Background()
	classes := func(m mjq.Model) mjq.Model {
		return m.Poisson(3).Class("one", 1, 0.6, mjq.ErlangMeanPhases(1, 2)).Class("three", 3, 0.3, mjq.ExpMean(0.5)).Class("too", 1, 0.1, mjq.ExpMean(2))
	}
	for name, change := range map[string]func(m mjq.Model) mjq.Model{
		"room":              func(m mjq.Model) mjq.Model { return m.Room(5) },
		"patience":          func(m mjq.Model) mjq.Model { return m.Patience(mjq.ExpMean(1.5)) },
		"room and patience": func(m mjq.Model) mjq.Model { return m.Room(3).Patience(mjq.ExpMean(0.5)) },
		"loss":              func(m mjq.Model) mjq.Model { return m.Loss() },
	} {
		want := mjq.Must(change(classes(mjq.Servers(4))).Solve(ctx, mjq.Exact{}, mjq.NoCache()))
		got := mjq.Must(change(classes(mjq.Nodes(1, 4))).Solve(ctx, mjq.Exact{}, mjq.NoCache()))
		near := func(what string, x, y float64) {
			if !(math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))) && !(math.IsNaN(x) && math.IsNaN(y)) {
				t.Errorf("%s: %s is %v on a node and %v in a pool", name, what, x, y)
			}
		}
		near("jobs", got.MeanJobs.Value, want.MeanJobs.Value)
		near("wasted", got.WastedHOL.Value, want.WastedHOL.Value)
		near("idle", got.Idle.Value, want.Idle.Value)
		for k := range want.Classes {
			x, y := &got.Classes[k], &want.Classes[k]
			near("mean", x.Waiting.Mean.Value, y.Waiting.Mean.Value)
			near("variance", x.Waiting.Variance.Value, y.Waiting.Variance.Value)
			near("no wait", x.Waiting.NoWait.Value, y.Waiting.NoWait.Value)
			near("quantile", x.Waiting.Quantile(0.9).Value, y.Waiting.Quantile(0.9).Value)
			near("blocked", x.Blocked.Value, y.Blocked.Value)
			near("left", x.Left.Value, y.Left.Value)
			near("in line", x.InLine.Value, y.InLine.Value)
		}
	}
}

// TestImpatientOnNodes: waits of jobs that give up on nodes, and of those that find room, against
// simulation.
func TestImpatientOnNodes(t *testing.T) {
	ctx := context.Background()
	base := mjq.Nodes(3, 2).Poisson(4).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("two", 2, 0.3, mjq.ExpMean(0.7))
	for name, m := range map[string]mjq.Model{"patience": base.Patience(mjq.ExpMean(1)), "room": base.Room(4).Placement(mjq.WorstFit())} {
		exact := mjq.Must(m.Solve(ctx, mjq.Exact{}, mjq.NoCache()))
		seen := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: oracle.Sized(20_000, 200_000)}, mjq.Seed(3), mjq.NoCache()))
		for k := range exact.Classes {
			x, y := &exact.Classes[k], &seen.Classes[k]
			for what, pair := range map[string][2]result.Estimate{"mean": {x.Waiting.Mean, y.Waiting.Mean}, "variance": {x.Waiting.Variance, y.Waiting.Variance},
				"left": {x.Left, y.Left}, "blocked": {x.Blocked, y.Blocked}, "scattered": {x.Scattered, y.Scattered}, "quantile": {x.Waiting.Quantile(0.9), y.Waiting.Quantile(0.9)}} {
				if !pair[0].Known() && !pair[1].Known() {
					continue
				}
				if off := math.Abs(pair[0].Value - pair[1].Value); !(off <= 2*pair[1].HalfWidth) {
					t.Errorf("%s, class %s: %s is %v, and %v ± %v in simulation", name, x.Name, what, pair[0].Value, pair[1].Value, pair[1].HalfWidth)
				}
			}
		}
	}
}
