package sampler_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestFiveClassWaits holds both samplers against the exact solution by
// quasi-birth-death chains: means, variances and waste at four standard errors.
func TestFiveClassWaits(t *testing.T) {
	m := workload.FiveClassExponential()
	for _, rate := range []float64{1.0, 1.4} {
		back := mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Backward{Samples: oracle.Sized(1200, 12_000)}, mjq.Seed(5)))
		fore := mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Forward{Jobs: oracle.Sized(40_000, 400_000)}, mjq.Seed(5)))
		for _, r := range []*result.Result{back, fore} {
			means, variances := oracle.FiveClasses(t, "E[W]_per_class", rate), oracle.FiveClasses(t, "Var[W]_per_class", rate)
			for i, c := range r.Classes {
				oracle.Within(t, r.Solver+" mean of "+c.Name, c.Waiting.Mean, means[i], 4)
				oracle.Within(t, r.Solver+" variance of "+c.Name, c.Waiting.Variance, variances[i], 4)
			}
			oracle.Within(t, r.Solver+" mean of all", r.All.Waiting.Mean, oracle.FiveClasses(t, "E[W]_all", rate)[0], 4)
			oracle.Within(t, r.Solver+" HOL waste", r.WastedHOL, oracle.FiveClasses(t, "HOL_waste", rate)[0], 4)
			if idle := oracle.FiveClasses(t, "total_idle", rate)[0]; math.Abs(r.Idle.Value-idle) > 1e-9 {
				t.Errorf("%s: idle %v, want %v", r.Solver, r.Idle, idle)
			}
			if !r.Stable || !r.Run.Complete {
				t.Errorf("%s: stable %v, complete %v", r.Solver, r.Stable, r.Run.Complete)
			}
		}
	}
}

// TestMMs compares with Erlang's C formula: P(wait), mean, and the exponential
// tail of the wait of those who wait; responses of M/M/1 are exponential.
func TestMMs(t *testing.T) {
	const s, rate = 5, 4.0
	m := mjq.Servers(s).Poisson(rate).Class("one", 1, 1, mjq.ExpMean(1))
	b := 1.0 // Erlang B by recursion
	for k := 1; k <= s; k++ {
		b = rate * b / (float64(k) + rate*b)
	}
	c := b / (1 - rate/s*(1-b))
	for _, r := range []*result.Result{
		mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: oracle.Sized(4000, 20_000), Window: 300})),
		mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: oracle.Sized(40_000, 200_000)})),
	} {
		w := &r.Class("one").Waiting
		oracle.Within(t, r.Solver+" mean", w.Mean, c/(s-rate), 4)
		oracle.Within(t, r.Solver+" all", r.All.Waiting.Mean, c/(s-rate), 4)
		oracle.Within(t, r.Solver+" P(W ≤ 0)", w.CDF(0), 1-c, 4)
		oracle.Within(t, r.Solver+" P(W ≤ 1)", w.CDF(1), 1-c*math.Exp(rate-s), 4)
		oracle.Within(t, r.Solver+" 0.9 quantile", w.Quantile(0.9), math.Log(c/0.1)/(s-rate), 4)
		oracle.Within(t, r.Solver+" jobs in system", r.MeanJobs, rate+rate*c/(s-rate), 4)
		if r.WastedHOL.Value != 0 {
			t.Errorf("%s: a queue of single servers wastes %v by blocking", r.Solver, r.WastedHOL)
		}
	}
	one := mjq.Must(mjq.Servers(1).Poisson(0.7).Class("one", 1, 1, mjq.ExpMean(1)).Solve(context.Background(), mjq.Backward{Samples: oracle.Sized(6000, 20_000), Window: 300}))
	resp := &one.Class("one").Response
	oracle.Within(t, "M/M/1 response", resp.Mean, 1/0.3, 4)
	oracle.Within(t, "M/M/1 response variance", resp.Variance, 1/0.09, 4)
	oracle.Within(t, "M/M/1 response CDF", resp.CDF(2), 1-math.Exp(-0.6), 4)
	oracle.Within(t, "M/M/1 response quantile", one.All.Response.Quantile(0.5), math.Ln2/0.3, 4)
}

// TestMG1 is the Pollaczek–Khinchine mean for several service laws, on a queue
// all of whose servers are needed by every job.
func TestMG1(t *testing.T) {
	for _, l := range []mjq.Law{mjq.Deterministic(1), mjq.ErlangMeanPhases(1, 3), mjq.HyperExpMeans(4, 2./3, 0.1), mjq.Uniform(0, 2), mjq.BoundedPareto(0.4, 20, 1.5),
		mjq.WeibullMeanShape(1, 1.5), mjq.LogNormalMeanSCV(1, 0.5), mjq.Cox2(0.5, 1, 0.5), mjq.Empirical([]float64{0.5, 1.5}),
		mjq.PhaseType([]float64{1, 0}, [][]float64{{-2, 2}, {0, -2}})} {
		const load = 0.6
		m := mjq.Servers(3).Class("all", 3, 1, l).AtLoad(load)
		m = mjq.Must(m.Resolve(context.Background()))
		rate := m.Rate()
		want := rate * (l.Variance() + l.Mean()*l.Mean()) / (2 * (1 - load))
		r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: oracle.Sized(1500, 6_000), Window: 200}))
		oracle.Within(t, "M/G/1 with "+l.String(), r.All.Waiting.Mean, want, 4.5)
	}
}

// TestDM1 has deterministic arrivals: waits of D/M/1 have the geometric root.
func TestDM1(t *testing.T) {
	m := mjq.Servers(1).Arrivals(mjq.Deterministic(1)).Class("one", 1, 1, mjq.ExpMean(0.7))
	root := 0.5 // σ = E exp(-(1-σ) μ A)
	for range 200 {
		root = math.Exp(-(1 - root) / 0.7)
	}
	r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: oracle.Sized(6000, 20_000), Window: 300}))
	oracle.Within(t, "D/M/1 mean", r.All.Waiting.Mean, root*0.7/(1-root), 4)
	oracle.Within(t, "D/M/1 P(W ≤ 0)", r.All.Waiting.CDF(0), 1-root, 4)
	if mjq.Must(gapOf(m.AtRate(2))).Variance() != 0 {
		t.Error("AtRate must keep the shape of the arrivals")
	}
}

// TestSameDigitsForAnyGoroutines compares whole results bit by bit.
func TestSameDigitsForAnyGoroutines(t *testing.T) {
	m := workload.FiveClassHyperExp().Poisson(0.8) // short, for the race detector takes ten times as long
	strip := func(r *result.Result) *result.Result {
		r.Run.Elapsed, r.Run.ElapsedLimit, r.Run.StepsPerSec = 0, 0, 0
		return r
	}
	run := func(workers int) []any {
		return []any{
			strip(mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 150, AgreeTogether: 50}, mjq.Workers(workers)))),
			strip(mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 40, AgreeTogether: 1}, mjq.Workers(workers)))),
			strip(mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 4000, Replications: 9}, mjq.Workers(workers)))),
			mjq.Must(m.Stability(context.Background(), mjq.RelErr(0.1), mjq.MaxJobs(2e5), mjq.Workers(workers))),
		}
	}
	one := run(1)
	for _, workers := range []int{2, 7} {
		for i, got := range run(workers) {
			if !oracle.SameBits(got, one[i]) {
				t.Errorf("result %d differs between 1 and %d goroutines", i, workers)
			}
		}
	}
	if other := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 150, AgreeTogether: 50},
		mjq.Seed(2))); other.All.Waiting.Mean == one[0].(*result.Result).All.Waiting.Mean {
		t.Error("another seed gave the same mean")
	}
}

// TestBatchRuleAgainstPerSample shows the trap of the printed rule: with a
// short window the per-sample rule is far below the exact mean, and the batch
// rule is near it.
func TestBatchRuleAgainstPerSample(t *testing.T) {
	m := workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(10.2240)
	const exact = 35.586386
	per := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: oracle.Sized(1000, 2000), Window: 500, AgreeTogether: 1})).All.Waiting.Mean
	batch := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: oracle.Sized(200, 1024), Window: 10_000})).All.Waiting.Mean
	if !(per.Hi() < 0.9*exact) {
		t.Errorf("per-sample rule: %v; it should be well below %v", per, exact)
	}
	oracle.Within(t, "batch rule", batch, exact, 4)
}

func TestUnstableIsAResult(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.9)
	for _, run := range []func() (*result.Result, error){
		func() (*result.Result, error) { return m.Solve(context.Background(), mjq.Backward{}) },
		func() (*result.Result, error) { return m.Solve(context.Background(), mjq.Forward{}) },
	} {
		r, err := run()
		if err != nil {
			t.Fatal(err)
		}
		if r.Stable || !math.IsInf(r.Class("T1").Waiting.Mean.Value, 1) || !math.IsInf(r.All.Waiting.Quantile(0.5).Value, 1) {
			t.Errorf("beyond the limit: stable %v, mean %v", r.Stable, r.All.Waiting.Mean)
		}
		if math.Abs(r.WastedHOL.Value-2.904480) > 0.05 || len(r.Notes) == 0 {
			t.Errorf("waste %v, notes %v; saturated it is 2.9045", r.WastedHOL, r.Notes)
		}
		if s := r.String(); !strings.Contains(s, "∞") {
			t.Errorf("the table does not show ∞:\n%s", s)
		}
	}
}

// TestInterrupted cancels long runs: they end soon and keep a prefix
// of the samples, whose numbers are those of a run of that length.
func TestInterrupted(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	mjq.Must(m.Stability(context.Background()))
	for name, run := range map[string]func(ctx context.Context, report func(done, total float64)) (*result.Result, error){
		"backward": func(ctx context.Context, report func(done, total float64)) (*result.Result, error) {
			return m.Solve(ctx, mjq.Backward{Samples: 100_000_000, AgreeTogether: 20}, mjq.Progress(func(s mjq.Step) { report(s.Done, s.Total) }))
		},
		"forward": func(ctx context.Context, report func(done, total float64)) (*result.Result, error) {
			return m.Solve(ctx, mjq.Forward{Jobs: 50_000, Replications: 1_000_000}, mjq.Progress(func(s mjq.Step) { report(s.Done, s.Total) }))
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		r, err := run(ctx, func(done, total float64) {
			if done >= 4e-5*total && at.IsZero() {
				at = time.Now()
				cancel()
			}
		})
		if late := time.Since(at); late > oracle.Soon {
			t.Errorf("%s: stopped %v after the cancellation", name, late)
		}
		oracle.Mention(t, err, "interrupted")
		if r == nil || r.Run.Complete || r.Run.Samples == 0 || !(r.All.Waiting.Mean.HalfWidth > 0) {
			t.Fatalf("%s: what was completed is lost", name)
		}
		if name == "backward" {
			again := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: r.Run.Samples, AgreeTogether: 20}))
			if again.All.Waiting.Mean != r.All.Waiting.Mean {
				t.Errorf("the kept samples give %v, a run of that length %v", r.All.Waiting.Mean, again.All.Waiting.Mean)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Solve(ctx, mjq.Backward{}); err == nil {
		t.Error("a context that has ended gives an error")
	}
}

// TestResultSurvivesGob sends a result through encoding/gob, as a notebook
// does between cells.
func TestResultSurvivesGob(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1)
	for _, rate := range []float64{1, 2.5} {
		want := mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Backward{Samples: 500}))
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(want); err != nil {
			t.Fatal(err)
		}
		var got result.Result
		if err := gob.NewDecoder(&buf).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() || got.All.Waiting.Quantile(0.77) != want.All.Waiting.Quantile(0.77) {
			t.Error("the result changed on its way through gob")
		}
	}
}

func TestSampleFaults(t *testing.T) {
	m := workload.FiveClassExponential()
	_, err := m.Solve(context.Background(), mjq.Backward{Samples: -2, AgreeTogether: -2, Window: -2}, mjq.Level(1))
	oracle.Mention(t, err, "Samples -2", "AgreeTogether -2", "Window -2", "Level(1)", "no arrivals")
	_, err = m.AtRate(1).Solve(context.Background(), mjq.Backward{Window: 100, MaxWindow: 50})
	oracle.Mention(t, err, "MaxWindow 50", "100")
	_, err = m.AtRate(1).Solve(context.Background(), mjq.Forward{Jobs: -2, Replications: 1})
	oracle.Mention(t, err, "Jobs -2", "Replications 1")
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), "T15") {
			t.Errorf("asking for an unknown class panicked with %v", p)
		}
	}()
	mjq.Must(m.AtRate(1).Solve(context.Background(), mjq.Forward{Jobs: 100})).Class("T3")
}

// TestCapped keeps samples that did not settle, and says so.
func TestCapped(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.75)
	r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 100, Window: 100, MaxWindow: 200}))
	if r.Run.NotCoalesced == 0 || r.Run.MaxWindow != 200 || len(r.Notes) == 0 {
		t.Errorf("capped %d, widest window %d, notes %v", r.Run.NotCoalesced, r.Run.MaxWindow, r.Notes)
	}
}

// TestInfiniteVarianceIsNoted: the mean wait of M/G/1 is then infinite.
func TestInfiniteVarianceIsNoted(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.3).Class("heavy", 1, 1, mjq.LomaxScaleShape(0.8, 1.8))
	r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 500, Window: 200}))
	if note := strings.Join(r.Notes, "\n"); !strings.Contains(note, "mean and the variance of the wait are infinite") || !strings.Contains(note, "heavy") {
		t.Errorf("notes %v do not warn of the infinite variance", r.Notes)
	}
}

// TestWindowsMissTheRarestServices: what the note on windows and services of
// infinite variance says, against the exact tail of M/G/1. Long runs do not
// suffer from it, and carry no such note.
func TestWindowsMissTheRarestServices(t *testing.T) {
	oracle.Long(t, "TestBackwardAgreesWithForward")
	m := mjq.Servers(1).Poisson(0.5).Class("heavy", 1, 1, mjq.LomaxScaleShape(0.5, 1.5))
	tail := func(x float64) float64 { // special.MPareto1 has them
		return map[float64]float64{1000: 0.022315430945680195, 10_000: 0.0070696294103422723}[x]
	}
	noted := func(r *result.Result) bool {
		return slices.ContainsFunc(r.Notes, func(n string) bool {
			return strings.Contains(n, "windows end before the rarest service times") && strings.Contains(n, "Use Forward")
		})
	}
	// 57 of 8000 exact samples would exceed 10,000, half of them 3.8 standard errors below.
	back := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 8000, Window: 1000}, mjq.Seed(1)))
	if p := 1 - back.All.Waiting.CDF(10_000).Value; !noted(back) || p > 0.5*tail(10_000) {
		t.Errorf("backward: P(W > 10,000) = %.5f, exact %.5f, noted %v; if windows have become good enough, take the note away", p, tail(10_000), noted(back))
	}
	// Backward is too low by more than a third here; runs must not be by a quarter.
	run := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 4_000_000, Replications: 16}, mjq.Seed(1)))
	if p := 1 - run.All.Waiting.CDF(1000).Value; noted(run) || math.Abs(p/tail(1000)-1) > 0.25 {
		t.Errorf("forward: P(W > 1000) = %.5f, exact %.5f, noted %v", p, tail(1000), noted(run))
	}
}

// gapOf is the law of the time between arrivals.
func gapOf(m mjq.Model) (mjq.Law, error) {
	gap, ok := m.Spec().Gap()
	if !ok {
		return nil, errors.New("gaps are not independent")
	}
	return gap, nil
}
