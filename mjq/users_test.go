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
