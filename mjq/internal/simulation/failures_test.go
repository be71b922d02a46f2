package simulation_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestFailuresAgainstExactValues: intervals of simulations of servers that fail hold the exact values,
// of queues (chains), of interruptions (Pollaczek and Khinchin), of a job alone (closed form) and of a
// job that nearly never ends (Erlang's loss formula for its spares).
func TestFailuresAgainstExactValues(t *testing.T) {
	fail := func(s int, rate, up float64, repair mjq.Law) mjq.Model {
		return mjq.Servers(s).Poisson(rate).Failures("hw", mjq.ExpMean(up), repair)
	}
	none := mjq.Deterministic(0)
	two := fail(5, 1.1, 20, mjq.ExpMean(2)).Class("c0", 1, 0.7, mjq.ExpMean(1)).Class("c1", 3, 0.3, mjq.ExpMean(1.25)).After(mjq.Resume)
	wide := fail(6, 0.6, 50, mjq.ExpMean(5)).Class("c0", 2, 0.8, mjq.ExpMean(1)).Class("c1", 5, 0.2, mjq.ExpMean(1/0.7)).Crews(2).After(mjq.Resume)
	interrupted := fail(8, 1./6, 200, none).Class("c0", 5, 0.7, mjq.Deterministic(2)).Class("c1", 8, 0.3, mjq.Deterministic(6)).
		After(mjq.Checkpoint{Every: 1, Cost: 0.05, Recovery: 0.1})
	alone := fail(64, 1./60, 1000, none).Class("c0", 64, 1, mjq.Deterministic(10)).After(mjq.Checkpoint{How: mjq.Restart, Recovery: 0.5})
	// One job after another, each of 2000 of work, on 8 servers of 10.
	busy := fail(10, 1e-4, 100, mjq.Deterministic(10)).Class("c0", 8, 1, mjq.Deterministic(2000)).WhileBusy().After(mjq.Checkpoint{Every: 1, Cost: 0.05, Recovery: 0.2})
	for _, x := range []struct {
		name  string
		model mjq.Model
		how   mjq.Simulation
		want  map[string]func(r *result.Result) result.Estimate
	}{
		{"two", two, mjq.Simulation{}, map[string]func(r *result.Result) result.Estimate{
			"fail-two-W0": func(r *result.Result) result.Estimate { return r.Class("c0").Waiting.Mean }, "fail-two-W1": func(r *result.Result) result.Estimate { return r.Class("c1").Waiting.Mean },
			"fail-two-hits0": func(r *result.Result) result.Estimate { return r.Class("c0").Interruptions }, "fail-two-hits1": func(r *result.Result) result.Estimate { return r.Class("c1").Interruptions }}},
		{"wide", wide, mjq.Simulation{}, map[string]func(r *result.Result) result.Estimate{
			"fail-two_wide-W0": func(r *result.Result) result.Estimate { return r.Class("c0").Waiting.Mean }, "fail-two_wide-W1": func(r *result.Result) result.Estimate { return r.Class("c1").Waiting.Mean },
			"fail-two_wide-hits1": func(r *result.Result) result.Estimate { return r.Class("c1").Interruptions }}},
		{"interrupted", interrupted, mjq.Simulation{}, map[string]func(r *result.Result) result.Estimate{
			"inter-all_two-T0": func(r *result.Result) result.Estimate { return r.Class("c0").Response.Mean }, "inter-all_two-T1": func(r *result.Result) result.Estimate { return r.Class("c1").Response.Mean },
			"inter-all_two-first": func(r *result.Result) result.Estimate { return r.All.FirstStart }}},
		{"alone", alone, mjq.Simulation{}, map[string]func(r *result.Result) result.Estimate{
			"alone-none-ettr": func(r *result.Result) result.Estimate { return r.Class("c0").ETTR }}},
		{"busy", busy, mjq.Simulation{Jobs: 150}, map[string]func(r *result.Result) result.Estimate{
			"busy-small_det-ettr": func(r *result.Result) result.Estimate { return r.Class("c0").ETTR }}},
	} {
		r, err := x.model.Solve(context.Background(), x.how, mjq.MaxJobs(oracle.Sized(100_000, 4_000_000)), mjq.Seed(5))
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		for id, of := range x.want {
			want, e := oracle.Extended(t, id).Value, of(r)
			if !(math.Abs(e.Value-want) <= 2*e.HalfWidth) || !(e.HalfWidth < 0.1*want) { // four standard errors
				t.Errorf("%s: %v, exactly %v", id, e, want)
			}
		}
		for _, note := range r.Notes {
			if strings.Contains(note, "jobs are lost") {
				t.Errorf("%s: %s", x.name, note)
			}
		}
		if up := x.model.Spec(); x.name == "two" {
			if want := float64(up.Servers) * 20 / 22; !(math.Abs(r.Up.Value-want) <= 2*r.Up.HalfWidth) {
				t.Errorf("up %v, exactly %v", r.Up, want)
			}
		}
	}
}

// TestCheckpointsBecomeOthers: without failures that come a queue is the one without, draw for draw,
// two exponential kinds are one with the sum of their rates, and checkpoints that are free and endlessly
// frequent keep all work.
func TestCheckpointsBecomeOthers(t *testing.T) {
	base := mjq.Servers(6).Poisson(0.8).Class("a", 2, 0.8, mjq.ExpMean(1)).Class("b", 5, 0.2, mjq.ExpMean(1.4))
	solve := func(m mjq.Model) *result.Result {
		return mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(4000, 40_000), Replications: 16}, mjq.Seed(3)))
	}
	near := func(name string, a, b result.Estimate) {
		if !(math.Abs(a.Value-b.Value) <= 2*math.Hypot(a.HalfWidth, b.HalfWidth)) {
			t.Errorf("%s: %v and %v", name, a, b)
		}
	}
	plain, never := solve(base), solve(base.Failures("hw", mjq.ExpMean(1e12), mjq.ExpMean(1)))
	if d := plain.All.Waiting.Mean.Value - never.All.Waiting.Mean.Value; math.Abs(d) > 1e-9 {
		t.Errorf("without failures %v, with none that comes %v", plain.All.Waiting.Mean, never.All.Waiting.Mean)
	}
	fails := base.Failures("hw", mjq.ExpMean(30), mjq.ExpMean(2))
	one, both := solve(fails.After(mjq.Restart)), solve(base.Failures("a", mjq.ExpMean(50), mjq.ExpMean(2)).Failures("b", mjq.ExpMean(75), mjq.ExpMean(2)))
	near("one kind and two", one.All.Waiting.Mean, both.All.Waiting.Mean)
	near("one kind and two", one.Up, both.Up)
	resume, often := solve(fails.After(mjq.Resume)), solve(fails.After(mjq.Checkpoint{Every: 1e-4}))
	near("resume and checkpoints without end", resume.All.Waiting.Mean, often.All.Waiting.Mean)
	if long := solve(fails.After(mjq.Checkpoint{Every: 1e4, Cost: 3})); long.All.Waiting.Mean != one.All.Waiting.Mean {
		t.Errorf("restart %v, checkpoints that no job writes %v", one.All.Waiting.Mean, long.All.Waiting.Mean)
	}
}
