package sampler_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestControlVariates runs samplers that have control variates many times on a
// single server at nine tenths of its limit, where the mean wait is 9 services
// and the variance 99: errors must be as large as the intervals say, and the
// intervals much narrower than without.
func TestControlVariates(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.9).Class("one", 1, 1, mjq.ExpMean(1))
	for name, x := range map[string]struct {
		runs int
		ask  func(seed uint64) *result.Result
	}{
		"forward": {oracle.Sized(25, 80), func(seed uint64) *result.Result {
			return mjq.Must(m.Solve(context.Background(), mjq.Forward{Controls: mjq.PlainControls, Replications: 12, Jobs: 40_000, WarmUp: 5000}, mjq.Seed(seed)))
		}},
		"unbiased": {oracle.Sized(20, 40), func(seed uint64) *result.Result {
			return mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 64, Window: 800, PathLength: oracle.Sized(10_000, 20_000)}, mjq.Seed(seed)))
		}},
		"certified": {oracle.Sized(20, 40), func(seed uint64) *result.Result {
			return mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: 64, PathLength: oracle.Sized(10_000, 20_000)}, mjq.Seed(seed)))
		}},
	} {
		var mean, variance, gain [2]float64 // sums of errors in standard errors, and of their squares
		for seed := range uint64(x.runs) {
			r := x.ask(seed + 1)
			add(&mean, r.All.Waiting.Mean, 9)
			add(&variance, r.Classes[0].Waiting.Variance, 99)
			gain[0] += r.Run.VarianceReduction / float64(x.runs)
			if !strings.HasSuffix(r.Classes[0].Waiting.Mean.Method, "with control variates") {
				t.Fatalf("%s: method %q", name, r.Classes[0].Waiting.Mean.Method)
			}
		}
		for of, z := range map[string][2]float64{"mean": mean, "variance": variance} {
			n := float64(x.runs)
			if off, spread := z[0]/math.Sqrt(n), z[1]/n; math.Abs(off) > 4.5 || math.Abs(spread-1.1) > 0.7 {
				t.Errorf("%s, %s: errors add up to %.1f standard errors, their squares to %.2f a run", name, of, off, spread)
			}
		}
		if t.Logf("%s: mean gain %.1f", name, gain[0]); gain[0] < 5 {
			t.Errorf("%s: control variates gain a factor of %.1f", name, gain[0])
		}
	}
}

// add adds the error of an estimate, in standard errors, and its square.
func add(sums *[2]float64, e result.Estimate, truth float64) {
	z := (e.Value - truth) / (e.HalfWidth / 1.96)
	sums[0] += z
	sums[1] += z * z
}

// TestControlVariatesBits: forward runs keep their jobs, and with them all but
// means and variances; the digits do not depend on the number of goroutines.
func TestControlVariatesBits(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	const decided = 0.5 // its interval takes few jobs
	plain := mjq.Must(m.Solve(context.Background(), mjq.Forward{Replications: 6, Jobs: 5000}))
	ask := func(workers int) *result.Result {
		return mjq.Must(m.Solve(context.Background(), mjq.Forward{Controls: mjq.PlainControls, Replications: 6, Jobs: 5000}, mjq.Workers(workers)))
	}
	a, b := ask(1), ask(3)
	if !oracle.SameBits(a.Classes, b.Classes) || a.All.Waiting.Mean != b.All.Waiting.Mean || a.Run.VarianceReduction != b.Run.VarianceReduction {
		t.Errorf("%v on one goroutine, %v on three", a, b)
	}
	if p, q := plain.Classes[2].Waiting.Quantile(decided), a.Classes[2].Waiting.Quantile(decided); p.Value != q.Value || !(p.HalfWidth > 0) || p.HalfWidth != q.HalfWidth || plain.Run.VarianceReduction != 0 {
		t.Errorf("the %v-quantile is %v, with control variates %v; without them a gain of %v", decided, p, q, plain.Run.VarianceReduction)
	}
	r := mjq.Must(m.Solve(context.Background(), mjq.Forward{Controls: mjq.PlainControls, Replications: 1000, Jobs: 5000}, mjq.RelErr(0.1)))
	if !r.Run.Met || r.Run.Samples >= 1000 || r.All.Waiting.Mean.RelErr() > 0.1 {
		t.Errorf("asked for 10 %%, got %v after %d replications", r.All.Waiting.Mean, r.Run.Samples)
	}
}

// BenchmarkControlVariates prints what control variates of forward runs gain, by
// how much they slow them down, and the time for a given half-width that is left.
func BenchmarkControlVariates(b *testing.B) {
	for _, c := range []struct {
		name string
		m    mjq.Model
		jobs int
	}{
		{"OneServer/load=0.95", mjq.Servers(1).Poisson(0.95).Class("one", 1, 1, mjq.ExpMean(1)), 400_000},
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4), 400_000},
		{"FiveClasses/rate=1.65", workload.FiveClassExponential().Poisson(1.65), 2_000_000},
		{"BoundedPareto/rate=1.2", workload.FiveClassBoundedPareto().Poisson(1.2), 400_000},
		{"OneAnd256/load=0.5", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(10.224), 400_000},
		{"OneAnd256/load=0.8", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(16.3585), 4_000_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			mjq.Must(c.m.Stability(context.Background()))
			var squares, seconds [2]float64
			for i := 0; i < b.N; i++ {
				for k := range squares {
					q := mjq.Forward{Replications: 64, Jobs: c.jobs}
					if k == 1 {
						q.Controls = mjq.PlainControls
					}
					r := mjq.Must(c.m.Solve(context.Background(), q, mjq.Seed(uint64(i))))
					half := r.All.Waiting.Mean.HalfWidth
					squares[k] += half * half
					seconds[k] += r.Run.Elapsed.Seconds()
				}
			}
			gain, slower := squares[0]/squares[1], seconds[1]/seconds[0]
			b.ReportMetric(gain, "gain")
			b.ReportMetric(slower, "times-as-slow")
			b.ReportMetric(slower/gain, "of-the-time")
		})
	}
}

// BenchmarkControlVariatesHonest prints how large errors are against what their
// intervals say, in mean squares of standard errors (Student's t with 15 degrees
// of freedom: 1.15), without control variates and with: Cell B at λ = 0.8, where
// 78 jobs of a run matter and means of runs are far from normal.
func BenchmarkControlVariatesHonest(b *testing.B) {
	m := workload.BorgCellB().Poisson(0.8)
	truth := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 1000, PathLength: 1_000_000}, mjq.Seed(77))).All.Waiting.Mean
	b.ResetTimer()
	var squares [2]float64
	for i := 0; i < b.N; i++ {
		for k := range squares {
			q := mjq.Forward{Replications: 16, Jobs: 600_000, WarmUp: 200_000}
			if k == 1 {
				q.Controls = mjq.PlainControls
			}
			e := mjq.Must(m.Solve(context.Background(), q, mjq.Seed(uint64(i+1)))).All.Waiting.Mean
			z := (e.Value - truth.Value) / (e.HalfWidth / 2.131)
			squares[k] += z * z / float64(b.N)
		}
	}
	b.ReportMetric(squares[0], "without")
	b.ReportMetric(squares[1], "with")
	b.ReportMetric(truth.Value, "truth")
	b.ReportMetric(truth.HalfWidth, "its-half-width")
}
