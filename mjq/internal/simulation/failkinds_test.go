package simulation_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestMigratingJobsAgainstTheChain: jobs that move to other servers as failures come have the waits and
// the interruptions of the chain.
func TestMigratingJobsAgainstTheChain(t *testing.T) {
	ctx := context.Background()
	m := mjq.Servers(5).Poisson(1.1).Class("c0", 1, 0.7, mjq.ExpMean(1)).Class("c1", 3, 0.3, mjq.ExpMean(1.25)).
		Failures("hw", mjq.ExpMean(20), mjq.ExpMean(2)).After(mjq.Migrate)
	exact := mjq.Must(m.Solve(ctx, mjq.Exact{}))
	r := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: oracle.Sized(5000, 50_000), Replications: 32}, mjq.Seed(9)))
	near := func(what string, e, want result.Estimate) {
		if !(math.Abs(e.Value-want.Value) <= 2*e.HalfWidth) || !(e.HalfWidth < 0.25*want.Value) {
			t.Errorf("%s: %v, exactly %v", what, e, want.Value)
		}
	}
	for c := range r.Classes {
		near("wait", r.Classes[c].Waiting.Mean, exact.Classes[c].Waiting.Mean)
		near("hits", r.Classes[c].Interruptions, exact.Classes[c].Interruptions)
	}
	near("up", r.Up, exact.Up)
}

// TestLemonsAndNoticeAtTheirLimits: lemons that fail no more often than others, and a notice that no
// checkpoint fits into, change nothing; if all servers are lemons, all fail that much more often; and a
// job that is warned early enough keeps all but the time of a checkpoint.
func TestLemonsAndNoticeAtTheirLimits(t *testing.T) {
	ctx := context.Background()
	queue := func(up float64) mjq.Model {
		return mjq.Servers(6).Poisson(0.9).Class("a", 2, 1, mjq.ExpMean(1.5)).Failures("hw", mjq.ExpMean(up), mjq.ExpMean(2)).
			After(mjq.Checkpoint{Every: 0.5, Cost: 0.05, Recovery: 0.1})
	}
	solve := func(m mjq.Model) *result.Result {
		return mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: oracle.Sized(4000, 50_000), Replications: 24}, mjq.Seed(8)))
	}
	near := func(what string, a, b *result.Result) {
		t.Helper()
		for _, e := range [][2]result.Estimate{{a.All.Waiting.Mean, b.All.Waiting.Mean}, {a.All.Interruptions, b.All.Interruptions}, {a.All.Lost, b.All.Lost}, {a.Up, b.Up}} {
			if !(math.Abs(e[0].Value-e[1].Value) <= 1.5*math.Hypot(e[0].HalfWidth, e[1].HalfWidth)) {
				t.Errorf("%s: %v and %v", what, e[0], e[1])
			}
		}
	}
	plain, worse := solve(queue(30)), solve(queue(10))
	near("lemons that are none", solve(queue(30).Lemons(0.5, 1)), plain)
	near("all are lemons", solve(queue(30).Lemons(1, 3)), worse)
	near("half are lemons that never fail elsewhere", solve(queue(30).Lemons(0.5, 2).Failures("other", mjq.ExpMean(1e9), mjq.ExpMean(1))), solve(queue(30).Lemons(0.5, 2)))
	if late := solve(queue(30).Notice(0.04)); late.All.Waiting.Mean != plain.All.Waiting.Mean || late.All.Lost != plain.All.Lost {
		t.Errorf("a notice that is too short: %v, without %v", late.All.Waiting.Mean, plain.All.Waiting.Mean)
	}
	early := solve(queue(30).Notice(0.05))
	if !(early.All.Lost.Value < plain.All.Lost.Value-early.All.Lost.HalfWidth) {
		t.Errorf("a notice in time loses %v, without one %v", early.All.Lost, plain.All.Lost)
	}
}

// TestNoHitsAreABound: where a run sees no failure, the time lost has a bound, not 0 ± 0.
func TestNoHitsAreABound(t *testing.T) {
	m := mjq.Servers(4).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1)).Failures("hw", mjq.ExpMean(1e9), mjq.ExpMean(1))
	r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 1000}))
	if c := r.Class("a"); c.Lost.Value != 0 || !(c.Lost.HalfWidth > 0) || !(c.Lost.HalfWidth >= c.Interruptions.HalfWidth) {
		t.Errorf("lost %v, interruptions %v", c.Lost, c.Interruptions)
	}
}
