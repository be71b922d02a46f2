package sampler_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// tail holds P(W > x) of exact samples against known values, within four and a
// half binomial standard errors.
func tail(t *testing.T, what string, w *result.Metric, x, want []float64) {
	t.Helper()
	for i := range x {
		se := math.Sqrt(want[i] * (1 - want[i]) / w.Effective)
		if got := 1 - w.CDF(x[i]).Value; math.Abs(got-want[i]) > 4.5*se+0.004*want[i]/10 {
			t.Errorf("%s: P(W > %v) = %.5g, want %.5g: %.1f standard errors", what, x[i], got, want[i], (got-want[i])/se)
		}
	}
}

// erlangC is the M/M/c queue at rate lambda and service rate 1: the probability
// of waiting C, and P(W > x) = C exp(-(c-lambda)x).
func erlangC(c int, lambda float64) float64 {
	term, sum := 1.0, 0.0
	for k := range c {
		sum += term
		term *= lambda / float64(k+1)
	}
	term *= float64(c) / (float64(c) - lambda)
	return term / (sum + term)
}

func TestDominatedMMc(t *testing.T) {
	for _, c := range []int{1, 2, 3} {
		const lambda = 0.8
		m := mjq.Servers(c).Poisson(lambda).Class("job", 1, 1, mjq.ExpMean(1))
		r := mjq.Must(m.Solve(context.Background(), mjq.Dominated{Samples: oracle.Sized(20_000, 60_000)}))
		wait := erlangC(c, lambda)
		rate := float64(c) - lambda
		oracle.Within(t, "mean wait", r.All.Waiting.Mean, wait/rate, 4.5)
		oracle.Within(t, "variance", r.All.Waiting.Variance, (2*wait-wait*wait)/(rate*rate), 4.5)
		var want []float64
		x := []float64{0, 0.5, 1, 2, 4}
		for _, v := range x {
			want = append(want, wait*math.Exp(-rate*v))
		}
		tail(t, "M/M/c", &r.Classes[0].Waiting, x, want)
	}
}

func TestDominatedSteps(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.7).Class("small", 1, 0.5, mjq.ErlangMeanPhases(0.8, 2)).Class("all", 4, 0.5, mjq.Uniform(0, 2.4))
	q := mjq.Dominated{Samples: 40_000}
	r := mjq.Must(m.Solve(context.Background(), q))
	got := float64(r.Run.Steps) / float64(r.Run.Samples)
	if math.Abs(got/mjq.Dominated{Samples: 40_000}.Cost(m)-1) > 0.05 || r.Run.MinWindow != 0 || r.Run.MaxWindow < 20 {
		t.Errorf("%v jobs a sample, expected %v; from %d to %d", got, mjq.Dominated{Samples: 40_000}.Cost(m), r.Run.MinWindow, r.Run.MaxWindow)
	}
}

func TestDominatedBits(t *testing.T) {
	m := mjq.Servers(2).Poisson(2.25).Class("one", 1, 0.5, mjq.LomaxScaleShape(1, 3.5)).Class("two", 2, 0.5, mjq.LomaxScaleShape(1, 3.5))
	one := mjq.Must(m.Solve(context.Background(), mjq.Dominated{Samples: 2000}, mjq.Seed(7), mjq.Workers(1)))
	many := mjq.Must(m.Solve(context.Background(), mjq.Dominated{Samples: 2000}, mjq.Seed(7), mjq.Workers(5)))
	other := mjq.Must(m.Solve(context.Background(), mjq.Dominated{Samples: 2000}, mjq.Seed(8)))
	if fmt.Sprintf("%x", one.Classes) != fmt.Sprintf("%x", many.Classes) || // a variance has no interval here: NaN
		one.Run.Steps != many.Run.Steps || one.Run.MaxWindow != many.Run.MaxWindow {
		t.Error("the number of goroutines shows")
	}
	if one.All.Waiting.Mean == other.All.Waiting.Mean {
		t.Error("the seed does not show")
	}
}

func TestDominatedRefuses(t *testing.T) {
	m := mjq.Servers(2).Arrivals(mjq.ErlangMeanPhases(0.5, 2)).Class("a", 1, 0.5, mjq.LomaxScaleShape(1, 1.5)).Class("b", 2, 0.5, mjq.ExpMean(1))
	_, err := m.Solve(context.Background(), mjq.Dominated{Samples: -2})
	for _, text := range []string{"Samples -2", "Poisson", "E[σ] = 3", "below 1", "Certified", `"a"`, "infinite variance"} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v does not mention %q", err, text)
		}
	}
	if !math.IsInf(mjq.Dominated{}.Cost(m), 1) {
		t.Error("the cost beyond load 1 is finite")
	}
}

func TestDominatedStops(t *testing.T) {
	m := mjq.Servers(2).Poisson(0.9999).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(1))
	mjq.Must(m.Stability(context.Background()))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	started := time.Now()
	r, err := m.Solve(ctx, mjq.Dominated{Samples: 1 << 30})
	if err == nil || r.Run.Complete || time.Since(started) > oracle.Soon {
		t.Errorf("error %v after %v", err, time.Since(started))
	}
}

// BenchmarkDominated times a job, both queues, from half load of the dominating
// queue to 0.99; a sample takes Cost jobs.
func BenchmarkDominated(b *testing.B) {
	for _, load := range []float64{0.5, 0.9, 0.99} {
		m := mjq.Servers(20).Poisson(load).Class("small", 2, 0.5, mjq.ExpMean(1)).Class("all", 20, 0.5, mjq.ExpMean(1))
		mjq.Must(m.Stability(context.Background()))
		b.Run(fmt.Sprintf("load %v", load), func(b *testing.B) {
			r := mjq.Must(m.Solve(context.Background(), mjq.Dominated{Samples: max(1, int(float64(b.N)/mjq.Dominated{}.Cost(m)))}, mjq.Workers(1)))
			b.ReportMetric(float64(r.Run.Elapsed.Nanoseconds())/float64(r.Run.Steps), "ns/job")
			b.ReportMetric(float64(r.Run.Steps)/float64(r.Run.Samples), "jobs/sample")
		})
	}
}
