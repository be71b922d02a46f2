package mjq_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestSleepingServers holds servers that sleep against a chain of another program: exactly, and the
// simulation within its interval.
func TestSleepingServers(t *testing.T) {
	ctx := context.Background()
	exact, drawn := map[string]*result.Result{}, map[string]*result.Result{}
	worst := 0.0
	for _, v := range oracle.AllFrontier(t, "sleep-") {
		name, what, _ := strings.Cut(strings.TrimPrefix(v.ID, "sleep-"), "-")
		c := v.Model["classes"].([]any)[0].(map[string]any)
		m := mjq.Servers(int(v.Model["servers"].(float64))).Poisson(v.Model["rate"].(float64)).Class("a", int(c["need"].(float64)), 1, mean(c["service"])).
			Sleep(mjq.Deterministic(0), mean(v.Model["sleep"].(map[string]any)["setup"]))
		if exact[name] == nil {
			exact[name] = mjq.Must(m.Solve(ctx, mjq.Exact{}))
			drawn[name] = mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: oracle.Sized(10_000, 300_000)}))
		}
		of := func(r *result.Result) result.Estimate {
			return map[string]result.Estimate{"W": r.All.Waiting.Mean, "on": r.Energy.On, "setup": r.Energy.Setup}[what]
		}
		oracle.Near(t, v.ID, of(exact[name]).Value)
		worst = max(worst, math.Abs(of(exact[name]).Value/v.Value-1))
		oracle.Agrees(t, v.ID+" simulated", of(drawn[name]), v.Value)
	}
	t.Logf("largest relative error %.2g", worst)
}

// TestSleepAtItsLimits: one server with setup, setups of no time, all servers awake, and a power.
func TestSleepAtItsLimits(t *testing.T) {
	ctx := context.Background()
	one := mjq.Servers(1).Poisson(0.7).Class("a", 1, 1, mjq.ExpMean(1)).Sleep(mjq.Deterministic(0), mjq.ExpMean(2)).Watts(mjq.Watts{Busy: 200, Idle: 120, Setup: 150, Asleep: 10})
	r := mjq.Must(one.Solve(ctx, mjq.Exact{}))
	oracle.Relative(t, "M/M/1 with setup", r.All.Response.Mean.Value, 1/0.3+2, 1e-12)
	power := 200*0.7 + 150*r.Energy.Setup.Value + 10*(1-0.7-r.Energy.Setup.Value)
	oracle.Relative(t, "power", r.Energy.Power.Value, power, 1e-12)
	oracle.Relative(t, "energy of a job", r.Energy.PerJob.Value, power/0.7, 1e-12)

	plain := mjq.Servers(9).Poisson(3).Class("a", 2, 1, mjq.ExpMean(1))
	want := mjq.Must(plain.Solve(ctx, mjq.Exact{})).All.Waiting.Mean.Value
	quick := mjq.Must(plain.Sleep(mjq.Deterministic(0), mjq.ExpMean(1e-10)).Solve(ctx, mjq.Exact{}))
	oracle.Relative(t, "quick setups", quick.All.Waiting.Mean.Value, want, 1e-8)
	awake := mjq.Must(plain.Sleep(mjq.Deterministic(0), mjq.ExpMean(5)).Awake(9).Solve(ctx, mjq.Exact{}))
	oracle.Relative(t, "all awake", awake.All.Waiting.Mean.Value, want, 1e-11)

	mixed := mjq.Servers(9).Poisson(1).Class("a", 2, 0.7, mjq.ExpMean(1)).Class("b", 5, 0.3, mjq.ErlangMeanPhases(1, 2))
	alike := func(what string, m mjq.Model) {
		t.Helper()
		x, y := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 4})), mjq.Must(mixed.Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 4}))
		for k := range x.Classes {
			oracle.Relative(t, what, x.Classes[k].Waiting.Mean.Value, y.Classes[k].Waiting.Mean.Value, 1e-9)
		}
	}
	alike("setups of no time", mixed.Sleep(mjq.Deterministic(0), mjq.Deterministic(0)))
	alike("all awake, simulated", mixed.Sleep(mjq.Deterministic(0), mjq.ExpMean(3)).Awake(9))
	alike("long before they sleep", mixed.Sleep(mjq.Deterministic(1e9), mjq.Deterministic(0)))
}
