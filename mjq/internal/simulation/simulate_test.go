package simulation_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestSimulateJobByJob compares the wait of every job with the recurrence on
// the same random input, over the papers' workloads and one full of ties.
func TestSimulateJobByJob(t *testing.T) {
	const jobs = 60_000
	ties := mjq.Servers(6).Arrivals(mjq.Deterministic(1)).Class("one", 1, 0.6, mjq.Deterministic(2)).Class("four", 4, 0.4, mjq.Deterministic(2))
	for name, m := range map[string]mjq.Model{
		"five classes": workload.FiveClassExponential().Poisson(1.75),
		"heavy tails":  workload.FiveClassBoundedPareto().Poisson(1.5),
		"1 and 256":    workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033),
		"cell B":       workload.BorgCellB().Poisson(2),
		"ties":         ties,
	} {
		input := problem.New(m.Spec()).System(8, 1).Input
		var waits []float64
		sim := events.New(compiled.System{Servers: m.Spec().Servers})
		sim.Started = func(_ int64, _ int32, wait, _ float64) { waits = append(waits, wait) }
		sim.Reset(input.Reader(3))
		sim.Until(jobs)
		for sim.Drain(jobs) > 0 {
		}
		in := make([]stream.Job, jobs)
		input.Reader(3).Fill(in, 0)
		runs, now, blocked := fast.NewRuns(m.Spec().Servers), 0.0, 0
		for i, j := range in {
			start, waste := runs.Step(now, j.Need, j.Service)
			if math.Abs(waits[i]-(start-now)) > 1e-9 {
				t.Fatalf("%s: job %d waits %v, the recurrence says %v", name, i, waits[i], start-now)
			}
			if waste > 0 {
				blocked++
			}
			now += j.Gap
			if i%1000 == 999 {
				runs.Shift(now)
				now = 0
			}
		}
		if blocked < jobs/1000 {
			t.Errorf("%s: only %d of %d jobs met blocking; the comparison says little", name, blocked, jobs)
		}
	}
}

// TestSimulateFiveClasses holds waits and what is measured over time against
// the exact solution at four standard errors, and against Forward, which sees
// the same jobs: equal means, and Little's law for the rest.
func TestSimulateFiveClasses(t *testing.T) {
	m := workload.FiveClassExponential()
	for _, rate := range []float64{1.0, 1.4} {
		m := m.AtRate(rate)
		r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(40_000, 200_000)}, mjq.Seed(5)))
		same := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: oracle.Sized(40_000, 200_000)}, mjq.Seed(5)))
		long := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(400_000, 2_000_000), BatchMeans: 30}, mjq.Seed(6)))
		means, variances := oracle.FiveClasses(t, "E[W]_per_class", rate), oracle.FiveClasses(t, "Var[W]_per_class", rate)
		for i, c := range m.Spec().Classes {
			w, x := &r.Classes[i].Waiting, &same.Classes[i].Waiting
			oracle.Within(t, "mean of "+c.Name, w.Mean, means[i], 4)
			oracle.Within(t, "variance of "+c.Name, w.Variance, variances[i], 4)
			oracle.Within(t, "response of "+c.Name, r.Classes[i].Response.Mean, means[i]+c.Service.Mean(), 4)
			oracle.Within(t, "response variance of "+c.Name, r.Classes[i].Response.Variance, variances[i]+c.Service.Variance(), 4)
			oracle.Within(t, "batch means of "+c.Name, long.Classes[i].Waiting.Mean, means[i], 4)
			for _, p := range [][2]float64{{w.Mean.Value, x.Mean.Value}, {w.Mean.HalfWidth, x.Mean.HalfWidth},
				{w.Variance.Value, x.Variance.Value}, {w.Variance.HalfWidth, x.Variance.HalfWidth},
				{w.Effective, x.Effective}, {w.Quantile(0.9).Value, x.Quantile(0.9).Value}} {
				if math.Abs(p[0]-p[1]) > 1e-9*p[1] {
					t.Errorf("%s: %v from the event list, %v from the recurrence", c.Name, p[0], p[1])
				}
			}
		}
		all, idle := oracle.FiveClasses(t, "E[W]_all", rate)[0], oracle.FiveClasses(t, "total_idle", rate)[0]
		for _, r := range []*result.Result{r, long} {
			oracle.Within(t, r.Solver+" mean of all", r.All.Waiting.Mean, all, 4)
			oracle.Within(t, r.Solver+" HOL waste", r.WastedHOL, oracle.FiveClasses(t, "HOL_waste", rate)[0], 4)
			oracle.Within(t, r.Solver+" idle", r.Idle, idle, 4)
			oracle.Within(t, r.Solver+" utilisation", r.Utilization, 1-idle/20, 4)
			oracle.Within(t, r.Solver+" jobs in system", r.MeanJobs, rate*(all+problem.New(m.Spec()).MeanService()), 4)
		}
		if d := math.Abs(r.WastedHOL.Value - same.WastedHOL.Value); !(d < 0.01*same.WastedHOL.Value) {
			t.Errorf("rate %v: measured waste %v, by Little's law on the same jobs %v", rate, r.WastedHOL, same.WastedHOL)
		}
	}
}

// TestSimulateLittle: the jobs in line and in the system, averaged over time,
// are the rate times the mean wait and response of the jobs, up to the ends of
// the run and the randomness of the arrivals.
func TestSimulateLittle(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	plan := &events.Plan{System: compiled.System{Servers: 20, Classes: 5, Input: problem.New(m.Spec()).System(1, 2).Input}, Workers: 2, Replications: 8, Batches: 1, Level: 0.95, WarmUp: 60_000, Length: 300_000}
	res := plan.Run(context.Background(), nil)
	for _, c := range []struct {
		what      string
		got, jobs result.Estimate
	}{{"in line", res.Queue, res.All.Waiting.Mean}, {"in the system", res.System, res.All.Response.Mean}} {
		if want := 1.4 * c.jobs.Value; math.Abs(c.got.Value-want) > 0.01*want {
			t.Errorf("jobs %s: %v, by Little's law %.6g", c.what, c.got, want)
		}
	}
}

// TestSimulateMMs compares with Erlang's C formula.
func TestSimulateMMs(t *testing.T) {
	const s, rate = 5, 4.0
	m := mjq.Servers(s).Poisson(rate).Class("one", 1, 1, mjq.ExpMean(1))
	b := 1.0 // Erlang B by recursion
	for k := 1; k <= s; k++ {
		b = rate * b / (float64(k) + rate*b)
	}
	c := b / (1 - rate/s*(1-b))
	for _, q := range []mjq.Option{mjq.Simulation{Jobs: 100_000}, mjq.Simulation{Jobs: 3_000_000, BatchMeans: 20}} {
		r := mjq.Must(m.Solve(context.Background(), q))
		w := &r.Class("one").Waiting
		oracle.Within(t, r.Solver+" mean", w.Mean, c/(s-rate), 4)
		oracle.Within(t, r.Solver+" P(W ≤ 0)", w.CDF(0), 1-c, 4)
		oracle.Within(t, r.Solver+" 0.9 quantile", w.Quantile(0.9), math.Log(c/0.1)/(s-rate), 4)
		oracle.Within(t, r.Solver+" jobs in system", r.MeanJobs, rate+rate*c/(s-rate), 4)
		oracle.Within(t, r.Solver+" idle", r.Idle, s-rate, 4)
		if r.WastedHOL.Value != 0 {
			t.Errorf("%s: a queue of single servers wastes %v by blocking", r.Solver, r.WastedHOL)
		}
	}
}

// TestBatchMeansCoverage: 95 % intervals of M/M/1 at load 1/2 hold the exact
// mean wait, 1, mean number of jobs, 1, and mean number of idle servers, 1/2.
// With 400 runs the standard error of the coverage is 1.1 %; the bound is 3.5 %.
func TestBatchMeansCoverage(t *testing.T) {
	runs := oracle.Sized(160, 400)
	m := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.ExpMean(1))
	var in [3]int
	for seed := range uint64(runs) {
		r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 20_000, WarmUp: 1000, BatchMeans: 20}, mjq.Seed(seed)))
		for i, hit := range []bool{r.All.Waiting.Mean.Covers(1), r.MeanJobs.Covers(1), r.Idle.Covers(0.5)} {
			if hit {
				in[i]++
			}
		}
	}
	for i, what := range []string{"wait", "jobs", "idle"} {
		if got := float64(in[i]) / float64(runs); math.Abs(got-0.95) > 0.7/math.Sqrt(float64(runs)) {
			t.Errorf("%s: a 95 %% interval holds the truth in %.1f %% of the runs", what, 100*got)
		}
	}
}

// TestShortBatchesAreNoted: batches much shorter than the busy periods are
// correlated, and the result says so; long ones pass.
func TestShortBatchesAreNoted(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.9).Class("one", 1, 1, mjq.ExpMean(1))
	if r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 40_000,
		BatchMeans: 400})); !strings.Contains(strings.Join(r.Notes, ""), "correlation") {
		t.Errorf("batches of 100 jobs at load 0.9: notes %q", r.Notes)
	}
	if r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 2_000_000,
		BatchMeans: 200})); strings.Contains(strings.Join(r.Notes, ""), "correlation") {
		t.Errorf("batches of 10^4 jobs at load 0.9: notes %q", r.Notes)
	}
}

// TestSimulateDeterministic has no variance at all: an interval of width 0.
func TestSimulateDeterministic(t *testing.T) {
	m := mjq.Servers(4).Arrivals(mjq.Deterministic(2)).Class("pair", 2, 1, mjq.Deterministic(3))
	r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 1000}))
	for _, c := range []struct {
		what string
		got  result.Estimate
		want float64
	}{
		{"wait", r.All.Waiting.Mean, 0}, {"response", r.All.Response.Mean, 3}, {"variance", r.All.Response.Variance, 0},
		{"jobs", r.MeanJobs, 1.5}, {"idle", r.Idle, 1}, {"utilisation", r.Utilization, 0.75}, {"waste", r.WastedHOL, 0},
	} {
		if math.Abs(c.got.Value-c.want) > 1e-12 || !(c.got.HalfWidth < 1e-12) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if len(r.Notes) > 0 {
		t.Errorf("notes %q", r.Notes)
	}
	longer := mjq.Servers(4).Arrivals(mjq.Uniform(1.4, 3)).Class("pair", 2, 1, mjq.Deterministic(3)) // three may meet
	if r := mjq.Must(longer.Solve(context.Background(), mjq.Simulation{Jobs: 3, Replications: 3},
		mjq.Seed(1))); r.All.Waiting.Mean.Value == 0 && r.All.Waiting.Mean.HalfWidth == 0 {
		t.Errorf("jobs that may wait are known not to: %v", r.All.Waiting.Mean)
	}
}

func TestSimulateFaults(t *testing.T) {
	m := workload.FiveClassExponential()
	_, err := m.Solve(context.Background(), mjq.Simulation{Jobs: -2, WarmUp: -3, Replications: 1}, mjq.Level(2), mjq.Workers(0))
	oracle.Mention(t, err, "Simulation", "no arrivals", "Poisson", "Jobs -2", "at least one", "WarmUp -3", "Replications 1", "use BatchMeans", "Level(2)", "Workers(0)")
	_, err = m.AtRate(1).Solve(context.Background(), mjq.Simulation{Jobs: 7, BatchMeans: 9, Replications: 5})
	oracle.Mention(t, err, "BatchMeans 9", "fewer than 10", "Replications 5", "choose one", "at least 9")
	for _, n := range []int{-2, -4} {
		_, err = m.AtRate(1).Solve(context.Background(), mjq.Simulation{BatchMeans: n})
		oracle.Mention(t, err, fmt.Sprintf("BatchMeans %d", n))
	}
	if r := mjq.Must(m.AtRate(1).Solve(context.Background(), mjq.Simulation{Jobs: 1001, BatchMeans: 10})); r.Run.Jobs != 1010 || r.Run.WarmUp != 200 {
		t.Errorf("1001 jobs in 10 batches are %d, after %d", r.Run.Jobs, r.Run.WarmUp)
	}
}

func TestSimulateUnstable(t *testing.T) {
	r := workload.FiveClassExponential().Poisson(1.9)
	for _, q := range []mjq.Option{mjq.Simulation{}, mjq.Simulation{BatchMeans: 20}} {
		r := mjq.Must(r.Solve(context.Background(), q))
		if r.Stable || !math.IsInf(r.All.Waiting.Mean.Value, 1) || !strings.Contains(r.Solver, "discrete-event simulation") || len(r.Notes) == 0 {
			t.Errorf("beyond the limit: stable %v, mean %v, notes %v", r.Stable, r.All.Waiting.Mean, r.Notes)
		}
	}
}

// TestSimulateSameDigitsForAnyGoroutines compares whole results bit by bit.
func TestSimulateSameDigitsForAnyGoroutines(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	run := func(workers int, batches bool) *result.Result {
		q := mjq.Simulation{Jobs: 5_000}
		if batches {
			q.BatchMeans = 10
		} else {
			q.Replications = 25
		}
		r := mjq.Must(m.Solve(context.Background(), q, mjq.Workers(workers)))
		r.Run.Elapsed, r.Run.ElapsedLimit, r.Run.StepsPerSec = 0, 0, 0
		return r
	}
	for _, batches := range []bool{false, true} {
		one := run(1, batches)
		for _, workers := range []int{2, 7} {
			if !oracle.SameBits(run(workers, batches), one) {
				t.Errorf("batches %v: the result differs between 1 and %d goroutines", batches, workers)
			}
		}
	}
	if a, b := run(1, false), mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 5_000, Replications: 25},
		mjq.Seed(2))); a.All.Waiting.Mean == b.All.Waiting.Mean {
		t.Error("another seed gave the same mean")
	}
}

// sameButRounding compares estimates to twelve digits.
func sameButRounding(t *testing.T, kept, again *result.Estimate) {
	t.Helper()
	if math.Abs(kept.Value/again.Value-1) > 1e-12 || math.Abs(kept.HalfWidth/again.HalfWidth-1) > 1e-12 || kept.N != again.N {
		t.Errorf("the kept part gives %v of %d, a run of that length %v of %d", kept, kept.N, again, again.N)
	}
}

// TestInterruptedTooSoon cancels one long run before it has forgotten its empty start: it
// has no more of an interval than a run that was planned so short.
func TestInterruptedTooSoon(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := mjq.Servers(1).Poisson(0.999).Class("a", 1, 1, mjq.ExpMean(1))
	r, err := m.Solve(ctx, mjq.Simulation{Jobs: 1_000_000_000, WarmUp: 500, BatchMeans: 1_000_000}, mjq.Progress(func(s mjq.Step) {
		if s.Done >= 50_000 {
			cancel()
		}
	}))
	oracle.Mention(t, err, "interrupted")
	if w := r.All.Waiting.Mean; r.Run.Samples < 20 || !math.IsNaN(w.HalfWidth) {
		t.Errorf("a run of %d jobs gives %v", r.Run.Jobs, w)
	}
	if int64(r.Run.Samples)*1000 != r.Run.Jobs {
		t.Errorf("%d batches of 1000 jobs are a run of %d", r.Run.Samples, r.Run.Jobs)
	}
}

// TestBatchMeansWithinBudget: one run takes no more jobs than MaxJobs, with a target or without.
func TestBatchMeansWithinBudget(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.5).Class("a", 1, 1, mjq.ExpMean(1))
	for most, opts := range map[int][]mjq.Option{
		100_000: {mjq.Simulation{BatchMeans: 20}},
		100_001: {mjq.Simulation{BatchMeans: 20}, mjq.RelErr(1e-9)},
		300_000: {mjq.Simulation{BatchMeans: 20, Jobs: 20_000}, mjq.RelErr(1e-9)},
		200_000: {mjq.Simulation{BatchMeans: 30, Jobs: 1_000_000, WarmUp: 500}},
	} {
		r := mjq.Must(m.Solve(context.Background(), append(opts, mjq.MaxJobs(most))...))
		if got := r.Run.Steps; got > int64(most) || got < int64(most)*9/10 || !r.Run.Complete {
			t.Errorf("MaxJobs(%d) took %d jobs, complete: %v", most, got, r.Run.Complete)
		}
		if w := r.All.Waiting.Mean; !(math.Abs(w.Value-1) < 0.2) {
			t.Errorf("MaxJobs(%d): %v, exact 1", most, w)
		}
	}
}

// TestInterruptedAtOnce: a run that has completed nothing says so, and has no advice on
// samples that it does not have.
func TestInterruptedAtOnce(t *testing.T) {
	m := mjq.Servers(4).AtLoad(0.8).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 4, 0.5, mjq.ExpMean(1))
	mjq.Must(m.Stability(context.Background()))
	ctx, cancel := context.WithCancel(context.Background())
	r, err := m.Solve(ctx, mjq.Simulation{}, mjq.RelErr(1e-4), mjq.Progress(func(mjq.Step) { cancel() }))
	oracle.Mention(t, err, "before anything was completed")
	if r == nil || r.Run.Samples != 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "nothing is known yet") {
		t.Errorf("%+v", r)
	}
}

// TestSimulateInterrupted cancels long runs: they end soon and keep what a
// shorter run would have given. A shorter run of batch means may move its origin of time
// before its last jobs start and the longer one after, so that their waits differ by rounding.
func TestSimulateInterrupted(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	mjq.Must(m.Stability(context.Background()))
	for _, batches := range []bool{false, true} {
		ask := func(parts int) mjq.Option {
			if batches {
				return mjq.Simulation{Jobs: 2_000 * parts, WarmUp: 500, BatchMeans: parts}
			}
			return mjq.Simulation{Jobs: 2_000, WarmUp: 500, Replications: parts}
		}
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		last := 0.0
		r, err := m.Solve(ctx, ask(1_000_000), mjq.Progress(func(s mjq.Step) {
			if s.Done < last || s.Total < 2e9 {
				t.Errorf("progress %v of %v after %v", s.Done, s.Total, last)
			}
			last = s.Done
			if s.Done >= 200_000 && at.IsZero() {
				at = time.Now()
				cancel()
			}
		}))
		if late := time.Since(at); late > oracle.Soon {
			t.Errorf("stopped %v after the cancellation", late)
		}
		oracle.Mention(t, err, "interrupted")
		if r == nil || r.Run.Complete || r.Run.Samples < 10 || len(r.Notes) == 0 {
			t.Fatal("what was completed is lost")
		}
		again := mjq.Must(m.Solve(context.Background(), ask(r.Run.Samples)))
		if again.Run.Steps != r.Run.Steps || again.Run.Jobs != r.Run.Jobs {
			t.Errorf("%d jobs were kept of runs of %d, and a run of that length has %d of %d", r.Run.Steps, r.Run.Jobs, again.Run.Steps, again.Run.Jobs)
		}
		for c := range r.Classes {
			sameButRounding(t, &r.Classes[c].Waiting.Mean, &again.Classes[c].Waiting.Mean)
			sameButRounding(t, &r.Classes[c].Response.Variance, &again.Classes[c].Response.Variance)
		}
		sameButRounding(t, &r.WastedHOL, &again.WastedHOL)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Solve(ctx, mjq.Simulation{}); err == nil {
		t.Error("a context that has ended gives no error")
	}
}
