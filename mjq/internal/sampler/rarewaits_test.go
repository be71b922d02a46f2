package sampler_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestRareAgainstExact: tails by class, at a probability that a run of as many jobs would
// hardly see.
func TestRareAgainstExact(t *testing.T) {
	m := mjq.Servers(6).Poisson(2).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("three", 3, 0.37, mjq.ErlangMeanPhases(1, 2)).
		Class("six", 6, 0.03, mjq.ErlangMeanPhases(1, 2))
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
	r := mjq.Must(m.Solve(context.Background(), mjq.RareEvent{Wait: 24, Jobs: 25_000, Replications: 40}))
	for i := range r.Classes {
		w, c := &r.Classes[i].Waiting, &exact.Classes[i].Waiting
		for _, x := range []float64{6, 12, 24} {
			got, want := w.Survival(x), c.Survival(x).Value
			if !(math.Abs(got.Value-want) < 2*got.HalfWidth) || !(got.HalfWidth < 0.7*want) {
				t.Errorf("%s: P(W > %v) = %v, want %.3g", r.Classes[i].Name, x, got, want)
			}
		}
	}
	if n := len(r.Run.Thresholds); n < 4 || !strings.Contains(r.String(), "P(W > 24)") {
		t.Errorf("%d thresholds: %s", n, r)
	}
}

// TestRareSays what it is not for, and gives no interval where few rises came so far.
func TestRareSays(t *testing.T) {
	b := mjq.Servers(2).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("two", 2, 0.3, mjq.ExpMean(1))
	m := b.Poisson(0.6)
	_, err := m.Solve(context.Background(), mjq.RareEvent{Wait: -1, Replications: 1})
	oracle.Mention(t, err, "Wait -1", "Replications 1")
	heavy := mjq.Servers(1).Class("one", 1, 1, mjq.LomaxScaleShape(1, 3)).Poisson(0.6)
	_, err = heavy.Solve(context.Background(), mjq.RareEvent{Wait: 10})
	oracle.Mention(t, err, "no exponential moments")
	r := mjq.Must(m.Solve(context.Background(), mjq.RareEvent{Wait: 12, Jobs: 400, WarmUp: 400, Replications: 3}))
	if e := r.All.Waiting.Survival(12); !math.IsNaN(e.HalfWidth) || !strings.Contains(strings.Join(r.Notes, " "), "independent excursions") {
		t.Errorf("%v with notes %v", e, r.Notes)
	}
	lone := mjq.Servers(6).Poisson(1.1).Class("one", 1, 0.97, mjq.ExpMean(1)).Class("six", 6, 0.03, mjq.ExpMean(2))
	r = mjq.Must(lone.Solve(context.Background(), mjq.RareEvent{Wait: 12, Jobs: 5000}))
	if e := r.All.Waiting.Survival(12); !math.IsNaN(e.HalfWidth) || !strings.Contains(strings.Join(r.Notes, " "), "class six falls about as slowly as that of the wait") {
		t.Errorf("%v with notes %v", e, r.Notes)
	}
	r = mjq.Must(m.Solve(context.Background(), mjq.RareEvent{Wait: 8, Jobs: 5000}, mjq.RelErr(0.2)))
	if e := r.All.Waiting.Survival(8); !r.Run.Met || e.RelErr() > 0.2 {
		t.Errorf("met %v: %v", r.Run.Met, e)
	}
	never := mjq.Servers(2).Arrivals(mjq.Deterministic(1)).Class("one", 1, 1, mjq.Uniform(0, 2))
	r = mjq.Must(never.Solve(context.Background(), mjq.RareEvent{Wait: 3, Jobs: 5_000}))
	if e := r.All.Waiting.Survival(3); !math.IsNaN(e.Value) || !strings.Contains(r.String(), "It is impossible") {
		t.Errorf("%v of a wait that cannot be: %s", e, r)
	}
}

// TestRareOfFewJobs: replications shorter than the way up and down find the thresholds all
// the same, for trials grow, and the result says that they were short.
func TestRareOfFewJobs(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.9).Class("one", 1, 1, mjq.ExpMean(1))
	r := mjq.Must(m.Solve(context.Background(), mjq.RareEvent{Wait: 150, Jobs: 1500, WarmUp: 3000, Replications: 40}))
	e, want := r.All.Waiting.Survival(150), 0.9*math.Exp(-15)
	if len(r.Run.Thresholds) < 8 || !(e.Value < 4*want) || !(e.Value > want/4) || !strings.Contains(r.String(), "may be too low") {
		t.Errorf("P(W > 150) = %v with thresholds %.3g, want %.3g: %s", e, r.Run.Thresholds, want, r)
	}
}
