package simulation_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
)

// cpusAndGPUs is a small machine with cpus and gpus.
func cpusAndGPUs(p mjq.Policy) (mjq.Model, error) {
	model := mjq.Resources("cpu", 8).Resources("gpu", 2).Poisson(1.1).Policy(p).
		Needing("batch", mjq.Needs{"cpu": 3}, 0.6, mjq.ExpMean(1)).
		Needing("train", mjq.Needs{"cpu": 2, "gpu": 1}, 0.3, mjq.ExpMean(2)).
		Needing("all", mjq.Needs{"cpu": 8, "gpu": 2}, 0.1, mjq.ExpMean(0.5))
	return model, model.Err()
}

// TestTypedPolicies holds, for every policy that knows types of resources, the simulation
// against unbiased samples, which have other jobs, and utilisations against the work that
// comes; nothing carries more than the capacity.
func TestTypedPolicies(t *testing.T) {
	ctx := context.Background()
	policies := []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.EASY(), mjq.Backfill(3), mjq.Conservative(), mjq.Window(3), mjq.MostServersFirst(), mjq.LeastServersFirst(),
		mjq.AdaptiveQuickswap(), mjq.PreemptiveFirstFit(), mjq.PreemptiveMostServersFirst(), mjq.PreemptiveLeastServersFirst(), mjq.MaxWeight()}
	for _, p := range policies {
		m := mjq.Must(cpusAndGPUs(p))
		s := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: oracle.Sized(1500, 12_000), Replications: 16}, mjq.Seed(5)))
		u := mjq.Must(m.Solve(ctx, mjq.Unbiased{Samples: oracle.Sized(24, 100)}, mjq.Seed(6)))
		for i, c := range s.Classes {
			x, y := c.Waiting.Mean, u.Classes[i].Waiting.Mean
			if d := math.Abs(x.Value - y.Value); !(d < 2.1*math.Hypot(x.HalfWidth, y.HalfWidth)) {
				t.Errorf("%v: class %s waits %v simulated, %v unbiased", p, c.Name, x, y)
			}
		}
		for j, work := range []float64{0.6*3 + 0.3*2*2 + 0.1*0.5*8, 0.3*2*1 + 0.1*0.5*2} {
			name, units := []string{"cpu", "gpu"}[j], []float64{8, 2}[j]
			busy, wasted := s.Resource(name).Utilization, s.Resource(name).WastedHOL
			if p.String() == "FCFS" {
				oracle.Agrees(t, "FCFS: waste of "+name, wasted, mjq.Must(m.Solve(ctx, mjq.Forward{Jobs: 20_000},
					mjq.Seed(8))).Resource(name).WastedHOL.Value)
			} else {
				oracle.Agrees(t, p.String()+": waste of "+name, wasted, u.Resource(name).WastedHOL.Value)
			}
			oracle.Agrees(t, p.String()+": "+name+" in use", busy, 1.1*work/units)
			if known := u.Resource(name).Utilization.Value; math.Abs(known-1.1*work/units) > 1e-12 {
				t.Errorf("%v: %s is in use %v of the time, want %v", p, name, known, 1.1*work/units)
			}
		}
		if len(s.Notes) > 0 && strings.Contains(strings.Join(s.Notes, ""), "jobs are lost") {
			t.Errorf("%v: %v", p, s.Notes)
		}
		text := mjq.Must(json.Marshal(m))
		var back mjq.Model
		if err := json.Unmarshal(text, &back); err != nil || back.String() != m.String() {
			t.Errorf("%v does not survive JSON: %v", p, err)
		}
	}
	one, two := mjq.Resources("server", 6).Poisson(1).Needing("a", mjq.Needs{"server": 1}, 0.5, mjq.ExpMean(1)).Needing("b", mjq.Needs{"server": 4}, 0.5, mjq.ExpMean(1)),
		mjq.Servers(6).Poisson(1).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 4, 0.5, mjq.ExpMean(1))
	for _, p := range policies {
		x := mjq.Must(one.Policy(p).Solve(ctx, mjq.Simulation{Jobs: 2000, Replications: 4}))
		y := mjq.Must(two.Policy(p).Solve(ctx, mjq.Simulation{Jobs: 2000, Replications: 4}))
		if x.All.Waiting.Mean != y.All.Waiting.Mean || x.WastedHOL != y.WastedHOL || x.MeanJobs != y.MeanJobs || x.Resource("server").WastedHOL.Value != y.WastedHOL.Value {
			t.Errorf("%v: one type of resource is not servers: %v and %v", p, x.All.Waiting.Mean, y.All.Waiting.Mean)
		}
	}
}

// TestTypedLimits: searched limits lie between those of FCFS and the capacity, which
// MaxWeight attains.
func TestTypedLimits(t *testing.T) {
	ctx := context.Background()
	m := mjq.Must(cpusAndGPUs(mjq.FCFS()))
	first, most := mjq.Must(m.Stability(ctx)), mjq.Must(m.Capacity(ctx))
	if st := mjq.Must(m.Policy(mjq.MaxWeight()).Stability(ctx)); st.Rate != most.Rate || len(st.Resources) != 2 {
		t.Errorf("MaxWeight has the limit %v, the capacity is %v", st.Rate, most.Rate)
	}
	st := mjq.Must(m.Policy(mjq.FirstFit()).Stability(ctx, mjq.MaxJobs(2_000_000), mjq.RelErr(0.03)))
	if !(st.Rate-st.HalfWidth > first.Rate) || !(st.Rate-st.HalfWidth < most.Rate) {
		t.Errorf("FirstFit has the limit %v, FCFS %v and the capacity is %v", st.Estimate(), first.Rate, most.Rate)
	}
	c := mjq.Must(mjq.Compare(ctx, m, []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.PreemptiveLeastServersFirst()},
		mjq.Simulation{Jobs: 10_000, Replications: 8}))
	if len(c.Results) != 3 || c.Capacity != most.Rate || !(c.Bound.Response.Value > 0) {
		t.Errorf("the comparison is %v", c)
	}
	for _, r := range c.Results {
		if r.All.Response.Mean.Value < c.Bound.Response.Value-c.Bound.Response.HalfWidth {
			t.Errorf("%v is below the bound %v", r.All.Response.Mean, c.Bound.Response)
		}
	}
}

// TestTypedPoliciesRefused: what does not carry over says why.
func TestTypedPoliciesRefused(t *testing.T) {
	for want, p := range map[string]mjq.Policy{
		"no single number to fill":     mjq.ServerFilling(),
		"one server and of all":        mjq.Quickswap(1),
		"and of all servers; choose":   mjq.ArmedQuickswap(1),
		"do not add up":                policy.FirstFitSRPT{},
		"to fill; choose FCFS":         policy.ServerFillingSRPT{},
		"a window of 0 jobs":           mjq.Window(0),
		"estimates come with the jobs": mjq.EASY().(policy.Backfill).Estimates(policy.Given()),
	} {
		if _, err := cpusAndGPUs(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q, got %v", p, want, err)
		}
	}
	named := mjq.Servers(4).Specific("one", mjq.Pick{Named: []int{1}}, 1, mjq.ExpMean(1)).Policy(mjq.FirstFit())
	if err := named.Err(); err == nil || !strings.Contains(err.Error(), "which are free") {
		t.Errorf("named servers: %v", err)
	}
	printed := mjq.Must(cpusAndGPUs(nil)).AsPrinted()
	if _, err := printed.Solve(context.Background(), mjq.Simulation{}); err == nil || !strings.Contains(err.Error(), "as printed") {
		t.Errorf("as printed: %v", err)
	}
	m := mjq.Must(cpusAndGPUs(mjq.FirstFit()))
	if _, err := m.Solve(context.Background(), mjq.Exact{}); err == nil || !strings.Contains(err.Error(), "plain queue only") {
		t.Errorf("exact: %v", err)
	}
	if _, err := m.Path(context.Background(), 0, 100); err == nil || !strings.Contains(err.Error(), "identical servers") {
		t.Errorf("path: %v", err)
	}
}
