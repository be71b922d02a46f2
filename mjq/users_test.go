package mjq_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// looped is a model of users who wait as the reference describes it.
func looped(v oracle.Extension) mjq.Model {
	m := mjq.Servers(int(v.Model["servers"].(float64)))
	rate := 0.0
	classes := v.Model["classes"].([]any)
	for _, x := range classes {
		r, _ := x.(map[string]any)["rate"].(float64)
		rate += r
	}
	if rate > 0 {
		m = m.Poisson(rate)
	}
	for _, x := range classes {
		c := x.(map[string]any)
		name, need := c["name"].(string), int(c["need"].(float64))
		if r, open := c["rate"].(float64); open {
			m = m.Class(name, need, r/rate, mean(c["service"]))
			continue
		}
		m = m.Class(name, need, 0, mean(c["service"])).Users(name, int(c["users"].(float64)), mean(c["think"]))
	}
	return m
}

// mean is ExpMean(x) as it is written.
func mean(text any) mjq.Law {
	var x float64
	fmt.Sscanf(text.(string), "ExpMean(%g)", &x)
	return mjq.ExpMean(x)
}

// asked is the number of a result that a reference names: W0, rate1, busy.
func asked(r *result.Result, servers int, id string) result.Estimate {
	what := id[strings.LastIndex(id, "-")+1:]
	if what == "busy" {
		e := r.Utilization
		e.Value, e.HalfWidth = e.Value*float64(servers), e.HalfWidth*float64(servers)
		return e
	}
	c := &r.Classes[what[len(what)-1]-'0']
	if what[0] == 'W' {
		return c.Waiting.Mean
	}
	return c.Carried
}

// TestUsersWhoWait holds users who wait against chains of another program: exactly, and the
// simulation within its interval.
func TestUsersWhoWait(t *testing.T) {
	exact, drawn := map[string]*result.Result{}, map[string]*result.Result{}
	worst := 0.0
	for _, v := range oracle.AllFrontier(t, "users-") {
		name := v.ID[:strings.LastIndex(v.ID, "-")]
		m := looped(v)
		if exact[name] == nil {
			var err error
			if exact[name], err = m.Solve(context.Background(), mjq.Exact{}); err != nil {
				t.Fatal(name, err)
			}
			if drawn[name], err = m.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(20_000, 200_000)}); err != nil {
				t.Fatal(name, err)
			}
		}
		e := asked(exact[name], m.Spec().Servers, v.ID)
		oracle.Near(t, v.ID, e.Value)
		worst = max(worst, math.Abs(e.Value/v.Value-1))
		oracle.Agrees(t, v.ID+" simulated", asked(drawn[name], m.Spec().Servers, v.ID), v.Value)
	}
	t.Logf("largest relative error %.2g", worst)
	for name, r := range exact {
		if !strings.HasPrefix(name, "users-") {
			continue
		}
		for k := range r.Classes {
			c := &r.Classes[k]
			if !c.Thinking.Known() {
				continue
			}
			d := &drawn[name].Classes[k]
			oracle.Agrees(t, name+" thinking", d.Thinking, c.Thinking.Value)
			oracle.Agrees(t, name+" no wait", d.Waiting.NoWait, c.Waiting.CDF(0).Value)
			oracle.Agrees(t, name+" 90 %", d.Waiting.CDF(1), c.Waiting.CDF(1).Value)
		}
	}
}

// TestUsersAtTheirLimits: one user never waits, users without end who think ever longer are Poisson
// arrivals, users alone have no stability limit, and with arrivals the limit is that of the arrivals.
func TestUsersAtTheirLimits(t *testing.T) {
	ctx := context.Background()
	alone := mjq.Servers(4).Class("a", 3, 0, mjq.ExpMean(1)).Users("a", 1, mjq.ExpMean(2))
	for _, method := range []mjq.Option{mjq.Exact{}, mjq.Simulation{Jobs: 2000}} {
		r, err := alone.Solve(ctx, method)
		if err != nil || r.All.Waiting.Mean.Value != 0 {
			t.Errorf("one user waits %v, %v", r.All.Waiting.Mean, err)
		}
		oracle.Agrees(t, "carried", r.All.Carried, 1./3)
	}
	const n = 1_000_000
	many := mjq.Must(mjq.Servers(9).Class("a", 2, 0, mjq.ExpMean(1)).Users("a", n, mjq.ExpMean(n/2.0)).Solve(ctx, mjq.Exact{}))
	open := mjq.Must(mjq.Servers(9).Poisson(2).Class("a", 2, 1, mjq.ExpMean(1)).Solve(ctx, mjq.Exact{}))
	oracle.Relative(t, "many users wait", many.All.Waiting.Mean.Value, open.All.Waiting.Mean.Value, 2e-5)
	oracle.Relative(t, "90 %", many.All.Waiting.CDF(1).Value, open.All.Waiting.CDF(1).Value, 1e-4)
	st, err := alone.Stability(ctx)
	if err != nil || !math.IsInf(st.Rate, 1) || st.Method != "no limit" || st.Source != "users wait" {
		t.Errorf("users alone have the limit %v, %v", st, err)
	}
	arrivals := mjq.Servers(8).Poisson(1).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("four", 4, 0.3, mjq.ExpMean(2))
	mixed := arrivals.Class("a", 3, 0, mjq.ExpMean(1)).Users("a", 2, mjq.ExpMean(2))
	with, without := mjq.Must(mixed.Stability(ctx)), mjq.Must(arrivals.Stability(ctx))
	if with.Rate != without.Rate {
		t.Errorf("the limit is %v with users and %v without", with.Rate, without.Rate)
	}
	near := mjq.Must(mixed.AtRate(0.995*with.Rate).Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 4}))
	if !near.Stable {
		t.Error("below the limit it is unstable")
	}
}

// TestUsersOfALevel: a user of a first level holds half of the server, so that the arrivals below are
// stable up to the rate 1/2. At .7 no class of a level that may be stable has waits without the user,
// nor infinite ones.
func TestUsersOfALevel(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.7).Class("bulk", 1, 0.5, mjq.ExpMean(1)).Class("low", 1, 0.5, mjq.ExpMean(1)).
		Class("top", 1, 0, mjq.ExpMean(1)).Users("top", 1, mjq.ExpMean(1)).
		Policy(mjq.Priority([]string{"top"}, []string{"bulk"}, []string{"low"}).Preemptive(mjq.Resume))
	if levels := m.Spec().Levels(); len(levels) != 3 {
		t.Errorf("levels %v, want those of the user and of two classes", levels)
	}
	r, err := m.WithLimit(&result.Stability{Rate: 0.5}).Solve(context.Background(), mjq.Simulation{Jobs: 1e4}, mjq.Seed(3))
	if err != nil {
		t.Fatal(err)
	}
	if r.Stable || r.Limit.Levels != nil {
		t.Errorf("stable %v, levels %v; want no limits of levels without the user", r.Stable, r.Limit.Levels)
	}
	for _, name := range []string{"top", "bulk"} {
		if wait := r.Class(name).Waiting.Mean; wait.Known() {
			t.Errorf("%s waits for %v, which is not known", name, wait)
		}
	}
	if wait := r.Class("low").Waiting.Mean.Value; !math.IsInf(wait, 1) {
		t.Errorf("low waits for %v, want +Inf", wait)
	}
}
