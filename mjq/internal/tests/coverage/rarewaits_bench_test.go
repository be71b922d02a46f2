package coverage

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkRare prints P(W > x) of five classes by splitting beside the exact values, down
// to 6e-10, with the steps and the seconds of one core that it took.
func BenchmarkRare(b *testing.B) {
	m := workload.FiveClassExponential().Poisson(1.4)
	exact := mjq.Must(m.Solve(background, mjq.Exact{}))
	for range b.N {
		r := mjq.Must(m.Solve(background, mjq.RareEvent{Wait: 388.3}, mjq.RelErr(0.1), mjq.Workers(1)))
		fmt.Printf("%.3g steps, %.0f s\n", float64(r.Run.Steps), r.Run.Elapsed.Seconds())
		for _, e := range r.All.Waiting.TailProbability {
			fmt.Printf("P(W > %5.1f): exact %.4g, %.3g ± %.2g\n", e.Time, exact.All.Waiting.Survival(e.Time).Value, e.Prob.Value, e.Prob.HalfWidth)
		}
	}
}

// BenchmarkCoverageOfRare prints how many of 100 intervals of Rare hold what they should:
// P(W > x) = ρ exp(-(1-ρ)x) of one server with services of mean 1, at about 10⁻⁶; and of
// five classes P(W > 388.3), at 6.477·10⁻¹⁰. MJQ_COVERAGE_RUNS, MJQ_COVERAGE_SEED and
// MJQ_COVERAGE_MODELS, a regular expression, choose others. A run takes a second or two of
// one core, of five classes ten.
func BenchmarkCoverageOfRare(b *testing.B) {
	models := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_MODELS"))
	for range b.N {
		for _, load := range []float64{0.5, 0.6, 0.7} {
			if name := fmt.Sprintf("one server at load %v", load); models.MatchString(name) {
				m := mjq.Servers(1).Poisson(load).Class("one", 1, 1, mjq.ExpMean(1))
				coverageOfRare(b, name, m, math.Log(load/1e-6)/(1-load), 1e-6)
			}
		}
		if name := "five classes, λ = 1.4"; models.MatchString(name) {
			m := workload.FiveClassExponential().Poisson(1.4)
			coverageOfRare(b, name, m, 388.3, mjq.Must(m.Solve(background, mjq.Exact{})).All.Waiting.Survival(388.3).Value)
		}
	}
}

// coverageOfRare prints a line: how often intervals hold the truth, how often it lies above
// them, and what part of it the estimates are on average, with the standard error.
func coverageOfRare(b *testing.B, name string, m mjq.Model, x, truth float64) {
	var in held
	var ratio, square float64
	without, above := 0, 0
	runs, first := coverageNumber(b, "RUNS", 100), coverageNumber(b, "SEED", 1)
	for run := range runs {
		r := mjq.Must(m.Solve(background, mjq.RareEvent{Wait: x, Jobs: 100_000, Replications: 16}, mjq.Seed(uint64(first+run))))
		e := r.All.Waiting.Survival(x)
		ratio += e.Value / truth / float64(runs)
		square += e.Value / truth * e.Value / truth / float64(runs)
		if math.IsNaN(e.HalfWidth) {
			without++
			continue
		}
		if in.add(e, truth); e.Hi() < truth {
			above++
		}
	}
	fmt.Printf("%s, P(W > %.1f) = %.4g: held %s, the truth above %d, %d without an interval; mean ratio %.4f ± %.4f\n",
		name, x, truth, in.share(), above, without, ratio, math.Sqrt((square-ratio*ratio)/float64(runs)))
}
