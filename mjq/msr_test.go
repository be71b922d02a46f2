package mjq

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestMSR: with a single need the queue is M/M/c, whatever the chain; five needs are
// solved with what comes in going out, at any load of their own limit, which is the
// capacity; a chain that turns ever faster gives the needs servers in fixed parts.
func TestMSR(t *testing.T) {
	plain := Must(Servers(3).Poisson(2).Class("one", 1, 1, ExpMean(1)).Build())
	want := Must(plain.Exact().MomentsOnly().Run(background)).All.Response.Mean.Value
	for _, r := range []float64{0.1, 5} {
		got := Must(plain.MSR().Schedules([][]int{{3}, {3}}, [][]float64{{-r, r}, {1, -1}}).Run(background))
		if math.Abs(got.All.Response.Mean.Value-want) > 1e-11 {
			t.Errorf("M/M/3: %v, want %v", got.All.Response.Mean, want)
		}
	}
	five := Must(FiveClassExponential().Build())
	most := Must(five.Capacity().Run(background))
	r := Must(five.AtLoad(0.8).MSR().Run(background))
	if math.Abs(r.Limit.Rate/most.Rate-1) > 1e-10 || math.Abs(r.Rate/most.Rate-0.8) > 1e-10 || len(r.Classes) != 5 {
		t.Errorf("limit %v, rate %v, capacity %v", r.Limit.Rate, r.Rate, most)
	}
	if math.Abs(r.Utilization.Value-r.Rate/five.IdealRate()) > 1e-10 {
		t.Errorf("utilisation %v", r.Utilization)
	}
	if r := Must(five.AtLoad(1.01).MSR().Run(background)); r.Stable {
		t.Error("stable beyond what the schedules carry")
	}
	fast := Must(plain.MSR().Schedules([][]int{{1}, {0}}, [][]float64{{-1e6, 1e6}, {1e6, -1e6}}).Run(background))
	if fast.Stable || math.Abs(fast.Limit.Rate-0.5) > 1e-12 {
		t.Errorf("half a server carries %v", fast.Limit.Rate)
	}
	half := Must(plain.AtRate(0.3).MSR().Schedules([][]int{{1}, {0}}, [][]float64{{-1e6, 1e6}, {1e6, -1e6}}).Run(background))
	if got := half.All.Response.Mean.Value; math.Abs(got-1/(0.5-0.3)) > 1e-4 {
		t.Errorf("half a server: %v, want %v", got, 1/(0.5-0.3))
	}
}

// TestMSRFaults: all faults at once.
func TestMSRFaults(t *testing.T) {
	m := Must(Servers(4).Poisson(1).Class("a", 1, 0.5, ExpMean(1)).Class("b", 3, 0.5, Deterministic(1)).Build())
	_, err := m.MSR().Schedules([][]int{{4, 1}, {1}}, [][]float64{{-1, 2}}).Run(background)
	for _, want := range []string{`class "b"`, "takes 7 servers of 4", "schedule 2 has 1 numbers", "generator of 1 rows"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	_, err = Must(Servers(2).MMPP([]float64{1, 2}, [][]float64{{-1, 1}, {1, -1}}).Class("a", 1, 1, ExpMean(1)).Build()).MSR().Run(background)
	if err == nil || !strings.Contains(err.Error(), "Poisson") {
		t.Errorf("in bursts: %v", err)
	}
}

// TestMSRAsPolicy: three needs under a chain of three schedules, and under that of the
// capacity. Simulation and unbiased means, which know nothing of the exact solution, must
// have its means, by class; Stability must have its limit, and Exact its digits.
func TestMSRAsPolicy(t *testing.T) {
	m := Must(Servers(6).Poisson(1).Class("a", 1, 0.5, ExpMean(1)).Class("b", 2, 0.3, ExpMean(0.8)).Class("c", 5, 0.2, ExpMean(0.6)).Build())
	own := MSR([][]int{{6, 0, 0}, {0, 3, 0}, {1, 0, 1}}, [][]float64{{-0.5, 0.2, 0.3}, {1, -1, 0}, {0, 0.7, -0.7}})
	best := Must(m.MSR().Switching(2).Policy(background))
	for _, p := range []Policy{own, best} {
		q := m.WithPolicy(p).AtLoad(0.7)
		want := Must(q.Exact().Run(background))
		again := Must(q.MSR().Schedules(p.(policy.MSR).Schedules, p.(policy.MSR).Generator).Run(background))
		if want.All.Waiting.Mean != again.All.Waiting.Mean || math.Abs(Must(q.Limit(background)).Rate/again.Limit.Rate-1) > 1e-12 {
			t.Errorf("%v: exact %v and %v, limits %v and %v", p, want.All.Waiting.Mean, again.All.Waiting.Mean, Must(q.Limit(background)), again.Limit)
		}
		if size := Must(q.Exact().Size()); size.Phases != len(p.(policy.MSR).Schedules) {
			t.Errorf("%v: size %v", p, size)
		}
		for name, r := range map[string]*result.Result{
			"simulated": Must(q.Simulate().Jobs(60_000).Replications(32).Seed(5).Run(background)),
			"unbiased":  Must(q.Sample().Unbiased().N(400).Seed(6).Run(background)),
		} {
			for i, c := range want.Classes {
				within(t, p.String()+" "+name+" "+c.Name, r.Classes[i].Waiting.Mean, c.Waiting.Mean.Value, 4)
			}
			within(t, p.String()+" "+name, r.MeanJobs, want.MeanJobs.Value, 4)
		}
	}
}
