package coverage

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// held counts intervals that hold what they should.
type held struct{ runs, in int }

func (h *held) add(e result.Estimate, truth float64) {
	h.runs++
	if math.Abs(e.Value-truth) <= e.HalfWidth {
		h.in++
	}
}

// share is as many of all, with its standard error.
func (h *held) share() string {
	p := float64(h.in) / float64(h.runs)
	return fmt.Sprintf("%.3f ± %.3f of %d", p, math.Sqrt(p*(1-p)/float64(h.runs)), h.runs)
}

// BenchmarkCoverageOfWindows prints what first windows of Unbiased that are short against
// the queue's memory do to intervals: five classes, 500 samples, 200 runs a line. The
// sampler is asked itself, for queries withhold such intervals. Some two minutes a core.
func BenchmarkCoverageOfWindows(b *testing.B) {
	for range b.N {
		for _, c := range []struct {
			rate    float64
			windows []int64
		}{{1.7, []int64{400, 800, 1600, 3200, 6400}}, {1.4, []int64{50, 200}}} {
			m := workload.FiveClassExponential().Poisson(c.rate)
			exact := mjq.Must(m.Solve(background, mjq.Exact{}))
			for _, window := range c.windows {
				var mean, variance, waste held
				for run := range 200 {
					u := sampling.Unbiased{System: problem.New(m.Spec()).System(uint64(run+1), 2), Samples: 500, Window: window, Level: 0.95}
					r := u.Run(background, nil)
					mean.add(r.All.Mean(0.95, ""), exact.All.Waiting.Mean.Value)
					variance.add(r.All.Variance(0.95, ""), exact.All.Waiting.Variance.Value)
					waste.add(r.HOL.Mean(0.95, ""), exact.WastedHOL.Value/c.rate)
				}
				fmt.Printf("λ = %v, relaxation %.0f, window %4d: mean %s, variance %s, waste %s\n",
					c.rate, problem.New(m.Spec()).Relaxation(c.rate/exact.Limit.Rate), window, mean.share(), variance.share(), waste.share())
			}
		}
	}
}
