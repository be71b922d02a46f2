package exact_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestMSR: with a single need the queue is M/M/c, whatever the chain; five needs are
// solved with what comes in going out, at any load of their own limit, which is the
// capacity; a chain that turns ever faster gives the needs servers in fixed parts.
func TestMSR(t *testing.T) {
	plain := mjq.Servers(3).Poisson(2).Class("one", 1, 1, mjq.ExpMean(1))
	want := mjq.Must(plain.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).All.Response.Mean.Value
	for _, r := range []float64{0.1, 5} {
		got := mjq.Must(plain.Policy(mjq.MSR([][]int{{3}, {3}}, [][]float64{{-r, r}, {1, -1}})).Solve(context.Background(), mjq.Exact{}))
		if math.Abs(got.All.Response.Mean.Value-want) > 1e-11 {
			t.Errorf("M/M/3: %v, want %v", got.All.Response.Mean, want)
		}
	}
	five := workload.FiveClassExponential()
	most := mjq.Must(five.Capacity(context.Background()))
	drawn := five.Policy(mjq.CapacityPolicy(most, 1/five.Spec().MeanService()))
	r := mjq.Must(drawn.AtLoad(0.8).Solve(context.Background(), mjq.Exact{}))
	if math.Abs(r.Limit.Rate/most.Rate-1) > 1e-10 || math.Abs(r.Rate/most.Rate-0.8) > 1e-10 || len(r.Classes) != 5 {
		t.Errorf("limit %v, rate %v, capacity %v", r.Limit.Rate, r.Rate, most)
	}
	if math.Abs(r.Utilization.Value-r.Rate/five.IdealRate()) > 1e-10 {
		t.Errorf("utilisation %v", r.Utilization)
	}
	if r := mjq.Must(drawn.AtLoad(1.01).Solve(context.Background(), mjq.Exact{})); r.Stable {
		t.Error("stable beyond what the schedules carry")
	}
	fast := mjq.Must(plain.Policy(mjq.MSR([][]int{{1}, {0}}, [][]float64{{-1e6, 1e6}, {1e6, -1e6}})).Solve(context.Background(), mjq.Exact{}))
	if fast.Stable || math.Abs(fast.Limit.Rate-0.5) > 1e-12 {
		t.Errorf("half a server carries %v", fast.Limit.Rate)
	}
	half := mjq.Must(plain.AtRate(0.3).Policy(mjq.MSR([][]int{{1}, {0}}, [][]float64{{-1e6, 1e6}, {1e6, -1e6}})).Solve(context.Background(), mjq.Exact{}))
	if got := half.All.Response.Mean.Value; math.Abs(got-1/(0.5-0.3)) > 1e-4 {
		t.Errorf("half a server: %v, want %v", got, 1/(0.5-0.3))
	}
}

// TestMSRFaults: all faults at once.
func TestMSRFaults(t *testing.T) {
	m := mjq.Servers(4).Poisson(1).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.Deterministic(1))
	_, err := m.Policy(mjq.MSR([][]int{{4, 1}, {1}}, [][]float64{{-1, 2}})).Solve(context.Background(), mjq.Exact{})
	for _, want := range []string{"takes 7 servers of 4", "schedule 2 has 1 numbers", "generator of 1 rows"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	bursts := mjq.Servers(2).MMPP([]float64{1, 2}, [][]float64{{-1, 1}, {1, -1}}).Class("a", 1, 1, mjq.ExpMean(1))
	_, err = bursts.Policy(mjq.MSR([][]int{{2}}, [][]float64{{0}})).Solve(context.Background(), mjq.Exact{})
	if err == nil || !strings.Contains(err.Error(), "Poisson") {
		t.Errorf("in bursts: %v", err)
	}
}

// TestMSRAsPolicy: three needs under a chain of three schedules, and under that of the
// capacity. Simulation and unbiased means, which know nothing of the exact solution, must
// have its means, by class; Stability must have its limit, and Exact its digits.
func TestMSRAsPolicy(t *testing.T) {
	m := mjq.Servers(6).Poisson(1).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.3, mjq.ExpMean(0.8)).Class("c", 5, 0.2, mjq.ExpMean(0.6))
	own := mjq.MSR([][]int{{6, 0, 0}, {0, 3, 0}, {1, 0, 1}}, [][]float64{{-0.5, 0.2, 0.3}, {1, -1, 0}, {0, 0.7, -0.7}})
	best := mjq.CapacityPolicy(mjq.Must(m.Capacity(context.Background())), 2)
	for _, p := range []mjq.Policy{own, best} {
		q := m.Policy(p).AtLoad(0.7)
		want := mjq.Must(q.Solve(context.Background(), mjq.Exact{}))
		again := mjq.Must(q.Policy(mjq.MSR(p.(policy.MSR).Schedules, p.(policy.MSR).Generator)).Solve(context.Background(), mjq.Exact{}))
		if want.All.Waiting.Mean != again.All.Waiting.Mean || math.Abs(mjq.Must(q.Stability(context.Background())).Rate/again.Limit.Rate-1) > 1e-12 {
			t.Errorf("%v: exact %v and %v, limits %v and %v", p, want.All.Waiting.Mean, again.All.Waiting.Mean, mjq.Must(q.Stability(context.Background())), again.Limit)
		}
		if size := mjq.Must(mjq.Exact{}.Size(q)); size.Phases != len(p.(policy.MSR).Schedules) {
			t.Errorf("%v: size %v", p, size)
		}
		for name, r := range map[string]*result.Result{
			"simulated": mjq.Must(q.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(4000, 60_000), Replications: 32}, mjq.Seed(5))),
			"unbiased":  mjq.Must(q.Solve(context.Background(), mjq.Unbiased{Samples: oracle.Sized(80, 400)}, mjq.Seed(6))),
		} {
			for i, c := range want.Classes {
				oracle.Within(t, p.String()+" "+name+" "+c.Name, r.Classes[i].Waiting.Mean, c.Waiting.Mean.Value, 4)
			}
			oracle.Within(t, p.String()+" "+name, r.MeanJobs, want.MeanJobs.Value, 4)
		}
	}
}
