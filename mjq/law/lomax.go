package law

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// ParetoII is the Lomax law: survival (1 + x/Range)^-Shape. Its mean,
// Range/(Shape-1), is finite for Shape > 1, its variance for Shape > 2.
type ParetoII struct{ Shape, Range float64 }

// Lomax is the Pareto law of type II with the given shape and scale.
func Lomax(shape, scale float64) ParetoII { return ParetoII{shape, scale} }

// Validate wants a positive shape and scale. An infinite mean is valid here.
func (l ParetoII) Validate() error {
	f := faults{law: l}
	f.positive("shape", l.Shape)
	f.positive("scale", l.Range)
	return f.err()
}

// Mean is Range/(Shape-1), or +Inf.
func (l ParetoII) Mean() float64 {
	if l.Shape <= 1 {
		return math.Inf(1)
	}
	return l.Range / (l.Shape - 1)
}

// Variance is Mean²·Shape/(Shape-2), or +Inf.
func (l ParetoII) Variance() float64 {
	if l.Shape <= 2 {
		return math.Inf(1)
	}
	m := l.Mean()
	return m * m * l.Shape / (l.Shape - 2)
}

// Survival is (1 + x/Range)^-Shape.
func (l ParetoII) Survival(x float64) float64 {
	return math.Exp(-l.Shape * math.Log1p(max(0, x)/l.Range))
}

// Quantile is Range·((1-p)^(-1/Shape) - 1).
func (l ParetoII) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.Range * math.Expm1(-math.Log1p(-p)/l.Shape)
}

// Laplace integrates over t = ln(x/Range), to 1e-10; +Inf for s < 0.
func (l ParetoII) Laplace(s float64) float64 {
	switch {
	case s < 0:
		return math.Inf(1)
	case s == 0:
		return 1
	}
	height, area := expIntegral(func(t float64) float64 {
		return t - (l.Shape+1)*logOnePlusExp(t) - s*l.Range*math.Exp(t)
	})
	return l.Shape * math.Exp(height) * area
}

// logOnePlusExp is ln(1 + e^t) without overflow.
func logOnePlusExp(t float64) float64 {
	return max(t, 0) + math.Log1p(math.Exp(-math.Abs(t)))
}

// Sample inverts the tail; one word.
func (l ParetoII) Sample(rng rand.Source) float64 {
	return l.Range * math.Expm1(NegLog(Unit(rng.Uint64()))/l.Shape)
}

// Scale scales Range.
func (l ParetoII) Scale(c float64) Law { return ParetoII{l.Shape, c * l.Range} }

// String is "Lomax(Shape, Range)".
func (l ParetoII) String() string { return fmt.Sprintf("Lomax(%v, %v)", l.Shape, l.Range) }
