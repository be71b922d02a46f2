package mjq

import (
	"fmt"
	"math"
	"testing"
)

// BenchmarkRare prints P(W > x) of five classes by splitting beside the exact values, down
// to 6e-10, with the steps and the seconds of one core that it took.
func BenchmarkRare(b *testing.B) {
	m := Must(FiveClassExponential().Poisson(1.4).Build())
	exact := Must(m.Exact().Run(background))
	for range b.N {
		r := Must(m.Sample().Rare(388.3).RelErr(0.1).Workers(1).Run(background))
		fmt.Printf("%.3g steps, %.0f s\n", float64(r.Run.Steps), r.Run.Elapsed.Seconds())
		for _, e := range r.All.Waiting.Beyond {
			fmt.Printf("P(W > %5.1f): exact %.4g, %.3g ± %.2g\n", e.Time, exact.All.Waiting.Survival(e.Time).Value, e.Prob.Value, e.Prob.HalfWidth)
		}
	}
}

// BenchmarkCoverageOfRare prints how many of 100 intervals of Rare hold what they should:
// P(W > x) = ρ exp(-(1-ρ)x) of one server with services of mean 1, at about 10⁻⁶.
func BenchmarkCoverageOfRare(b *testing.B) {
	for range b.N {
		for _, load := range []float64{0.5, 0.6, 0.7} {
			m := Must(Servers(1).Poisson(load).Class("one", 1, 1, ExpMean(1)).Build())
			x := math.Log(load/1e-6) / (1 - load)
			var in held
			without, ratio := 0, 0.0
			for run := range 100 {
				r := Must(m.Sample().Rare(x).Jobs(100_000).Replications(16).Seed(uint64(run + 1)).Run(background))
				e := r.All.Waiting.Survival(x)
				ratio += e.Value / 1e-6 / 100
				if math.IsNaN(e.HalfWidth) {
					without++
				} else {
					in.add(e, 1e-6)
				}
			}
			fmt.Printf("load %v, P(W > %.1f) = 1e-6: held %s, %d without an interval, mean ratio %.3f\n", load, x, in.share(), without, ratio)
		}
	}
}
