package sampler_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// oneOrAllOf3 is three servers at two thirds of their work.
func oneOrAllOf3() mjq.Model {
	return mjq.Servers(3).Poisson(0.9).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("all", 3, 0.4, mjq.ExpMean(1.35))
}

// TestUnbiasedUnderPolicies: means by coupling are those of the exact solvers, for first
// come first served those of the randomised truncation, and what is known of services
// and servers is exact.
func TestUnbiasedUnderPolicies(t *testing.T) {
	m := oneOrAllOf3()
	for _, p := range []mjq.Policy{mjq.FirstFit(), mjq.MostServersFirst(), mjq.Window(3), mjq.ServerFilling(), mjq.MaxWeight(), mjq.Quickswap(1)} {
		q := m.Policy(p).AtRate(0.6)
		r, exact := mjq.Must(q.Solve(context.Background(), mjq.Unbiased{PathLength: 2000, Samples: oracle.Sized(32, 256), Within: 0})), mjq.Must(q.Solve(context.Background(), mjq.Exact{}))
		for i, c := range exact.Classes {
			oracle.Within(t, p.String()+" "+c.Name, r.Classes[i].Waiting.Mean, c.Waiting.Mean.Value, 4)
			oracle.Within(t, p.String()+" response of "+c.Name, r.Classes[i].Response.Mean, c.Response.Mean.Value, 4)
		}
		oracle.Within(t, p.String(), r.All.Waiting.Mean, exact.All.Waiting.Mean.Value, 4)
		oracle.Within(t, p.String()+" jobs", r.MeanJobs, exact.MeanJobs.Value, 4)
		if math.Abs(r.Utilization.Value-exact.Utilization.Value) > 1e-8 || r.Utilization.HalfWidth != 0 {
			t.Errorf("%v: utilisation %v, exactly %v", p, r.Utilization, exact.Utilization)
		}
	}
	fcfs, truth := m.AtRate(0.6), mjq.Must(m.AtRate(0.6).Solve(context.Background(), mjq.Exact{}))
	one, other := mjq.Must(fcfs.Policy(mjq.Window(1)).Solve(context.Background(), mjq.Unbiased{PathLength: 2000, Samples: oracle.Sized(128, 256)})), mjq.Must(fcfs.Solve(context.Background(), mjq.Unbiased{Samples: oracle.Sized(1000, 2000)}))
	oracle.Within(t, "Window(1)", one.All.Waiting.Mean, truth.All.Waiting.Mean.Value, 4)
	oracle.Within(t, "FCFS", other.All.Waiting.Mean, truth.All.Waiting.Mean.Value, 4)
	oracle.Within(t, "variance", one.All.Waiting.Variance, truth.All.Waiting.Variance.Value, 4)
	oracle.Within(t, "waste", one.WastedHOL, truth.WastedHOL.Value, 4)
	oracle.Within(t, "median response", one.All.Response.Quantile(0.5), truth.All.Response.Quantile(0.5).Value, 4)
	if !(one.All.Waiting.CDF(1).Covers(truth.All.Waiting.CDF(1).Value)) {
		t.Errorf("P(W ≤ 1) = %v, exactly %v", one.All.Waiting.CDF(1), truth.All.Waiting.CDF(1))
	}
}

// TestUnbiasedMarked: with arrivals that say of which class a job is, FCFS is coupled too.
func TestUnbiasedMarked(t *testing.T) {
	b := mjq.Servers(3).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("all", 3, 0.5, mjq.ExpMean(1))
	d0 := [][]float64{{-1, 0.5}, {0.25, -0.5}}
	m := b.MarkedMAP(d0, map[string][][]float64{"one": {{0.5, 0}, {0, 0}}, "all": {{0, 0}, {0, 0.25}}})
	r, exact := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: oracle.Sized(96, 0)})), mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
	for i, c := range exact.Classes {
		oracle.Within(t, c.Name, r.Classes[i].Waiting.Mean, c.Waiting.Mean.Value, 4)
	}
}

// TestUnbiasedUnstable: beyond the limit nothing is claimed, and the note says why.
func TestUnbiasedUnstable(t *testing.T) {
	m := oneOrAllOf3().Policy(mjq.FirstFit()).AtRate(1.7)
	r := mjq.Must(m.WithLimit(&result.Stability{Rate: math.Inf(1)}).Solve(context.Background(), mjq.Unbiased{Samples: 64}))
	if e := r.All.Waiting.Mean; !math.IsNaN(e.Value) || !strings.Contains(strings.Join(r.Notes, " "), "still differed after") {
		t.Errorf("%v, notes %q", e, r.Notes)
	}
}

// TestUnbiasedOptions: a target, faults, an own scheduler, the end of a context.
func TestUnbiasedOptions(t *testing.T) {
	m := oneOrAllOf3().Policy(mjq.FirstFit()).AtRate(0.8)
	ask := mjq.Unbiased{Window: 20, PathLength: 500}
	a, b := mjq.Must(m.Solve(context.Background(), ask, mjq.RelErr(0.05), mjq.Workers(1))), mjq.Must(m.Solve(context.Background(), ask, mjq.RelErr(0.05), mjq.Workers(3)))
	if !a.Run.Met || !oracle.SameBits(a.All, b.All) || a.Run.Samples < 128 {
		t.Errorf("%d samples, %v, met %v; on three goroutines %v", a.Run.Samples, a.All.Waiting.Mean, a.Run.Met, b.All.Waiting.Mean)
	}
	_, err := m.Solve(context.Background(), mjq.Unbiased{Samples: 1, PathLength: 5, Within: -1})
	oracle.Mention(t, err, "Samples 1", "PathLength 5", "Within -1")
	_, err = m.Policy(mjq.FCFS()).Solve(context.Background(), mjq.Unbiased{Within: 1})
	oracle.Mention(t, err, "Within 1: Unbiased does not take it; Simulation does")
	own := policy.New("first fit", func(v *policy.View) {
		for j := range v.Queue() {
			v.StartJob(j)
		}
	})
	if r := mjq.Must(m.Policy(own).Solve(context.Background(), mjq.Unbiased{Window: 20, PathLength: 500})); r.All.Waiting.Mean != mjq.Must(m.Solve(context.Background(),
		ask)).All.Waiting.Mean {
		t.Errorf("First-Fit written anew waits %v", r.All.Waiting.Mean)
	}
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	began := time.Now()
	r, err := m.Solve(ctx, mjq.Unbiased{Window: 20, PathLength: 500, Samples: 1 << 40})
	if err == nil || r.Run.Complete || time.Since(began) > oracle.Soon {
		t.Errorf("interrupted: %v, complete %v after %v", err, r.Run.Complete, time.Since(began))
	}
	oracle.Mention(t, fmt.Errorf("%v", r.Notes), "Interrupted")
}

// TestUnbiasedTurned: rooms, losses and patience by coupling are as the exact solvers have them,
// on paths from the first job on, most of which begin while the two queues differ. They are three
// relaxation times long, the least that gives intervals: a queue with room has 59 jobs in one.
func TestUnbiasedTurned(t *testing.T) {
	b := mjq.Servers(6).Poisson(1.5).Class("small", 1, .8, mjq.ExpMean(1)).Class("big", 4, .2, mjq.ExpMean(2))
	patient := b.Patience(mjq.ExpMean(2)).Patience(mjq.ExpMean(5), "big")
	for i, m := range []mjq.Model{b.Loss(), b.Room(1), b.Patience(mjq.ExpMean(2)), patient.Policy(mjq.MostServersFirst()), patient.Policy(mjq.PreemptiveMostServersFirst())} {
		r, exact := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Window: 1, PathLength: 180, Samples: oracle.Sized(700, 2000)}, mjq.Seed(uint64(i+1)))), mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		same := func(what string, got, want result.Estimate) {
			if want.Known() {
				oracle.Within(t, fmt.Sprint("queue ", i, what), got, want.Value, 4)
			}
		}
		for k := range exact.Classes {
			one, other := &r.Classes[k], &exact.Classes[k]
			same(" blocked", one.Blocked, other.Blocked)
			same(" left", one.Left, other.Left)
			same(" carried", one.Carried, other.Carried)
			if i > 0 { // else all waits are 0
				same(" in line", one.InLine, other.InLine)
				same(" waits", one.Waiting.Mean, other.Waiting.Mean)
			}
		}
		same(" busy", r.Utilization, exact.Utilization)
		same(" jobs", r.MeanJobs, exact.MeanJobs)
	}
	few := mjq.Must(patient.Solve(context.Background(), mjq.Unbiased{Window: 1, PathLength: 40, Samples: 64}))
	if e := few.All.Left; !e.Known() || !math.IsNaN(e.HalfWidth) {
		t.Errorf("of few short paths: left %v, want no interval", e)
	}
	oracle.Mention(t, fmt.Errorf("%v", few.Notes), "each path has 40 jobs", "PathLength to at least")
	for want, m := range map[string]mjq.Model{"takes jobs that come whatever is served": mjq.Servers(2).Class("a", 1, 0, mjq.ExpMean(1)).Users("a", 3, mjq.ExpMean(1)).Loss(), "Unbiased keeps none": b.Loss().Keep("small", 1)} {
		if _, err := m.Solve(context.Background(), mjq.Unbiased{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
