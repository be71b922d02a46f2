package mjq

import (
	"context"
	"errors"
	"github.com/mjqueue/mjq/mjq/internal/oracle"
	"math"
	"strings"
	"testing"
)

// TestOptimum: no policy's exact mean is below the optimum of its kind, preemption never
// harms, and the optimal policy does in simulations what was promised.
func TestOptimum(t *testing.T) {
	m := Servers(3).Poisson(0.8).Class("one", 1, 0.6, ExpMean(1)).Class("all", 3, 0.4, ExpMean(0.8))
	held, free := Must(m.Optimum(background, RelErr(1e-4))), Must(m.Optimum(background, PolicyIteration{Preemptive: true},
		RelErr(1e-4)))
	if free.Cost.Value > held.Cost.Value || held.Lower > held.Cost.Value || !held.Run.Complete {
		t.Errorf("preemptive %v, else %v above %v", free.Cost, held.Cost, held.Lower)
	}
	for _, p := range []Policy{Window(1), Window(3), FirstFit(), MostServersFirst(), LeastServersFirst(), Quickswap(1), AdaptiveQuickswap()} {
		if e := held.Excess(Must(m.Policy(p).Solve(background, Exact{}))); !(e.Value > -e.HalfWidth) {
			t.Errorf("%v is better than the optimum: %v", p, e)
		}
	}
	for _, p := range []Policy{ServerFilling(), MaxWeight(), PreemptiveMostServersFirst(), PreemptiveLeastServersFirst()} {
		if e := free.Excess(Must(m.Policy(p).Solve(background, Exact{}))); !(e.Value > -e.HalfWidth) {
			t.Errorf("%v is better than the preemptive optimum: %v", p, e)
		}
	}
	if held.Decisions.Preemptive || free.Decisions.Serves([]int{0, 0}, []int{0, 0})[0] != 0 {
		t.Error("something runs in an empty system")
	}
	for _, o := range []struct {
		p    Policy
		wait float64
	}{{OptimalPolicy(held), held.Wait.Value}, {OptimalPolicy(free), free.Wait.Value}} {
		q := m.Policy(o.p)
		oracle.Within(t, o.p.String(), Must(q.Solve(background, Simulation{Jobs: 20_000, Replications: 16})).All.Waiting.Mean, o.wait, 4)
		oracle.Within(t, o.p.String()+" unbiased", Must(q.Solve(background, Unbiased{Samples: 128, PathLength: 2000})).All.Waiting.Mean, o.wait, 4)
	}
}

// TestOptimumFaults: what it is not for, all at once; sizes; instability; the end of a
// context; a policy of another queue.
func TestOptimumFaults(t *testing.T) {
	m := Servers(3).Poisson(0.8).Class("one", 1, 0.6, ExpMean(1)).Class("all", 3, 0.4, Deterministic(1))
	_, err := m.Optimum(background, PolicyIteration{MaxBytes: -1, Weights: map[string]float64{"one": math.NaN(), "two": 1}}, RelErr(-1))
	oracle.Mention(t, err, `Weight("one", NaN)`, `Weight("two")`, `class "all"`, "MaxBytes(-1)", "RelErr(-1)")
	good := Servers(3).Poisson(0.8).Class("one", 1, 0.6, ExpMean(1)).Class("all", 3, 0.4, ExpMean(1))
	_, err = good.Optimum(background, PolicyIteration{MaxBytes: 1e5})
	oracle.Mention(t, err, "MB", "MaxBytes")
	if o := Must(good.AtRate(5).Optimum(background)); o.Stable || !math.IsInf(o.Wait.Value, 1) {
		t.Errorf("beyond the capacity: %v", o)
	}
	ctx, stop := context.WithCancel(background)
	stop()
	if _, err := good.Optimum(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	o := Must(good.Optimum(background, RelErr(0.01)))
	_, err = Servers(4).Poisson(0.8).Class("two", 2, 1, ExpMean(1)).Policy(OptimalPolicy(o)).Solve(background, Simulation{})
	oracle.Mention(t, err, "3 servers, not for 4", `class "two" needs 2 servers`)
	if text := o.String(); !strings.Contains(text, "no policy has less") || !strings.Contains(o.HTML(), "<b>Note:</b>") {
		t.Errorf("%s", text)
	}
}
