package fuzz

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// extremeInts and extremeFloats are what no user means, and some give.
var (
	extremeInts   = []int{math.MaxInt, math.MinInt, 0, -1, 1, math.MaxInt32 + 1}
	extremeFloats = []float64{0, math.Copysign(0, -1), -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 5e-324, 1e-320, 1}
)

// TestExtremeModels: descriptions that once crashed or gave no number end in a
// fault that names the field, the value and what to do.
func TestExtremeModels(t *testing.T) {
	two := mjq.Servers(4).Poisson(1).Class("b", 1, 0.5, mjq.ExpMean(1))
	for _, c := range []struct {
		b    mjq.Model
		want []string
	}{
		{two.Class("a", 1, 0.5, mjq.WeibullMeanShape(1, .001)), []string{`class 2 "a": service`, "WeibullMeanShape(1, 0.001)", "give a larger shape"}},
		{two.Class("a", 1, 0.5, mjq.ExpMean(1e308)), []string{`class 2 "a": service`, "the mean is 1e+308", "another unit"}},
		{two.Class("a", 1, 0.5, mjq.ExpMean(1e80)), []string{`class 2 "a": service`, "mean 1e+80", "choose a unit of time"}},
		{two.Class("a", 1, 0.5, mjq.ExpMean(1e-80)), []string{`class 2 "a": service`, "choose a unit of time"}},
		{two.Class("a", 1, 0.5, mjq.LomaxScaleShape(1e50, 1+1e-15)), []string{`class 2 "a": service`, "choose a unit of time"}},
		{two.Class("a", 1, 0.5, mjq.LomaxScaleShape(1e50, 1)), []string{"infinite mean"}},
		{two.Class("a", 1, 0.5, mjq.ErlangMeanPhases(1, 1e6)), []string{`class 2 "a": service`, "1000000", "Deterministic(1)"}},
		{two.Class("a", 1, 0.5, mjq.PhaseType([]float64{1, 0}, [][]float64{{-1, 1}, {1 - 1e-9, -1}})), []string{"passes 2e+09 phases", "at most 100000"}},
		{two.Class("a", 1, 5e-324, mjq.ExpMean(1)).Class("c", 1, 0.5, mjq.ExpMean(1)), []string{`class 2 "a": probability 5e-324`, "drop the class"}},
		{mjq.Servers(math.MaxInt).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1)), []string{"Servers(9223372036854775807)", "larger units"}},
		{two.Poisson(1e308), []string{"choose a unit of time"}},
		{two.Arrivals(mjq.ExpMean(1e80)), []string{"arrivals", "choose a unit of time"}},
	} {
		err := c.b.Err()
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v: no word of %q in: %v", c.b, part, err)
			}
		}
	}
	for _, p := range []mjq.Pick{{Any: math.MaxInt, Random: math.MaxInt}, {Random: math.MaxInt32 + 1}} {
		if err := mjq.Servers(2).Specific("a", p, 1, mjq.ExpMean(1)).Err(); err == nil || !strings.Contains(err.Error(), "servers") {
			t.Errorf("%+v: %v", p, err)
		}
	}
	err := mjq.Servers(1<<30).Specific("a", mjq.Pick{Any: 1}, 1, mjq.ExpMean(1)).Err()
	if err == nil || !strings.Contains(err.Error(), "GB of memory") {
		t.Errorf("2^30 servers told apart: %v", err)
	}
}

// TestManyServersTakeNoMemory: what tells servers apart says beforehand how much
// it would need, and a path ends with its context.
func TestManyServersTakeNoMemory(t *testing.T) {
	of := func(s int) mjq.Model {
		return mjq.Servers(s).Poisson(0.1).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", s/2, 0.5, mjq.ExpMean(1))
	}
	for what, f := range map[string]func(ctx context.Context) error{
		"path": func(ctx context.Context) error { _, err := of(1<<26).Path(ctx, 0, 100); return err },
		"random": func(ctx context.Context) error {
			_, err := of(1<<31-1).RandomAssignment().Solve(ctx, mjq.Forward{})
			return err
		},
		"limit": func(ctx context.Context) error {
			_, err := of(1 << 26).RandomAssignment().Stability(ctx)
			return err
		},
	} {
		err := answered(t, what, f)
		if err == nil || !strings.Contains(err.Error(), "67108864 servers") && !strings.Contains(err.Error(), "GB of memory") {
			t.Errorf("%s: %v", what, err)
		}
	}
	started := time.Now()
	ctx, stop := context.WithTimeout(context.Background(), soonest)
	defer stop()
	p, err := of(1<<19).Path(ctx, 0, 60)
	if err == nil || p.Complete || len(p.Jobs) >= 60 {
		t.Errorf("a path of %d jobs went on for %v: %v", len(p.Jobs), time.Since(started), err)
	}
}

// TestRemediesAtExtremes: what has no answer says why and what to do.
func TestRemediesAtExtremes(t *testing.T) {
	for _, n := range []int{1, 2} {
		r := mjq.Must(mjq.Servers(4).Poisson(0.5).Class("a", 1, 1, mjq.ExpMean(1)).Solve(t.Context(), mjq.Backward{Samples: n}))
		if text := r.String(); !strings.Contains(text, fmt.Sprintf("there are %d samples", n)) || !strings.Contains(text, "Raise Samples.") {
			t.Errorf("Backward.N(%d) does not say why there is no interval:\n%s", n, text)
		}
	}
	_, err := mjq.Servers(1e9).Poisson(5e8).Class("a", 1, 1, mjq.ExpMean(1)).FewestServers(t.Context(), mjq.MeanWait(1))
	if err == nil || !strings.Contains(err.Error(), "whatever the targets") || !strings.Contains(err.Error(), "at most 16777216") {
		t.Errorf("10^9 servers: %v", err)
	}
	st, err := mjq.Servers(1e9).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 1e9, 0.5, mjq.ExpMean(1)).Stability(t.Context())
	if err != nil || st.HalfWidth != 0 || /* special.OneAndN has it */ !(math.Abs(st.Rate-1.1812322182992825) < 1e-11) {
		t.Errorf("needs of 1 and 10^9: %v, %v", st, err)
	}
}

// TestServicesDrownedByGaps: where times of arrival have no digits left for
// services, nothing is sampled.
func TestServicesDrownedByGaps(t *testing.T) {
	m := mjq.Servers(4).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(1))
	for what, m := range map[string]mjq.Model{"rate": m.AtRate(1e-12), "load": m.AtLoad(1e-12)} {
		for verb, ask := range intSettings(m) {
			switch verb {
			case "Forward.Jobs", "Backward.N", "Certified.N", "Unbiased.N", "Simulate.Jobs", "Path.Jobs":
			default:
				continue
			}
			err := answered(t, verb, func(ctx context.Context) error { return ask(ctx, 100) })
			if err == nil || !strings.Contains(err.Error(), "would drown the waits") {
				t.Errorf("%s, %s: %v", verb, what, err)
			}
		}
		if r, err := m.Solve(context.Background(),
			mjq.Exact{}); err != nil || !(r.All.Waiting.Mean.Value > 0 && r.All.Waiting.Mean.Value < 1e-11) {
			t.Errorf("exact, %s: %v, %v", what, r, err)
		}
	}
}

// TestManyPhasesTakeNoMemory: the generator of an Erlang law of 20,000 phases
// would be one of 3.2 GB.
func TestManyPhasesTakeNoMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := mjq.Servers(2).Poisson(0.5).Class("a", 1, 0.5, mjq.ErlangMeanPhases(1, 20_000)).Class("b", 2, 0.5, mjq.ExpMean(1))
	ctx, stop := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer stop()
	_, _ = m.Solve(ctx, mjq.Forward{Jobs: 100, Replications: 2})
	_, err := m.Solve(ctx, mjq.Exact{})
	if err == nil || !strings.Contains(err.Error(), "20000 phases") || !strings.Contains(err.Error(), "3.2e+03 MB") {
		t.Errorf("exact: %v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 500e6 {
		t.Errorf("%d MB were allocated", (after.TotalAlloc-before.TotalAlloc)/1e6)
	}
}

// TestExtremesOfQueries gives every setting its extremes: verbs answer soon, with
// a result or an error, and none that no machine could fulfil begins.
func TestExtremesOfQueries(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.5).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(1))
	impossible := map[string]string{ // what the error says of MaxInt
		"Forward.Jobs": "Jobs 9223372036854775807", "Forward.WarmUp": "WarmUp 9223372036854775807", "Stability.Replications": "GB of memory",
		"Path.Jobs": "GB of memory", "Backward.AgreeTogether": "", "Unbiased.Window": "Window 9223372036854775807", "Workers": "Workers 9223372036854775807",
		"Simulate.Jobs": "Jobs 9223372036854775807", "Simulate.BatchMeans": "GB of memory", "Sweep.Replications": "Replications 9223372036854775807",
	}
	for name, ask := range intSettings(m) {
		for _, n := range extremeInts {
			err := answered(t, fmt.Sprintf("%s(%d)", name, n), func(ctx context.Context) error { return ask(ctx, n) })
			if want := impossible[name]; n == math.MaxInt && want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s(%d): no word of %q in: %v", name, n, want, err)
			}
		}
	}
	for name, ask := range floatSettings(m) {
		for _, x := range extremeFloats {
			err := answered(t, fmt.Sprintf("%s(%v)", name, x), func(ctx context.Context) error { return ask(ctx, x) })
			if math.IsNaN(x) && err == nil {
				t.Errorf("%s(NaN) gives a result", name)
			}
		}
	}
}

// soonest is how long a verb with extreme settings may work, and latest when it
// must have answered on a busy machine.
const soonest, latest = 30 * time.Millisecond, 20 * time.Second

// answered runs f under a context that ends soon. It fails when f panics or does
// not heed it.
func answered(t *testing.T, what string, f func(ctx context.Context) error) error {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), soonest)
	defer stop()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- fmt.Errorf("%s panicked: %v", what, v)
			}
		}()
		done <- f(ctx)
	}()
	select {
	case err := <-done:
		if err != nil && strings.Contains(err.Error(), "panic") {
			t.Errorf("%s: %v", what, err)
		}
		return err
	case <-time.After(latest):
		buffer := make([]byte, 1<<16)
		t.Fatalf("%s has not answered after %v:\n%s", what, latest, buffer[:runtime.Stack(buffer, true)])
	}
	return nil
}

// intSettings are all settings that take an int.
func intSettings(m mjq.Model) map[string]func(ctx context.Context, n int) error {
	run := func(q mjq.Option, ctx context.Context) error {
		_, err := m.Solve(ctx, q)
		return err
	}
	fit := func(q mjq.Option, ctx context.Context) error {
		_, err := m.Policy(mjq.FirstFit()).Solve(ctx, q)
		return err
	}
	return map[string]func(ctx context.Context, n int) error{
		"Workers": func(ctx context.Context, n int) error {
			return run(mjq.Options(mjq.Forward{Jobs: 100}, mjq.Workers(n)), ctx)
		},
		"On": func(ctx context.Context, n int) error {
			return run(mjq.Forward{Jobs: 100, Device: mjq.Processor(fmt.Sprint(n))}, ctx)
		},
		"Forward.Jobs": func(ctx context.Context, n int) error { return run(mjq.Forward{Jobs: n}, ctx) },
		"Forward.Controls": func(ctx context.Context, n int) error {
			return run(mjq.Forward{Controls: mjq.PlainControls, Jobs: n}, ctx)
		},
		"Forward.WarmUp":         func(ctx context.Context, n int) error { return run(mjq.Forward{Jobs: 100, WarmUp: n}, ctx) },
		"Forward.Replications":   func(ctx context.Context, n int) error { return run(mjq.Forward{Jobs: 100, Replications: n}, ctx) },
		"Backward.N":             func(ctx context.Context, n int) error { return run(mjq.Backward{Samples: n}, ctx) },
		"Backward.Window":        func(ctx context.Context, n int) error { return run(mjq.Backward{Window: n}, ctx) },
		"Backward.MaxWindow":     func(ctx context.Context, n int) error { return run(mjq.Backward{MaxWindow: n}, ctx) },
		"Backward.Both":          func(ctx context.Context, n int) error { return run(mjq.Backward{Window: n, MaxWindow: n}, ctx) },
		"Backward.AgreeTogether": func(ctx context.Context, n int) error { return run(mjq.Backward{AgreeTogether: n, Samples: n}, ctx) },
		"Certified.N":            func(ctx context.Context, n int) error { return run(mjq.Certified{Samples: n}, ctx) },
		"Certified.PathLength":   func(ctx context.Context, n int) error { return run(mjq.Certified{PathLength: n}, ctx) },
		"Unbiased.N":             func(ctx context.Context, n int) error { return run(mjq.Unbiased{Samples: n}, ctx) },
		"Unbiased.Window":        func(ctx context.Context, n int) error { return run(mjq.Unbiased{Window: n}, ctx) },
		"Unbiased.PathLength":    func(ctx context.Context, n int) error { return run(mjq.Unbiased{PathLength: n}, ctx) },
		"Unbiased.Path.Coupled":  func(ctx context.Context, n int) error { return fit(mjq.Unbiased{PathLength: n}, ctx) },
		"Unbiased.Burn.Coupled":  func(ctx context.Context, n int) error { return fit(mjq.Unbiased{Window: n}, ctx) },
		"Dominated.N":            func(ctx context.Context, n int) error { return run(mjq.Dominated{Samples: n}, ctx) },
		"Simulate.Jobs":          func(ctx context.Context, n int) error { return run(mjq.Simulation{Jobs: n}, ctx) },
		"Simulate.WarmUp":        func(ctx context.Context, n int) error { return run(mjq.Simulation{Jobs: 100, WarmUp: n}, ctx) },
		"Simulate.BatchMeans":    func(ctx context.Context, n int) error { return run(mjq.Simulation{Jobs: n, BatchMeans: n}, ctx) },
		"Simulate.Replications": func(ctx context.Context, n int) error {
			return run(mjq.Simulation{Jobs: 100, Replications: n}, ctx)
		},
		"Stability.Replications": func(ctx context.Context, n int) error {
			_, err := m.Stability(ctx, mjq.Pile{Replications: n})
			return err
		},
		"Stability.MaxJobs": func(ctx context.Context, n int) error {
			_, err := m.Stability(ctx, mjq.Pile{}, mjq.RelErr(1e-9), mjq.MaxJobs(n))
			return err
		},
		"Path.Jobs":   func(ctx context.Context, n int) error { _, err := m.Path(ctx, 0, n); return err },
		"Path.WarmUp": func(ctx context.Context, n int) error { _, err := m.Path(ctx, n, n+100); return err },
		"Sweep.Backward": func(ctx context.Context, n int) error {
			_, err := mjq.Sweep(ctx, m, mjq.Grid{Rates: []float64{0.1}}, mjq.Backward{Samples: n})
			return err
		},
		"Sweep.Replications": func(ctx context.Context, n int) error {
			_, err := mjq.Sweep(ctx, m, mjq.Grid{Rates: []float64{0.1}, Replications: n}, mjq.Backward{Samples: 10})
			return err
		},
		"Sweep.Shard": func(ctx context.Context, n int) error {
			_, err := mjq.Sweep(ctx, m, mjq.Grid{Rates: []float64{0.1}}, mjq.Backward{Samples: 10}, mjq.Shard(n, n))
			return err
		},
		"Sweep.Servers": func(ctx context.Context, n int) error {
			_, err := mjq.Sweep(ctx, m, mjq.Grid{Servers: []int{n}, Rates: []float64{0.1}}, mjq.Backward{Samples: 10})
			return err
		},
	}
}

// floatSettings are all settings that take a float64.
func floatSettings(m mjq.Model) map[string]func(ctx context.Context, x float64) error {
	fit := m.Policy(mjq.FirstFit())
	ran := func(_ *result.Result, err error) error { return err }
	return map[string]func(ctx context.Context, x float64) error{
		"Level": func(ctx context.Context, x float64) error {
			return ran(m.Solve(ctx, mjq.Forward{Jobs: 100}, mjq.Level(x)))
		},
		"Level.Pile": func(ctx context.Context, x float64) error {
			_, err := m.Stability(ctx, mjq.Pile{}, mjq.Level(x))
			return err
		},
		"RelErr": func(ctx context.Context, x float64) error { return ran(m.Solve(ctx, mjq.Backward{}, mjq.RelErr(x))) },
		"HalfWidth": func(ctx context.Context, x float64) error {
			return ran(m.Solve(ctx, mjq.Certified{}, mjq.HalfWidth(x)))
		},
		"RelErr.Simulate": func(ctx context.Context, x float64) error {
			return ran(m.Solve(ctx, mjq.Simulation{Jobs: 100}, mjq.RelErr(x)))
		},
		"InTime.Unbiased": func(ctx context.Context, x float64) error { return ran(fit.Solve(ctx, mjq.Unbiased{Within: x})) },
		"Slowdown.Unbiased": func(ctx context.Context, x float64) error {
			return ran(fit.Solve(ctx, mjq.Unbiased{SlowdownThreshold: x}))
		},
		"HalfWidth.Unbiased": func(ctx context.Context, x float64) error { return ran(m.Solve(ctx, mjq.Unbiased{}, mjq.HalfWidth(x))) },
		"RelErr.Pile": func(ctx context.Context, x float64) error {
			_, err := m.Stability(ctx, mjq.Pile{}, mjq.RelErr(x))
			return err
		},
		"Certified": func(ctx context.Context, x float64) error {
			return ran(m.Solve(ctx, mjq.Certified{Eps: x, Samples: 10}))
		},
		"Exact.MaxBytes": func(ctx context.Context, x float64) error { return ran(m.Solve(ctx, mjq.Exact{MaxBytes: x})) },
		"AtRate":         func(ctx context.Context, x float64) error { return ran(m.AtRate(x).Solve(ctx, mjq.Simulation{})) },
		"AtRate.Forward": func(ctx context.Context, x float64) error { return ran(m.AtRate(x).Solve(ctx, mjq.Forward{})) },
		"AtLoad":         func(ctx context.Context, x float64) error { return ran(m.AtLoad(x).Solve(ctx, mjq.Exact{})) },
		"Sweep.Rates": func(ctx context.Context, x float64) error {
			_, err := mjq.Sweep(ctx, m, mjq.Grid{Rates: []float64{x}},
				mjq.Backward{})
			return err
		},
		"Sweep.Loads": func(ctx context.Context, x float64) error {
			_, err := mjq.Sweep(ctx, m, mjq.Grid{Loads: []float64{x}},
				mjq.Backward{})
			return err
		},
	}
}

// TestExtremesOfResults asks results for what is no probability and no time.
func TestExtremesOfResults(t *testing.T) {
	m := mjq.Servers(2).Poisson(0.5).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(1))
	ctx := context.Background()
	exact, sampled := mjq.Must(m.Solve(ctx, mjq.Exact{})), mjq.Must(m.Solve(ctx, mjq.Forward{Jobs: 1000, Replications: 4}))
	unstable := mjq.Must(m.AtRate(100).Solve(ctx, mjq.Exact{}))
	for what, r := range map[string]*result.Result{"exact": exact, "forward": sampled, "unstable": unstable} {
		for _, w := range []*result.Metric{&r.All.Waiting, &r.Class("a").Response} {
			if e := w.CDF(math.NaN()); !math.IsNaN(e.Value) {
				t.Errorf("%s: P(X ≤ NaN) = %v", what, e)
			}
			for _, x := range extremeFloats {
				if p := w.CDF(x).Value; !math.IsNaN(x) && !(p >= 0 && p <= 1) {
					t.Errorf("%s: P(X ≤ %v) = %v", what, x, p)
				}
				if q := w.Quantile(x).Value; q < 0 {
					t.Errorf("%s: the %v-quantile is %v", what, x, q)
				}
			}
			for _, n := range extremeInts {
				w.PDF(n)
			}
		}
		for _, n := range extremeInts {
			r.Jobs.Moment(n)
			if p := r.Jobs.Probability(n); p < 0 {
				t.Errorf("%s: P(N = %d) = %v", what, n, p)
			}
		}
	}
}
