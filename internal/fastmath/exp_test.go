package fastmath

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

func TestExpAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	xs := []float64{0, 1, -1, 1e-300, -1e-17, 699.999, -699.999, math.Ln2, -math.Ln2 / 256, math.Ln2 / 256}
	for i := range 3000 {
		xs = append(xs, (2*rng.Float64()-1)*math.Pow(2, float64(i%20-10)))
	}
	worst := 0.0
	for _, x := range xs {
		if math.Abs(x) < expRange {
			want := bigExp(x)
			worst = math.Max(worst, math.Abs(Exp(x)-want)/want)
		}
	}
	short := 0
	for i := -1398; i <= 1398; i++ {
		if x := float64(i) / 2; Exp(x) != math.Exp(x) {
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
		if got := Exp(x); got != math.Exp(x) {
			t.Errorf("Exp(%v) = %v, want %v", x, got, math.Exp(x))
		}
	}
	if !math.IsNaN(Exp(math.NaN())) {
		t.Error("Exp(NaN) is a number")
	}
}

// BenchmarkExp times the exponential beside the standard library's.
func BenchmarkExp(b *testing.B) {
	var xs [1024]float64
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range xs {
		xs[i] = 20 * rng.Float64()
	}
	sum := 0.0
	b.Run("table", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += Exp(xs[i&1023])
		}
	})
	b.Run("math", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += math.Exp(xs[i&1023])
		}
	})
	if sum == 1 {
		b.Log(sum)
	}
}
