package law

import (
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/internal/fastmath"
)

// Sample must invert Survival whatever short cuts it takes, from the largest
// value to the smallest.
func TestSamplesInvertSurvival(t *testing.T) {
	laws := []Law{
		BoundedPareto{1, 100, 1.5}, BoundedPareto{2.5e-3, 4e6, 0.4}, BoundedPareto{1, 1e300, 30}, BoundedPareto{1, 1 + 1e-9, 2},
		WeibullMeanShape(2, 0.3), WeibullMeanShape(1, 0.999), WeibullMeanShape(1e-3, 7),
		LogNormalMeanSCV(3, 0.2), LogNormalMeanSCV(1, 50), Lomax{1.2, 3},
	}
	rng := rand.New(rand.NewPCG(4, 1))
	for _, l := range laws {
		for i := range 2000 {
			w := rng.Uint64() >> (i % 50)
			x, u := l.Sample(&fixed{w}), fastmath.Unit(w)
			// An error of some ulps in x, seen through the slope of Survival.
			lo, hi := l.Survival(x*(1+2e-14)), l.Survival(x*(1-2e-14))
			if u < lo*(1-1e-12) || u > hi*(1+1e-12) {
				t.Errorf("%v at u = %v: x = %v has survival %v to %v", l, u, x, lo, hi)
				break
			}
		}
	}
}

// fixed is a source of one word.
type fixed struct{ word uint64 }

func (f *fixed) Uint64() uint64 { return f.word }

// BenchmarkPareto times a bounded Pareto sample beside the same by math.Pow, which is
// what Quantile computes.
func BenchmarkPareto(b *testing.B) {
	words, sum := rand.NewPCG(1, 1), 0.0
	pareto := BoundedPareto{1, 100, 1.5}
	ready := Prepare(pareto)
	b.Run("Pareto, prepared", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += ready.Sample(words)
		}
	})
	b.Run("Pareto, math.Pow", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += pareto.Quantile(1 - fastmath.Unit(words.Uint64()))
		}
	})
	if sum == 1 {
		b.Log(sum)
	}
}
