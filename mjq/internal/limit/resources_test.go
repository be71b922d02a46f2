package limit_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestRandomAssignmentLimits holds the pile against independent simulations and
// against the paper's digits of Table 3.
func TestRandomAssignmentLimits(t *testing.T) {
	for _, v := range oracle.Values(t, "A3", "lambda_c_RA") {
		b := workload.FiveClassExponential()
		if v.Parameters["dist"] != "exponential" {
			b = workload.FiveClassBoundedPareto()
		}
		m := b.RandomAssignment()
		st := mjq.Must(m.Stability(context.Background(), mjq.RelErr(0.0015), mjq.Seed(2)))
		// The reference has an interval of its own.
		tolerance := 2.2 * math.Hypot(st.HalfWidth, map[bool]float64{true: 0.00036, false: 0.00071}[v.Parameters["dist"] == "exponential"])
		if want := v.Value.(float64); math.Abs(st.Rate-want) > tolerance || st.HalfWidth > 0.002 {
			t.Errorf("%v: %v, want %v", v.Parameters["dist"], st, want)
		}
	}
}

// TestRandomSingleServers: jobs of one server under random assignment are s
// queues M/M/1 at a rate of λ/s each.
func TestRandomSingleServers(t *testing.T) {
	m := mjq.Servers(5).Poisson(3).Class("one", 1, 1, mjq.ExpMean(1)).RandomAssignment()
	r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 4000}))
	oracle.Within(t, "M/M/1 at load 0.6", r.All.Waiting.Mean, 1.5, 4.5)
	oracle.Within(t, "its variance", r.All.Waiting.Variance, 0.6*(2-0.6)/(0.4*0.4), 4.5)
	oracle.Within(t, "pile", mjq.Must(m.Stability(context.Background())).Estimate(), 5, 4.5)
}

// separate is two types that no job needs together.
func separate(rate float64) mjq.Model {
	return mjq.Resources("a", 1).Resources("b", 1).Poisson(rate).Needing("A", mjq.Needs{"a": 1}, 0.5, mjq.ExpMean(1)).
		Needing("B", mjq.Needs{"b": 1}, 0.5, mjq.ExpMean(1))
}

// TestSeparateTypes has exact values. As printed, two types that no job needs
// together are two queues M/M/1. First come first served, the saturated system
// is a Markov chain of two states: both units busy, or only the one that the
// head of the line waits for. Both last on average 1/2 and 1, and follow each
// other so that the long-run fractions are 1/3 and 2/3: 2/3 + 2/3 services a unit
// of time, and one of three idle units of each type.
func TestSeparateTypes(t *testing.T) {
	ctx := context.Background()
	st := mjq.Must(separate(1).Stability(ctx))
	oracle.Within(t, "first come first served", st.Estimate(), 4.0/3, 4.5)
	for _, r := range st.Resources {
		if math.Abs(r.Wasted-1.0/3) > 0.005 || r.IdealRate != 2 {
			t.Errorf("%+v, want a third wasted and an ideal rate of 2", r)
		}
	}
	oracle.Within(t, "as printed", mjq.Must(separate(1).AsPrinted().Stability(context.Background())).Estimate(), 2, 4.5)
	r := mjq.Must(separate(1).AsPrinted().Solve(ctx, mjq.Backward{Samples: 4000}))
	for _, c := range r.Classes {
		oracle.Within(t, "M/M/1 at load 0.5, class "+c.Name, c.Waiting.Mean, 1, 4.5)
	}
}

// TestSaturationBoundsWaste: near the limit the waste of every type comes close
// to that of the saturated system, from below.
func TestSaturationBoundsWaste(t *testing.T) {
	c := mjq.Resources("cpu", 20).Resources("gpu", 4).Poisson(1).
		Needing("batch", mjq.Needs{"cpu": 3}, 0.6, mjq.ExpMean(1)).
		Needing("train", mjq.Needs{"cpu": 8, "gpu": 2}, 0.4, mjq.ExpMean(2))
	r := mjq.Must(c.AtLoad(0.99).Solve(context.Background(), mjq.Forward{Jobs: 200_000, Replications: 16}))
	for _, x := range mjq.Must(c.Stability(context.Background())).Resources {
		got := r.Resource(x.Name).WastedHOL
		if got.Lo() > x.Wasted || got.Hi() < 0.95*x.Wasted {
			t.Errorf("%s: %v wasted at 0.99 of the limit, %v in saturation", x.Name, got, x.Wasted)
		}
		if idle := r.Resource(x.Name).Idle.Value; got.Value > idle {
			t.Errorf("%s: more units idle while jobs wait, %v, than in all, %v", x.Name, got, idle)
		}
	}
}

// TestSpecificServers: jobs that all name one server are a queue M/M/1, and
// servers drawn at random agree with what they are equivalent to.
func TestSpecificServers(t *testing.T) {
	ctx := context.Background()
	named := mjq.Servers(3).Poisson(0.5).Specific("two", mjq.Pick{Named: []int{2}}, 1, mjq.ExpMean(1))
	r := mjq.Must(named.Solve(ctx, mjq.Backward{Samples: oracle.Sized(1000, 4000)}))
	oracle.Within(t, "M/M/1 at load 0.5", r.All.Waiting.Mean, 1, 4.5)
	if r.Limit.IdealRate != 1 {
		t.Errorf("the ideal rate is %v, the named server allows 1", r.Limit.IdealRate)
	}
	// One of two servers at random, first come first served, is one of two types.
	random := mjq.Servers(2).Poisson(0.9).Specific("some", mjq.Pick{Random: 1}, 1, mjq.ExpMean(1))
	oracle.Within(t, "random of two", mjq.Must(random.Stability(context.Background())).Estimate(), 4.0/3, 4.5)
	a := mjq.Must(random.Solve(ctx, mjq.Backward{Samples: oracle.Sized(1000, 4000)}))
	b := mjq.Must(separate(0.9).Solve(ctx, mjq.Backward{Samples: oracle.Sized(1000, 4000)}, mjq.Seed(2)))
	for what, pair := range map[string][2]result.Estimate{"wait": {a.All.Waiting.Mean, b.All.Waiting.Mean},
		"waste": {a.WastedHOL, sum(b.Resource("a").WastedHOL, b.Resource("b").WastedHOL)}} {
		if math.Abs(pair[0].Value-pair[1].Value) > 2.2*math.Hypot(pair[0].HalfWidth, pair[1].HalfWidth) {
			t.Errorf("%s: random servers %v, random types %v", what, pair[0], pair[1])
		}
	}
	// As printed they are two queues M/M/1.
	oracle.Within(t, "as printed", mjq.Must(random.AtRate(1).AsPrinted().Solve(ctx, mjq.Backward{Samples: oracle.Sized(1000, 4000)})).All.Waiting.Mean, 1, 4.5)
}

// sum adds estimates whose errors may go together.
func sum(a, b result.Estimate) result.Estimate {
	return result.Estimate{Value: a.Value + b.Value, HalfWidth: a.HalfWidth + b.HalfWidth}
}

// TestBackwardAgreesWithForward: what a tagged customer would meet and what the
// jobs themselves meet, by class, with servers drawn at random.
func TestBackwardAgreesWithForward(t *testing.T) {
	ctx := context.Background()
	random := mjq.Servers(6).Poisson(1).Specific("one", mjq.Pick{Any: 1}, 0.5, mjq.ExpMean(1)).
		Specific("four", mjq.Pick{Any: 1, Random: 3}, 0.5, mjq.ExpMean(0.5))
	for _, c := range []mjq.Model{workload.FiveClassExponential().Poisson(0.4).RandomAssignment(), random} {
		a := mjq.Must(c.Solve(ctx, mjq.Backward{Samples: oracle.Sized(1000, 4000)}))
		b := mjq.Must(c.Solve(ctx, mjq.Forward{Jobs: oracle.Sized(10_000, 40_000), Replications: 16}))
		for i := range a.Classes {
			w, v := a.Classes[i].Waiting.Mean, b.Classes[i].Waiting.Mean
			if math.Abs(w.Value-v.Value) > 2.3*math.Hypot(w.HalfWidth, v.HalfWidth) {
				t.Errorf("%v%s: backward %v, forward %v", c, a.Classes[i].Name, w, v)
			}
		}
	}
}
