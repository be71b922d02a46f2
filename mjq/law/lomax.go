package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
)

// Lomax is the Pareto law of type II: survival (1 + x/Scale)^-Shape. Its mean,
// Scale/(Shape-1), is finite for Shape > 1, its variance for Shape > 2.
type Lomax struct{ Shape, Scale float64 }

// Validate wants a positive shape and scale. An infinite mean is valid here.
func (l Lomax) Validate() error {
	f := check.Faults{Of: l}
	positive(&f, "shape", l.Shape)
	positive(&f, "scale", l.Scale)
	return f.Err("")
}

// Mean is Scale/(Shape-1), or +Inf.
func (l Lomax) Mean() float64 {
	if l.Shape <= 1 {
		return math.Inf(1)
	}
	return l.Scale / (l.Shape - 1)
}

// Variance is Mean²·Shape/(Shape-2), or +Inf.
func (l Lomax) Variance() float64 {
	if l.Shape <= 2 {
		return math.Inf(1)
	}
	m := l.Mean()
	return m * m * l.Shape / (l.Shape - 2)
}

// Survival is (1 + x/Scale)^-Shape.
func (l Lomax) Survival(x float64) float64 {
	return math.Exp(-l.Shape * math.Log1p(max(0, x)/l.Scale))
}

// Quantile is Scale·((1-p)^(-1/Shape) - 1).
func (l Lomax) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.Scale * math.Expm1(-math.Log1p(-p)/l.Shape)
}

// Laplace integrates over t = ln(x/Scale), to 1e-10; +Inf for s < 0.
func (l Lomax) Laplace(s float64) float64 {
	switch {
	case s < 0:
		return math.Inf(1)
	case s == 0:
		return 1
	}
	height, area := expIntegral(func(t float64) float64 {
		return t - (l.Shape+1)*logOnePlusExp(t) - s*l.Scale*math.Exp(t)
	})
	return l.Shape * math.Exp(height) * area
}

// logOnePlusExp is ln(1 + e^t) without overflow.
func logOnePlusExp(t float64) float64 {
	return max(t, 0) + math.Log1p(math.Exp(-math.Abs(t)))
}

// Sample inverts the tail; one word.
func (l Lomax) Sample(rng rand.Source) float64 {
	return l.Scale * math.Expm1(NegLog(Unit(rng.Uint64()))/l.Shape)
}

// Scaled scales Scale.
func (l Lomax) Scaled(c float64) Law { return Lomax{l.Shape, c * l.Scale} }

// String is "Lomax(Shape, Scale)".
func (l Lomax) String() string { return fmt.Sprintf("Lomax(%v, %v)", l.Shape, l.Scale) }
