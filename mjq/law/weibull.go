package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
)

// Weibull has survival exp(-(x/scale)^Shape), by its mean M = scale·Γ(1+1/Shape).
type Weibull struct{ Shape, M float64 }

// WeibullMean is the Weibull law with the given shape and mean.
func WeibullMean(shape, mean float64) Weibull { return Weibull{shape, mean} }

// Validate wants a positive finite shape and mean, and a scale that floating
// point can hold: below a shape of about 1/170 a mean of 1 is that of times which
// are all but surely below 1e-306.
func (l Weibull) Validate() error {
	f := check.Faults{Of: l}
	positive(&f, "shape", l.Shape)
	positive(&f, "mean", l.M)
	f.That(!f.None() || l.scale() >= 0x1p-1022,
		"the scale mean/Γ(1+1/shape) is too small for a number; give a larger shape (at least 0.006 for a mean of 1), or Lomax for a heavier tail")
	return f.Err("")
}

func (l Weibull) scale() float64 { return l.M / math.Gamma(1+1/l.Shape) }

// Mean is M.
func (l Weibull) Mean() float64 { return l.M }

// Variance is M²(Γ(1+2/Shape)/Γ(1+1/Shape)² - 1).
func (l Weibull) Variance() float64 {
	g1, _ := math.Lgamma(1 + 1/l.Shape)
	g2, _ := math.Lgamma(1 + 2/l.Shape)
	return l.M * l.M * math.Expm1(g2-2*g1)
}

// Survival is exp(-(x/scale)^Shape).
func (l Weibull) Survival(x float64) float64 {
	return math.Exp(-math.Pow(max(0, x)/l.scale(), l.Shape))
}

// Quantile is scale·(-ln(1-p))^(1/Shape).
func (l Weibull) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.scale() * math.Pow(-math.Log1p(-p), 1/l.Shape)
}

// Laplace integrates over t = ln((x/scale)^Shape), to 1e-10. For s < 0 it is
// finite for every s when Shape > 1, up to the rate when Shape = 1, and +Inf
// when Shape < 1.
func (l Weibull) Laplace(s float64) float64 {
	switch {
	case s == 0:
		return 1
	case l.Shape == 1:
		return Exponential{l.M}.Laplace(s)
	case s < 0 && l.Shape < 1:
		return math.Inf(1)
	}
	y := s * l.scale()
	height, area := expIntegral(func(t float64) float64 {
		if t > 0 { // lest the difference of two infinities arise for s < 0
			return t - math.Exp(t)*(1+y*math.Exp(t/l.Shape-t))
		}
		return t - math.Exp(t) - y*math.Exp(t/l.Shape)
	})
	return math.Exp(height) * area
}

// Sample inverts the tail; one word.
func (l Weibull) Sample(rng rand.Source) float64 { return l.prepare().Sample(rng) }

// Scaled scales the mean.
func (l Weibull) Scaled(c float64) Law { return Weibull{l.Shape, c * l.M} }

// String is "WeibullMean(Shape, M)".
func (l Weibull) String() string { return fmt.Sprintf("WeibullMean(%v, %v)", l.Shape, l.M) }
