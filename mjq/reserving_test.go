package mjq_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestLimitsOfFailingServersBySearch: where no formula has the limit, the search has the one that a
// formula has of the same queue under another name, so that loads, searches and sweeps work there.
func TestLimitsOfFailingServersBySearch(t *testing.T) {
	ctx := context.Background()
	gang := mjq.Servers(8).Class("job", 2, 1, mjq.ExpMean(1)).Failures("hw", mjq.ExpMean(40), mjq.ExpMean(4)).
		After(mjq.Checkpoint{Every: 0.5, Cost: 0.05, Recovery: 0.1}).Spares(1)
	exact, err := gang.Stability(ctx)
	if err != nil || exact.HalfWidth != 0 {
		t.Fatal(exact, err)
	}
	for name, m := range map[string]mjq.Model{"warned too late": gang.Notice(1e-9), "reserved for no time": gang.Reserve(0, 1e-9, 1).Every(1e3).Hard()} {
		st, err := m.Stability(ctx, mjq.MaxJobs(oracle.Sized(400_000, 20_000_000)))
		if err != nil {
			t.Fatal(name, err)
		}
		if st.HalfWidth == 0 || math.Abs(st.Rate-exact.Rate) > st.HalfWidth || st.HalfWidth > 0.15*st.Rate {
			t.Errorf("%s: %v ± %v, exactly %v", name, st.Rate, st.HalfWidth, exact.Rate)
		}
		r, err := m.AtLoad(0.5).Solve(ctx, mjq.Simulation{Jobs: 2000})
		if err != nil || math.Abs(r.Rate-0.5*exact.Rate) > 0.05*exact.Rate {
			t.Errorf("%s at half of the limit: rate %v, %v", name, r.Rate, err)
		}
	}
}

// TestReservations: a simulation with reservations agrees with what they must be. All servers reserved
// for a tenth of the time by stopping and resuming the jobs is a server that is a tenth of the time
// away; a reservation of spare servers only is nothing.
func TestReservations(t *testing.T) {
	ctx := context.Background()
	how := mjq.Simulation{Jobs: oracle.Sized(5_000, 100_000), Replications: 16}
	base := mjq.Servers(1).Poisson(0.5).Class("job", 1, 1, mjq.ExpMean(1)).After(mjq.Resume)
	// A job that comes in the window waits for its end; the work in the system grows then.
	often := base.Reserve(0.09, 0.01, 1).Every(0.1).Hard()
	r, err := often.Solve(ctx, how, mjq.Seed(4))
	if err != nil {
		t.Fatal(err)
	}
	// At windows far shorter than services the server is one of speed 0.9: M/M/1 of rate 0.9.
	if want := 1 / (0.9 - 0.5); math.Abs(r.All.Response.Mean.Value-want) > 2*r.All.Response.Mean.HalfWidth+0.02 {
		t.Errorf("a server reserved for a tenth of the time: response %v, want nearly %v", r.All.Response.Mean, want)
	}
	if want := 10 / 0.9; math.Abs(r.All.Interruptions.Value-want) > 1 {
		t.Errorf("interruptions %v, want nearly %v", r.All.Interruptions, want)
	}
	two := mjq.Servers(5).Poisson(0.8).Class("a", 2, 0.8, mjq.Deterministic(1)).Class("b", 4, 0.2, mjq.Deterministic(0.5))
	plain, err := two.Solve(ctx, how, mjq.Seed(4))
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]mjq.Model{"one that is left anyway": two.Reserve(3, 1, 1).Every(7), "a spare one": two.Spares(1)} {
		if r, err := m.Solve(ctx, how, mjq.Seed(4)); err != nil || math.Abs(r.All.Waiting.Mean.Value-plain.All.Waiting.Mean.Value) > 1e-9 {
			t.Errorf("%s: wait %v, %v, want %v", name, r.All.Waiting.Mean, err, plain.All.Waiting.Mean)
		}
	}
	drained, err := two.Reserve(3, 1, 4).Every(7).Solve(ctx, how, mjq.Seed(4))
	if err != nil || !(drained.All.Waiting.Mean.Value > plain.All.Waiting.Mean.Value) || drained.All.Interruptions.Value != 0 {
		t.Errorf("drained: %v, %v", drained, err)
	}
}
