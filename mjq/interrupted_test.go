package mjq_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// afterwards are the ways in which a job may continue after a failure that keeps no server down.
var afterwards = []policy.Aftermath{
	mjq.Resume, mjq.Restart, mjq.Resampled, mjq.Checkpoint{Every: 0.4, Cost: 0.05, Recovery: 0.1, Detection: 0.05},
	policy.Checkpoint{How: mjq.Resume, Recovery: 0.1, Detection: 0.05}, policy.Checkpoint{How: mjq.Restart, Recovery: 0.1, Detection: 0.05},
	policy.Checkpoint{How: mjq.Resampled, Recovery: 0.1, Detection: 0.05},
}

// Each method that answers by the time for which jobs hold their servers agrees with a simulation that
// knows nothing of it, however jobs continue; jobs one at a time and without a queue have formulas. Each
// way to continue meets one sampler and one formula, and all of them with MJQ_LONG.
func TestInterruptedByEveryMethod(t *testing.T) {
	ctx := context.Background()
	failing := func(m mjq.Model, after policy.Aftermath) mjq.Model {
		return m.Failures("links", mjq.ExpMean(12), mjq.Deterministic(0)).After(after)
	}
	two := mjq.Servers(4).Poisson(0.8).Class("small", 1, 0.7, mjq.Uniform(0.2, 1.8)).Class("big", 3, 0.3, mjq.Deterministic(1))
	queues := map[string]mjq.Model{
		"two classes":   two,
		"phases":        mjq.Servers(4).Poisson(0.7).Class("small", 1, 0.7, mjq.ExpMean(1)).Class("big", 3, 0.3, mjq.ErlangMeanPhases(1, 2)),
		"one at a time": mjq.Servers(4).Poisson(0.5).Class("small", 3, 0.7, mjq.Uniform(0.2, 1.8)).Class("big", 4, 0.3, mjq.Deterministic(1)),
		"no queue":      two.Loss(),
	}
	n := func(long int) int { return oracle.Sized(long/40, long/8) }
	sampled := []mjq.Method{mjq.Forward{Jobs: n(200_000)}, mjq.Backward{Samples: n(40_000)}, mjq.Unbiased{Samples: n(20_000)}, mjq.Certified{Samples: n(40_000)}}
	long := oracle.Sized(0, 1) > 0
	by := map[string][]mjq.Method{"two classes": sampled, "phases": sampled, "one at a time": {mjq.Exact{}}, "no queue": {mjq.Exact{}}}
	for name, methods := range by {
		for i, after := range afterwards {
			if !long {
				switch {
				case name == "phases", name == "one at a time" && i%2 == 0, name == "no queue" && i%2 == 1:
					continue
				case name == "two classes":
					methods = sampled[i%3:][:1] // Certified looks for bounds at length
				}
			}
			m := failing(queues[name], after)
			want := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: n(400_000)}, mjq.Level(0.9999)))
			for _, method := range methods {
				what := fmt.Sprintf("%s, %v, %s", name, after, mjq.Must(mjq.MarshalMethod(method)))
				got, err := m.Solve(ctx, method, mjq.Level(0.9999))
				if _, certified := method.(mjq.Certified); certified && name == "phases" && strings.HasPrefix(fmt.Sprint(after), "restart") {
					if err == nil || !strings.Contains(err.Error(), "no exponential moments") {
						t.Errorf("%s: %v", what, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				sameHits(t, what, got, want)
			}
		}
	}
}

// sameHits compares what failures cost.
func sameHits(t *testing.T, what string, got, want *result.Result) {
	t.Helper()
	same := func(name string, a, b result.Estimate) {
		t.Helper()
		within := 0.
		for _, e := range []result.Estimate{a, b} {
			if e.HalfWidth > 0 {
				within = math.Hypot(within, e.HalfWidth)
			}
		}
		if !a.Known() || !b.Known() || !(math.Abs(a.Value-b.Value) <= within+1e-9) {
			t.Errorf("%s: %s is %v, simulated %v", what, name, a, b)
		}
	}
	same("goodput", got.Goodput, want.Goodput)
	for i := range got.Classes {
		a, b := &got.Classes[i], &want.Classes[i]
		if !a.Blocked.Known() {
			same("waiting of "+a.Name, a.Waiting.Mean, b.Waiting.Mean)
			same("response of "+a.Name, a.Response.Mean, b.Response.Mean)
			same("first start of "+a.Name, a.FirstStart, b.FirstStart)
		} else {
			same("blocked of "+a.Name, a.Blocked, b.Blocked)
		}
		same("hits of "+a.Name, a.Interruptions, b.Interruptions)
		same("lost of "+a.Name, a.Lost, b.Lost)
		same("ETTR of "+a.Name, a.ETTR, b.ETTR)
	}
}
