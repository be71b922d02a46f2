package simulation_test

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

// shrinking are queues with elastic and partial jobs that have an exact solution.
func shrinking() map[string]mjq.Model {
	trains := mjq.Servers(16).Poisson(2.2).Class("small", 4, .7, mjq.ExpMean(1)).Class("train", 8, .3, mjq.ExpMean(2))
	three := mjq.Servers(7).Poisson(1.3).Class("a", 1, .5, mjq.ExpMean(1)).Class("b", 3, .3, mjq.ExpMean(1.5)).Class("c", 4, .2, mjq.ExpMean(2))
	return map[string]mjq.Model{
		"train":        trains.Elastic("train", 2, 16, mjq.Power(.8)),
		"train_oldest": trains.Elastic("train", 2, 16, mjq.Power(.8)).Oldest(),
		"in sizes":     trains.AtRate(1.7).Elastic("train", 4, 16, mjq.Linear().Sizes(4, 8, 12, 16)),
		"three":        three.Elastic("b", 1, 5, mjq.Amdahl(.9)).Partial("c", 2, mjq.Power(.6)),
		"alone":        mjq.Servers(6).Poisson(0.7).Class("only", 4, 1, mjq.ExpMean(2)).Elastic("only", 1, 6, mjq.Speeds(1, 1.9, 2.6, 3.2, 3.7, 4)),
		"partial":      mjq.Servers(8).Poisson(1.5).Class("one", 1, .6, mjq.ExpMean(1)).Class("four", 4, .4, mjq.ExpMean(5./3)).Partial("four", 2, mjq.Amdahl(.9)),
	}
}

// TestElasticAgainstExact: intervals of the simulation hold what the chain finds, and so does the limit by
// saturated simulation.
func TestElasticAgainstExact(t *testing.T) {
	for name, m := range shrinking() {
		want := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		got := mjq.Must(m.Solve(context.Background(), mjq.Simulation{}, mjq.MaxJobs(oracle.Sized(300_000, 4_000_000)), mjq.Seed(4)))
		near := func(what string, e result.Estimate, exact result.Estimate) {
			if !(math.Abs(e.Value-exact.Value) <= 2*e.HalfWidth+1e-12) || !(e.HalfWidth < 0.2*exact.Value+1e-9) { // four standard errors
				t.Errorf("%s: %s %v, exactly %v", name, what, e, exact)
			}
		}
		near("idle", got.Idle, want.Idle)
		near("jobs", got.MeanJobs, want.MeanJobs)
		for i := range want.Classes {
			g, w := &got.Classes[i], &want.Classes[i]
			near(w.Name+" waits", g.Waiting.Mean, w.Waiting.Mean)
			near(w.Name+" responds", g.Response.Mean, w.Response.Mean)
			near(w.Name+" has", g.Size, w.Size)
			near(w.Name+" is stretched", g.Stretch, w.Stretch)
		}
		near("all stretched", got.All.Stretch, want.All.Stretch)
		near("all have", got.All.Size, want.All.Size)
		for _, note := range got.Notes {
			if strings.Contains(note, "jobs are lost") || strings.Contains(note, "leave out") {
				t.Errorf("%s: %s", name, note)
			}
		}
	}
}

// TestElasticBecomesOther: a job that may have one size only is today's, bit for bit, under every policy;
// one class of linear speed is a faster server; a time to resize only makes things slower.
func TestElasticBecomesOther(t *testing.T) {
	base := mjq.Servers(8).Poisson(1.2).Class("a", 2, .7, mjq.LogNormalMeanSCV(1, 2)).Class("b", 4, .3, mjq.ErlangMeanPhases(2, 3))
	how := mjq.Simulation{Jobs: 2000, Replications: 8, SlowdownThreshold: 0.1}
	for _, p := range []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.EASY(), mjq.Priority([]string{"b"}, []string{"a"})} {
		m := base.Policy(p)
		want := mjq.Must(m.Solve(context.Background(), how))
		for _, same := range []mjq.Model{m.Elastic("b", 4, 4, mjq.Power(.5)), m.Partial("b", 4, mjq.Linear())} {
			got := mjq.Must(same.Solve(context.Background(), how))
			if !oracle.SameBits(got.All, want.All) || !oracle.SameBits(got.Classes, want.Classes) || got.Idle != want.Idle {
				t.Errorf("%v: %v of one size %v, rigid %v", p, same, got.All.Waiting.Mean, want.All.Waiting.Mean)
			}
		}
	}
	one := mjq.Servers(6).Poisson(4.5).Class("only", 1, 1, mjq.ExpMean(1)).Elastic("only", 1, 6, mjq.Linear())
	long := mjq.Simulation{Jobs: int(oracle.Sized(10_000, 100_000)), Replications: 16}
	// A job in service shares all servers, so that the number there is that of M/M/1 at 6.
	oracle.Within(t, "one class of linear speed", mjq.Must(one.Solve(context.Background(), long)).MeanJobs, 3, 4)
	free := mjq.Must(one.Elastic("only", 1, 6, mjq.Power(.8)).AtRate(3).Solve(context.Background(), long))
	slow := mjq.Must(one.Elastic("only", 1, 6, mjq.Power(.8).Resize(0.02)).AtRate(3).Solve(context.Background(), long))
	if !(slow.All.Response.Mean.Lo() > free.All.Response.Mean.Hi()) || !(slow.All.Resizes.Value > 1) {
		t.Errorf("with a time to resize %v, without %v", slow.All.Response.Mean, free.All.Response.Mean)
	}
}

// TestElasticWork: with linear speed and no time to resize jobs bring the work of rigid ones, whatever the
// policy and the sizes.
func TestElasticWork(t *testing.T) {
	base := mjq.Servers(12).Poisson(1.6).Class("a", 3, .6, mjq.LogNormalMeanSCV(1, 2)).Class("b", 6, .4, mjq.ErlangMeanPhases(2, 3)).
		Elastic("b", 2, 12, mjq.Linear()).Partial("a", 1, mjq.Linear())
	want := 1.6 * (.6*3 + .4*6*2)
	for _, p := range []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.EASY(), policy.EASY().Estimates(policy.UniformFactor(3)), mjq.Priority([]string{"b"}, []string{"a"})} {
		r := mjq.Must(base.Policy(p).Solve(context.Background(), mjq.Simulation{Jobs: 5000, Replications: 16}))
		busy := result.Estimate{Value: 12 - r.Idle.Value, HalfWidth: r.Idle.HalfWidth}
		oracle.Within(t, fmt.Sprint(p), busy, want, 4)
	}
}

// TestElasticLimits: limits by saturated simulation are those of the chain, and a search under a policy
// that starts in order finds the same.
func TestElasticLimits(t *testing.T) {
	for name, m := range shrinking() {
		exact := mjq.Must(m.Stability(context.Background(), mjq.Exact{}))
		general := m.Spec()
		for i := range general.Classes { // the same law under another name
			general.Classes[i].Service = ownExp{general.Classes[i].Service}
		}
		st := mjq.Must(mjq.FromSpec(general).Stability(context.Background()))
		if st.Method != "saturated simulation" || !(math.Abs(st.Rate-exact.Rate) <= 2*st.HalfWidth) || !(st.HalfWidth < 0.02*st.Rate) {
			t.Errorf("%s: %v, exactly %v", name, st, exact)
		}
	}
}

// ownExp is a law that does not say that it is exponential.
type ownExp struct{ mjq.Law }

// TestElasticCoverage: intervals of sizes, changes and stretches hold the truth as often as they say. The
// changes are those of one far longer run.
func TestElasticCoverage(t *testing.T) {
	runs := int(oracle.Sized(30, 400))
	for _, name := range []string{"train", "three", "alone"} {
		m := shrinking()[name]
		if name == "train" {
			m = m.AtRate(1.6) // at which short runs have intervals
		}
		want := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		class := want.Classes[len(want.Classes)-1].Name
		if name == "three" {
			class = "b"
		}
		truth := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: int(oracle.Sized(15_000, 1_000_000)), Replications: 16}, mjq.Seed(99))).Class(class).Resizes.Value
		var size, stretch, resizes int
		for seed := range runs {
			r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: int(oracle.Sized(1000, 3000)), Replications: 20}, mjq.Seed(uint64(seed+1)), mjq.NoCache())).Class(class)
			holds := func(e result.Estimate, x float64) int {
				if math.Abs(e.Value-x) <= e.HalfWidth {
					return 1
				}
				return 0
			}
			size += holds(r.Size, want.Class(class).Size.Value)
			stretch += holds(r.Stretch, want.Class(class).Stretch.Value)
			resizes += holds(r.Resizes, truth)
		}
		t.Logf("%s: of %d intervals hold: size %d, stretch %d, resizes %d", name, runs, size, stretch, resizes)
		least := int(float64(runs) * (0.93 - 3*math.Sqrt(.93*.07/float64(runs))))
		if min(size, stretch, resizes) < least {
			t.Errorf("%s: of %d intervals hold: size %d, stretch %d, resizes %d", name, runs, size, stretch, resizes)
		}
	}
}
