package mjq

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// TestOptimum: no policy's exact mean is below the optimum of its kind, preemption never
// harms, and the optimal policy does in simulations what was promised.
func TestOptimum(t *testing.T) {
	m := Must(Servers(3).Poisson(0.8).Class("one", 1, 0.6, ExpMean(1)).Class("all", 3, 0.4, ExpMean(0.8)).Build())
	held, free := Must(m.Optimum().RelErr(1e-4).Run(background)), Must(m.Optimum().Preemptive().RelErr(1e-4).Run(background))
	if free.Cost.Value > held.Cost.Value || held.Lower > held.Cost.Value || !held.Run.Complete {
		t.Errorf("preemptive %v, else %v above %v", free.Cost, held.Cost, held.Lower)
	}
	for _, p := range []Policy{Window(1), Window(3), FirstFit(), MostServersFirst(), LeastServersFirst(), Quickswap(1), AdaptiveQuickswap()} {
		if e := held.Excess(Must(m.WithPolicy(p).Exact().Run(background))); !(e.Value > -e.HalfWidth) {
			t.Errorf("%v is better than the optimum: %v", p, e)
		}
	}
	for _, p := range []Policy{ServerFilling(), MaxWeight(), PreemptiveMostServersFirst(), PreemptiveLeastServersFirst()} {
		if e := free.Excess(Must(m.WithPolicy(p).Exact().Run(background))); !(e.Value > -e.HalfWidth) {
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
		q := m.WithPolicy(o.p)
		within(t, o.p.String(), Must(q.Simulate().Jobs(20_000).Replications(16).Run(background)).All.Waiting.Mean, o.wait, 4)
		within(t, o.p.String()+" unbiased", Must(q.Sample().Unbiased().N(128).PathLength(2000).Run(background)).All.Waiting.Mean, o.wait, 4)
	}
}

// TestOptimumFaults: what it is not for, all at once; sizes; instability; the end of a
// context; a policy of another queue.
func TestOptimumFaults(t *testing.T) {
	m := Must(Servers(3).Poisson(0.8).Class("one", 1, 0.6, ExpMean(1)).Class("all", 3, 0.4, Deterministic(1)).Build())
	_, err := m.Optimum().Weight("one", math.NaN()).Weight("two", 1).MaxBytes(-1).RelErr(-1).Run(background)
	mention(t, err, `Weight("one", NaN)`, `Weight("two")`, `class "all"`, "MaxBytes(-1)", "RelErr(-1)")
	good := Must(Servers(3).Poisson(0.8).Class("one", 1, 0.6, ExpMean(1)).Class("all", 3, 0.4, ExpMean(1)).Build())
	_, err = good.Optimum().MaxBytes(1e5).Run(background)
	mention(t, err, "MB", "MaxBytes")
	if o := Must(good.AtRate(5).Optimum().Run(background)); o.Stable || !math.IsInf(o.Wait.Value, 1) {
		t.Errorf("beyond the capacity: %v", o)
	}
	ctx, stop := context.WithCancel(background)
	stop()
	if _, err := good.Optimum().Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	o := Must(good.Optimum().RelErr(0.01).Run(background))
	_, err = Must(Servers(4).Poisson(0.8).Class("two", 2, 1, ExpMean(1)).Build()).WithPolicy(OptimalPolicy(o)).Simulate().Run(background)
	mention(t, err, "3 servers, not for 4", `class "two" needs 2 servers`)
	if text := o.String(); !strings.Contains(text, "no policy has less") || !strings.Contains(o.HTML(), "<b>Note:</b>") {
		t.Errorf("%s", text)
	}
}
