package simulation_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestSimulateTarget: replications and batches go on until the interval is as
// narrow as asked, with the same bits for any number of goroutines, and what they
// give is what a run of the length they chose would give.
func TestSimulateTarget(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	exact := oracle.FiveClasses(t, "E[W]_all", 1.4)[0]
	reps := mjq.Options(mjq.Simulation{Jobs: 5000}, mjq.Seed(3))
	for name, ask := range map[string]func() mjq.Option{
		"replications": func() mjq.Option { return reps },
		"batches":      func() mjq.Option { return mjq.Options(mjq.Simulation{Jobs: 50_000, BatchMeans: 20}, mjq.Seed(3)) },
	} {
		a, b := mjq.Must(m.Solve(context.Background(), ask(), mjq.RelErr(0.08), mjq.Workers(1))), mjq.Must(m.Solve(context.Background(), ask(), mjq.RelErr(0.08), mjq.Workers(3)))
		e := a.All.Waiting.Mean
		oracle.Within(t, name, e, exact, 4)
		if !(e.HalfWidth <= 0.08*e.Value) || !a.Run.Met || !a.Run.Complete || len(a.Notes) > 1 { // on slowdowns
			t.Errorf("%s: asked for 8 %%: %v, met %v, complete %v, notes %q", name, e, a.Run.Met, a.Run.Complete, a.Notes)
		}
		if !oracle.SameBits(a.Classes, b.Classes) || e != b.All.Waiting.Mean || a.Idle != b.Idle || a.Run.Steps != b.Run.Steps {
			t.Errorf("%s: %v on one goroutine, %v on three", name, e, b.All.Waiting.Mean)
		}
		h := mjq.Must(m.Solve(context.Background(), ask(), mjq.HalfWidth(0.05*e.Value)))
		if !(h.All.Waiting.Mean.HalfWidth <= 0.08*e.Value) {
			t.Errorf("%s: asked for ± %v: %v", name, 0.08*e.Value, h.All.Waiting.Mean)
		}
		plain := mjq.Options(mjq.Simulation{Jobs: 5000, Replications: a.Run.Samples}, mjq.Seed(3))
		if name == "batches" {
			plain = mjq.Options(mjq.Simulation{Jobs: int(a.Run.Jobs), WarmUp: int(a.Run.WarmUp), BatchMeans: a.Run.Samples}, mjq.Seed(3))
		}
		same(t, name, a, mjq.Must(m.Solve(context.Background(), plain)))
	}
	if r := mjq.Must(m.Solve(context.Background(), reps, mjq.RelErr(0.99))); r.Run.Samples != 32 || !r.Run.Met {
		t.Errorf("a loose target took %d replications", r.Run.Samples)
	}
}

// same holds two results of the same jobs against each other; sums may have been
// made in another order.
func same(t *testing.T, what string, a, b *result.Result) {
	t.Helper()
	for _, p := range [][2]float64{{a.All.Waiting.Mean.Value, b.All.Waiting.Mean.Value},
		{a.All.Waiting.Mean.HalfWidth, b.All.Waiting.Mean.HalfWidth}, {a.All.Response.Variance.HalfWidth, b.All.Response.Variance.HalfWidth},
		{a.All.Waiting.Quantile(0.9).Value, b.All.Waiting.Quantile(0.9).Value}, {a.Idle.Value, b.Idle.Value}, {a.Idle.HalfWidth, b.Idle.HalfWidth},
		{a.WastedHOL.Value, b.WastedHOL.Value}, {float64(a.Run.Steps), float64(b.Run.Steps)}, {a.Classes[0].Waiting.Dist.Total, b.Classes[0].Waiting.Dist.Total}} {
		if !(math.Abs(p[0]-p[1]) <= 1e-9*math.Abs(p[1])) {
			t.Errorf("%s: %v with a target, %v of a run of that length", what, p[0], p[1])
		}
	}
}

// TestSimulateTargetCoverage: 95 % intervals at which a target stops, mostly at
// the first looks, hold the mean wait of M/M/1 at load 1/2, which is 1. With 400
// runs the standard error of the coverage is 1.1 %, with 60 it is 2.8 %; narrow intervals are
// favoured a little, so the bound is four of them.
func TestSimulateTargetCoverage(t *testing.T) {
	runs := oracle.Sized(60, 400)
	m := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.ExpMean(1))
	for name, ask := range map[string]func() mjq.Option{
		"replications": func() mjq.Option { return mjq.Simulation{Jobs: 1500, WarmUp: 100} },
		"batches":      func() mjq.Option { return mjq.Simulation{Jobs: 20_000, WarmUp: 1000, BatchMeans: 20} },
	} {
		in, samples := 0, 0
		for seed := range uint64(runs) {
			r := mjq.Must(m.Solve(context.Background(), ask(), mjq.RelErr(0.08), mjq.Seed(seed)))
			if r.All.Waiting.Mean.Covers(1) {
				in++
			}
			samples += r.Run.Samples
		}
		got := float64(in) / float64(runs)
		t.Logf("%s: %.1f %%, after %d on average", name, 100*got, samples/runs)
		if math.Abs(got-0.95) > 0.9/math.Sqrt(float64(runs)) { // four standard deviations
			t.Errorf("%s: 95 %% intervals hold the truth in %.1f %% of the runs", name, 100*got)
		}
	}
}

// TestSimulateTargetMissed: a bound on the replications that comes first is
// noted, and so is an interruption, which keeps what there is.
func TestSimulateTargetMissed(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 1000, Replications: 20}, mjq.RelErr(1e-4)))
	if notes := strings.Join(r.Notes, ""); r.Run.Met || !r.Run.Complete || r.Run.Samples != 20 || !strings.Contains(notes, "not reached") || !strings.Contains(notes, "20 samples") {
		t.Errorf("met %v after %d replications: %q", r.Run.Met, r.Run.Samples, notes)
	}
	for _, q := range []mjq.Option{mjq.Simulation{Jobs: 1000}, mjq.Simulation{Jobs: 20_000, BatchMeans: 20}} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		last := 0.0
		r, err := m.Solve(ctx, q, mjq.HalfWidth(1e-9), mjq.Progress(func(s mjq.Step) {
			if s.Done < last || s.Done > s.Total {
				t.Errorf("progress %v of %v after %v", s.Done, s.Total, last)
			}
			if last = s.Done; last >= 24_000 { // the jobs of 20 replications, or of 20 batches
				cancel()
			}
		}))
		oracle.Mention(t, err, "interrupted")
		if r == nil || r.Run.Complete || r.Run.Met || r.Run.Samples < 10 || r.Run.Samples >= 1e6 {
			t.Fatalf("what was completed is lost: %+v", r)
		}
		if notes := strings.Join(r.Notes, ""); !strings.Contains(notes, "not reached") || !strings.Contains(notes, "Interrupted") {
			t.Errorf("notes %q", notes)
		}
	}
}

func TestSimulateTargetFaults(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	_, err := m.Solve(context.Background(), mjq.Simulation{Jobs: -2}, mjq.RelErr(-0.1), mjq.HalfWidth(math.NaN()))
	oracle.Mention(t, err, "RelErr(-0.1)", "HalfWidth(NaN)", "must be positive", "Jobs -2")
	_, err = m.Solve(context.Background(), mjq.Simulation{}, mjq.RelErr(0))
	oracle.Mention(t, err, "RelErr(0): must be positive")
	_, err = m.Solve(context.Background(), mjq.Simulation{Replications: 1}, mjq.RelErr(0.1))
	oracle.Mention(t, err, "Replications 1", "at least two")
	_, err = m.Solve(context.Background(), mjq.Simulation{BatchMeans: 3}, mjq.HalfWidth(1))
	oracle.Mention(t, err, "BatchMeans 3", fmt.Sprint(10))
}

// interrupting is exponential and interrupts at a certain draw.
type interrupting struct {
	law.Exponential
	drawn     *int
	at        int
	interrupt func()
}

func (l interrupting) Scaled(float64) mjq.Law { return l }

func (l interrupting) Sample(rng rand.Source) float64 {
	if *l.drawn++; *l.drawn == l.at {
		l.interrupt()
		time.Sleep(50 * time.Millisecond) // until it is noticed
	}
	return l.Exponential.Sample(rng)
}

// TestSimulateInterruptedAtItsBatches: a run that goes on until its interval is
// narrow is not complete when it is interrupted with as many batches as planned.
func TestSimulateInterruptedAtItsBatches(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const warm, length = 1000, 5000
	service := interrupting{law.ExpMean(0.5), new(int), warm + 20*length + length/2, cancel}
	m := mjq.Servers(1).Poisson(1).Class("a", 1, 1, service)
	*service.drawn = 0
	r, err := m.Solve(ctx, mjq.Simulation{Jobs: 20 * length, WarmUp: warm, BatchMeans: 20}, mjq.Workers(1), mjq.HalfWidth(1e-9))
	oracle.Mention(t, err, "interrupted")
	if r == nil || r.Run.Samples != 20 || r.Run.Complete || r.Run.Met {
		t.Errorf("%+v", r)
	}
}
