package interval_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestRareServicesFromAState: intervals of replications from an empty queue on that meet a
// hundred jobs of the rare class, and four of its long services, hold the means of the chain.
// Of 30 runs of which each holds one with probability 0.95, fewer than 24 do once in 1500 times;
// by what the replications show alone the mean waits of parts were held in 0.68 to 0.85 of them.
func TestRareServicesFromAState(t *testing.T) {
	const parts = 2
	runs := oracle.Sized(8, 30)
	m := rareServices(30)
	exact := mjq.Must(m.Transient(context.Background(), mjq.State{}, mjq.Horizon{Until: 20, Parts: parts}, mjq.Exact{}))
	var held [parts][3]int
	for seed := range uint64(runs) {
		c := mjq.Must(m.Transient(context.Background(), mjq.State{}, mjq.Horizon{Until: 20, Parts: parts}, mjq.Simulation{Replications: 800}, mjq.Seed(seed+1)))
		for k := range c.Parts {
			p, truth := &c.Parts[k], &exact.Parts[k]
			for i, e := range []result.Estimate{p.All.Waiting.Mean, p.Class("c").Response.Mean, p.MeanQueue} {
				if e.Covers([]result.Estimate{truth.All.Waiting.Mean, truth.Class("c").Response.Mean, truth.MeanQueue}[i].Value) {
					held[k][i]++
				}
			}
			if !math.IsNaN(p.All.Waiting.Variance.HalfWidth) {
				t.Errorf("part %d: the variance is %v", k, p.All.Waiting.Variance)
			}
		}
	}
	for k, h := range held {
		if min(h[0], h[1], h[2]) < runs*4/5 {
			t.Errorf("part %d: %v of %d intervals hold the mean wait, the mean response of class c and the queue", k, h, runs)
		}
	}
}

// TestRareServicesUnseenByTime: parts of which the replications, or samples, expect none of the
// long services have no interval, and a note names the class; parts with many have theirs.
func TestRareServicesUnseenByTime(t *testing.T) {
	m := rareServices(1000)
	day := mjq.Servers(16).Profile(24, 3, 9).Class("c", 1, 0.999, mjq.ExpMean(1)).Class("r", 16, 0.001, mjq.HyperExpMeanSCV(5, 1000))
	usual := mjq.Servers(16).Poisson(6).Class("c", 1, 0.999, mjq.ExpMean(1)).Class("r", 16, 0.001, mjq.ExpMean(5))
	for name, c := range map[string]*result.Transient{
		"from a state":   mjq.Must(m.Transient(context.Background(), mjq.State{}, mjq.Horizon{Until: 40, Parts: 4}, mjq.Simulation{Replications: 400})),
		"by time":        mjq.Must(day.ByTime(context.Background(), 4, mjq.Simulation{Jobs: 20_000, Replications: 8})),
		"by time, drawn": mjq.Must(day.ByTime(context.Background(), 4, mjq.Backward{Samples: 20})),
	} {
		for k := range c.Parts {
			p := &c.Parts[k]
			for _, e := range []result.Estimate{p.All.Waiting.Mean, p.All.Waiting.Variance, p.Class("c").Waiting.Mean, p.Class("r").Response.Mean} {
				if !math.IsNaN(e.HalfWidth) {
					t.Errorf("%s, part %d: %v", name, k, e)
				}
			}
		}
		if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, `service times of class "r" longer than`) || !strings.Contains(notes, "at least") {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
	c := mjq.Must(usual.Transient(context.Background(), mjq.State{}, mjq.Horizon{Until: 40, Parts: 4}, mjq.Simulation{Replications: 4000}))
	for k := range c.Parts {
		if e := c.Parts[k].All.Waiting.Mean; !(e.HalfWidth < e.Value) || len(c.Notes) > 0 {
			t.Errorf("part %d: %v, notes %q", k, e, c.Notes)
		}
	}
	// What the start has decides when its line begins.
	late := mjq.State{Running: []mjq.Running{{Class: "r"}}, Line: []string{"c"}}
	if c := mjq.Must(m.Transient(context.Background(), late, mjq.Horizon{Until: 40, Parts: 4},
		mjq.Simulation{Replications: 400})); !math.IsNaN(c.Line[0].Mean.HalfWidth) {
		t.Errorf("the line begins at %v", c.Line[0].Mean)
	}
	if c := mjq.Must(usual.Transient(context.Background(), late, mjq.Horizon{Until: 40, Parts: 4},
		mjq.Simulation{Replications: 400})); !c.Line[0].Mean.Covers(5) || !(c.Line[0].Mean.HalfWidth < 1) {
		t.Errorf("the line begins at %v, want 5", c.Line[0].Mean)
	}
}
