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
	for _, l := range append(laws(), Lomax{1.2, 0.2}, WeibullMeanShape(1, 0.3), BoundedPareto{1e-3, 1e3, 0.9}, HyperExpMeans(5e5, 0.5, 1e-6)) {
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

// TestFarUnitsByNumbers: so is what is integrated, far into the tail: the excess of a
// law that has no formula for it, its spread, and transforms near the largest number.
func TestFarUnitsByNumbers(t *testing.T) {
	for _, u := range []float64{0x1p-40, 1e-6, 1, 1e6, 0x1p40} {
		for _, x := range []float64{0.3, 5, 25} {
			if got, want := Excess(hidden{ExpMean(u)}, x*u), u*math.Exp(-x); !close(got/want, 1, 1e-7) {
				t.Errorf("unit %g: excess over %v is %v, want %v", u, x, got, want)
			}
		}
		l := Lomax{2.5, u}
		h, n := Spread(l), Spread(hidden{l})
		for _, x := range []float64{1, 1e4, 1e6} {
			if got, want := n.Survival(x*u), h.Survival(x*u); !close(got/want, 1, 1e-8) {
				t.Errorf("unit %g: spread over %v with probability %v, want %v", u, x, got, want)
			}
		}
		// Of the density 2x on [0, 1] E exp(tH) is 2((t-1)e^t + 1)/t².
		const at = 690.0
		if got, want := (boundedPower{0, u, 2}).Laplace(-at/u), math.Exp(at)*2*(at-1)/(at*at); !close(got/want, 1, 1e-9) {
			t.Errorf("unit %g: E exp(%gH) = %v, want %v", u, at, got, want)
		}
	}
}
