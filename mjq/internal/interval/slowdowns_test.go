package interval_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestSlowdownsWithoutMoments: the slowdown 1 + W/σ of exponential services has an infinite
// mean, that of three phases a finite one without a variance of its own to trust, that of
// eight or of services bounded below an interval, and so has the bounded slowdown of all.
func TestSlowdownsWithoutMoments(t *testing.T) {
	inf := math.Inf(1)
	of := func(service mjq.Law, p mjq.Policy, threshold float64) *result.Result {
		m := mjq.Servers(4).Poisson(1.5).Class("long", 2, 0.5, mjq.Deterministic(1)).Class("short", 1, 0.5, service).Policy(p)
		return mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 500, Replications: 8, SlowdownThreshold: threshold}, mjq.Seed(1)))
	}
	for _, c := range []struct {
		service   mjq.Law
		policy    mjq.Policy
		threshold float64
		mean      bool // is finite
		interval  bool
		variance  bool // has an interval
	}{
		{mjq.ExpMean(1), mjq.FCFS(), 0, false, true, true},
		{mjq.ExpMean(1), mjq.ServerFilling(), 0, false, true, true},
		{mjq.ExpMean(1), mjq.EASY(), 0, false, true, true},
		{mjq.ExpMean(1), policy.ServerFillingSRPT{}, 0, false, true, true},
		{mjq.ExpMean(1), policy.FirstFitSRPT{}, 0, true, true, true},
		{mjq.ExpMean(1), mjq.FCFS(), 0.1, true, true, true},
		{mjq.HyperExpMeanSCV(1, 4), mjq.FirstFit(), 0, false, true, true},
		{mjq.ErlangMeanPhases(1, 2), mjq.FCFS(), 0, true, false, true},
		{mjq.ErlangMeanPhases(1, 3), mjq.FCFS(), 0, true, true, false},
		{mjq.ErlangMeanPhases(1, 8), mjq.FCFS(), 0, true, true, true},
		{mjq.WeibullMeanShape(1, 0.5), mjq.FCFS(), 0, false, true, true},
		{mjq.Uniform(0, 2), mjq.FCFS(), 0, false, true, true},
		{mjq.Uniform(0.5, 1.5), mjq.FCFS(), 0, true, true, true},
		{mjq.LogNormalMeanSCV(1, 2), mjq.FCFS(), 0, true, true, true},
	} {
		r := of(c.service, c.policy, c.threshold)
		for i, x := range []*result.ClassResult{r.Class("short"), &r.All, r.Class("long")} {
			mean, variance := x.Slowdown.Mean, x.Slowdown.Variance
			finite, interval, known := c.mean, c.interval, c.variance
			if i == 2 {
				finite, interval, known = true, true, true
			}
			if (mean.Value < inf) != finite || math.IsNaN(mean.HalfWidth) == interval || math.IsNaN(variance.HalfWidth) == (known && interval) && variance.Value < inf {
				t.Errorf("%v under %v from %v: slowdown of %s %v, variance %v", c.service, c.policy, c.threshold, x.Name, mean, variance)
			}
		}
		if notes := strings.Join(r.Notes, " "); strings.Contains(notes, "SlowdownThreshold") == (c.mean && c.interval && c.variance) {
			t.Errorf("%v under %v from %v: notes %q", c.service, c.policy, c.threshold, notes)
		}
	}
}

// TestComparisonOfInfiniteSlowdowns: there is no difference of what is infinite, and no
// column of it.
func TestComparisonOfInfiniteSlowdowns(t *testing.T) {
	m := mjq.Servers(4).Poisson(1).Class("one", 1, 0.8, mjq.ExpMean(1)).Class("all", 4, 0.2, mjq.ExpMean(1))
	c := mjq.Must(mjq.Compare(context.Background(), m, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}, mjq.Simulation{Jobs: 500, Replications: 8}, mjq.Seed(1)))
	if d := c.Between("FCFS", "FirstFit").All; !math.IsNaN(d.Slowdown.Value) || math.IsNaN(d.Waiting.HalfWidth) {
		t.Errorf("%+v", d)
	}
	bounded := mjq.Must(mjq.Compare(context.Background(), m, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}, mjq.Simulation{Jobs: 500, Replications: 8, SlowdownThreshold: 0.1},
		mjq.Seed(1)))
	if s := c.Table().String() + c.ByClass().String(); strings.Contains(s, "slowdown") {
		t.Error(s)
	}
	if s := bounded.Table().String(); !strings.Contains(s, "mean slowdown") || math.IsNaN(bounded.Between("FCFS", "FirstFit").All.Slowdown.HalfWidth) {
		t.Error(s)
	}
	if notes := strings.Join(c.Notes, " "); !strings.Contains(notes, "FCFS, FirstFit: The mean slowdown is infinite: service times ExpMean(1)") {
		t.Errorf("notes %q", notes)
	}
}
