package exact_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestOptimum: no policy's exact mean is below the optimum of its kind, preemption never
// harms, and the optimal policy does in simulations what was promised.
func TestOptimum(t *testing.T) {
	m := mjq.Servers(3).Poisson(0.8).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("all", 3, 0.4, mjq.ExpMean(0.8))
	held, free := mjq.Must(m.Optimum(context.Background(), mjq.RelErr(1e-4))), mjq.Must(m.Optimum(context.Background(), mjq.PolicyIteration{Preemptive: true},
		mjq.RelErr(1e-4)))
	if free.Cost.Value > held.Cost.Value || held.Lower > held.Cost.Value || !held.Run.Complete {
		t.Errorf("preemptive %v, else %v above %v", free.Cost, held.Cost, held.Lower)
	}
	for _, p := range []mjq.Policy{mjq.Window(1), mjq.Window(3), mjq.FirstFit(), mjq.MostServersFirst(), mjq.LeastServersFirst(), mjq.Quickswap(1), mjq.AdaptiveQuickswap()} {
		if e := held.Excess(mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Exact{}))); !(e.Value > -e.HalfWidth) {
			t.Errorf("%v is better than the optimum: %v", p, e)
		}
	}
	for _, p := range []mjq.Policy{mjq.ServerFilling(), mjq.MaxWeight(), mjq.PreemptiveMostServersFirst(), mjq.PreemptiveLeastServersFirst()} {
		if e := free.Excess(mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Exact{}))); !(e.Value > -e.HalfWidth) {
			t.Errorf("%v is better than the preemptive optimum: %v", p, e)
		}
	}
	if held.Decisions.Preemptive || free.Decisions.Serves([]int{0, 0}, []int{0, 0})[0] != 0 {
		t.Error("something runs in an empty system")
	}
	for _, o := range []struct {
		p    mjq.Policy
		wait float64
	}{{mjq.OptimalPolicy(held), held.Wait.Value}, {mjq.OptimalPolicy(free), free.Wait.Value}} {
		q := m.Policy(o.p)
		oracle.Within(t, o.p.String(), mjq.Must(q.Solve(context.Background(), mjq.Simulation{Jobs: 8000, Replications: 16})).All.Waiting.Mean, o.wait, 4)
		oracle.Within(t, o.p.String()+" unbiased", mjq.Must(q.Solve(context.Background(), mjq.Unbiased{Samples: 64, PathLength: 2000})).All.Waiting.Mean, o.wait, 4)
	}
}

// TestOptimumFaults: what it is not for, all at once; sizes; instability; the end of a
// context; a policy of another queue.
func TestOptimumFaults(t *testing.T) {
	m := mjq.Servers(3).Poisson(0.8).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("all", 3, 0.4, mjq.Deterministic(1))
	_, err := m.Optimum(context.Background(), mjq.PolicyIteration{MaxBytes: -1, Weights: map[string]float64{"one": math.NaN(), "two": 1}}, mjq.RelErr(-1))
	oracle.Mention(t, err, `Weights["one"] NaN`, `Weights["two"]`, `class "all"`, "MaxBytes -1", "RelErr(-1)")
	good := mjq.Servers(3).Poisson(0.8).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("all", 3, 0.4, mjq.ExpMean(1))
	_, err = good.Optimum(context.Background(), mjq.PolicyIteration{MaxBytes: 1e5})
	oracle.Mention(t, err, "MB", "MaxBytes")
	if o := mjq.Must(good.AtRate(5).Optimum(context.Background())); o.Stable || !math.IsInf(o.Wait.Value, 1) {
		t.Errorf("beyond the capacity: %v", o)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := good.Optimum(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	o := mjq.Must(good.Optimum(context.Background(), mjq.RelErr(0.01)))
	_, err = mjq.Servers(4).Poisson(0.8).Class("two", 2, 1, mjq.ExpMean(1)).Policy(mjq.OptimalPolicy(o)).Solve(context.Background(), mjq.Simulation{})
	oracle.Mention(t, err, "computed for 3 servers, and the model has 4", `class "two" needs 2 servers`)
	if text := o.String(); !strings.Contains(text, "no policy has less") || !strings.Contains(o.HTML(), "<b>Note:</b>") {
		t.Errorf("%s", text)
	}
}
