package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestFarUnits: a law with all times multiplied by u is the law of u·X, however
// small or large u is.
func TestFarUnits(t *testing.T) {
	for _, l := range append(laws(), Lomax{1.2, 0.2}, WeibullMean(0.3, 1), BoundedPareto{1e-3, 1e3, 0.9}, HyperExp(1e-6, 5e5, 0.5)) {
		for _, u := range []float64{0x1p-40, 0x1p40, 1e-12, 1e12} {
			s := l.Scaled(u)
			if err := s.Validate(); err != nil {
				t.Errorf("%v in units of %g: %v", l, u, err)
			}
			same := func(what string, got, want float64) {
				if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) && got != want {
					t.Errorf("%v in units of %g: %s is %v, should be %v", l, u, what, got, want)
				}
			}
			same("mean", s.Mean(), u*l.Mean())
			same("variance", s.Variance(), u*u*l.Variance())
			for _, p := range []float64{0.01, 0.3, 0.9, 0.9999} {
				x := l.Quantile(p)
				same(fmt.Sprintf("%v-quantile", p), s.Quantile(p), u*x)
				if x *= 1.01; continuous(l) {
					same(fmt.Sprintf("tail at %v", x), s.Survival(u*x), l.Survival(x))
				}
			}
			for _, at := range []float64{0.01, 1, 30} {
				same(fmt.Sprintf("transform at %v", at), s.Laplace(at/u), l.Laplace(at))
			}
			a, b := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
			for range 20 {
				same("sample", s.Sample(a), u*l.Sample(b))
			}
			if a, one, ok := Tilt(l, 0.01/l.Mean()); ok {
				b, other, ok := Tilt(s, 0.01/(u*l.Mean()))
				same("exponential moment", other, one)
				if same("tilted mean", b.Mean(), u*a.Mean()); !ok {
					t.Errorf("%v in units of %g has no exponential moment", l, u)
				}
			}
			if e, o := Spread(l), Spread(s); !math.IsInf(e.Mean(), 1) {
				same("mean of the spread", o.Mean(), u*e.Mean())
				same("median of the spread", o.Quantile(0.5), u*e.Quantile(0.5))
				same("tail of the spread", o.Survival(u*l.Mean()), e.Survival(l.Mean()))
			}
		}
	}
}
