package law

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigExp is e^x to well beyond double precision: the series at x/2^20, squared
// twenty times.
func bigExp(x float64) float64 {
	const prec, halvings = 300, 20
	y := new(big.Float).SetPrec(prec).SetFloat64(x)
	y.SetMantExp(y, -halvings)
	sum, term := big.NewFloat(1).SetPrec(prec), big.NewFloat(1).SetPrec(prec)
	for k := int64(1); k < 40; k++ {
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	out, _ := sum.Float64()
	return out
}

func TestFastExpAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	xs := []float64{0, 1, -1, 1e-300, -1e-17, 699.999, -699.999, math.Ln2, -math.Ln2 / 256, math.Ln2 / 256}
	for i := range 3000 {
		xs = append(xs, (2*rng.Float64()-1)*math.Pow(2, float64(i%20-10)))
	}
	worst := 0.0
	for _, x := range xs {
		if math.Abs(x) < expRange {
			want := bigExp(x)
			worst = math.Max(worst, math.Abs(fastExp(x)-want)/want)
		}
	}
	short := 0
	for i := -1398; i <= 1398; i++ {
		if x := float64(i) / 2; fastExp(x) != math.Exp(x) {
			short++
		}
	}
	if short < 100 {
		t.Errorf("within ±700 the short way gives the bits of the long one but for %d", short)
	}
	if !(worst < 4e-16) {
		t.Errorf("worst relative error %.2g, documented below 4e-16", worst)
	}
	for _, x := range []float64{700, -700, 710, -745, -1000, math.Inf(1), math.Inf(-1)} {
		if got := fastExp(x); got != math.Exp(x) {
			t.Errorf("fastExp(%v) = %v, want %v", x, got, math.Exp(x))
		}
	}
	if !math.IsNaN(fastExp(math.NaN())) {
		t.Error("fastExp(NaN) is a number")
	}
}

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
			x, u := l.Sample(&fixed{w}), Unit(w)
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

// BenchmarkExp times the exponential beside the standard library's, and a bounded
// Pareto sample beside the same by math.Pow, which is what Quantile computes.
func BenchmarkExp(b *testing.B) {
	var xs [1024]float64
	words := rand.NewPCG(1, 1)
	rng := rand.New(words)
	for i := range xs {
		xs[i] = 20 * rng.Float64()
	}
	sum := 0.0
	b.Run("table", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += fastExp(xs[i&1023])
		}
	})
	b.Run("math", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += math.Exp(xs[i&1023])
		}
	})
	pareto := BoundedPareto{1, 100, 1.5}
	ready := Prepare(pareto)
	b.Run("Pareto, prepared", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += ready.Sample(words)
		}
	})
	b.Run("Pareto, math.Pow", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += pareto.Quantile(1 - Unit(words.Uint64()))
		}
	})
	if sum == 1 {
		b.Log(sum)
	}
}
