package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
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
	return l.Scale / max(0, l.Shape-1)
}

// Variance is Mean²·Shape/(Shape-2), or +Inf.
func (l Lomax) Variance() float64 {
	m := l.Mean()
	return m * m * l.Shape / max(0, l.Shape-2)
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
	return l.transform(s, 1, l.Shape)
}

// transform is a factor times the integral of exp(-sx) x^(power-1) (1 + x)^-(Shape+1), with x in
// units of Scale, which is the transform of a law.
func (l Lomax) transform(s, power, factor float64) float64 {
	switch {
	case s < 0:
		return math.Inf(1)
	case s == 0:
		return 1
	}
	height, area := expIntegral(func(t float64) float64 {
		return power*t - (l.Shape+1)*logOnePlusExp(t) - s*l.Scale*math.Exp(t)
	})
	return factor * math.Exp(height) * area
}

// logOnePlusExp is ln(1 + e^t) without overflow.
func logOnePlusExp(t float64) float64 {
	return max(t, 0) + math.Log1p(math.Exp(-math.Abs(t)))
}

// Sample inverts the tail; one word.
func (l Lomax) Sample(rng rand.Source) float64 {
	return l.Scale * math.Expm1(fastmath.NegLog(unit(rng))/l.Shape)
}

// Scaled scales Scale.
func (l Lomax) Scaled(c float64) Law { return Lomax{l.Shape, c * l.Scale} }

// String is "LomaxScaleShape(Scale, Shape)".
func (l Lomax) String() string { return fmt.Sprintf("LomaxScaleShape(%v, %v)", l.Scale, l.Shape) }

// Excess is Mean·(1 + x/Scale)^(1-Shape).
func (l Lomax) Excess(x float64) float64 {
	return l.Mean() * math.Exp((1-l.Shape)*math.Log1p(x/l.Scale))
}

// TailIndex is Shape.
func (l Lomax) TailIndex() float64 { return l.Shape }

// Spread has a beta prime law.
func (l Lomax) Spread() Law { return lomaxSpread{l} }

// Form is "LomaxScaleShape" of scale and shape.
func (l Lomax) Form() Form {
	return Form{"LomaxScaleShape", []Parameter{{"scale", l.Scale}, {"shape", l.Shape}}}
}

func init() {
	register(Lomax{3, 2}.Form(), func(f Form) Law { return Lomax{f.Float("shape"), f.Float("scale")} })
}

// lomaxSpread is the spread of the Lomax law: H/Scale has the beta prime law of
// parameters 2 and Shape-1.
type lomaxSpread struct{ of Lomax }

// Validate is that of the Lomax law.
func (l lomaxSpread) Validate() error { return l.of.Validate() }

// Mean is 2 Scale/(Shape-2), or +Inf.
func (l lomaxSpread) Mean() float64 {
	return 2 * l.of.Scale / max(0, l.of.Shape-2)
}

// Variance is 2 Shape Range²/((Shape-2)²(Shape-3)), or +Inf.
func (l lomaxSpread) Variance() float64 {
	a := l.of.Shape
	return 2 * a * l.of.Scale * l.of.Scale / ((a - 2) * (a - 2) * max(0, a-3))
}

// Survival is (1 + Shape x/Scale)(1 + x/Scale)^-Shape.
func (l lomaxSpread) Survival(x float64) float64 {
	y := max(0, x) / l.of.Scale
	if math.IsInf(y, 1) {
		return 0
	}
	return (1 + l.of.Shape*y) * math.Exp(-l.of.Shape*math.Log1p(y))
}

// Quantile inverts the incomplete beta function.
func (l lomaxSpread) Quantile(p float64) float64 {
	cdf := func(x float64) float64 {
		return mathext.RegIncBeta(2, l.of.Shape-1, x/(l.of.Scale+x))
	}
	return phaseQuantile(p, 0, l.of.Scale, cdf, l.Survival)
}

// Laplace integrates over t = ln(x/Scale), to 1e-10; +Inf for s < 0.
func (l lomaxSpread) Laplace(s float64) float64 {
	return l.of.transform(s, 2, l.of.Shape*(l.of.Shape-1))
}

// Sample draws what is left of the interval, which is Lomax of Shape-1, and
// then the whole of it given that it exceeds this; two words.
func (l lomaxSpread) Sample(rng rand.Source) float64 {
	logs := fastmath.NegLog(unit(rng))/(l.of.Shape-1) + fastmath.NegLog(unit(rng))/l.of.Shape
	return l.of.Scale * math.Expm1(logs)
}

// Scaled scales Scale.
func (l lomaxSpread) Scaled(c float64) Law { return lomaxSpread{Lomax{l.of.Shape, c * l.of.Scale}} }

// String is "Spread(LomaxScaleShape(Scale, Shape))".
func (l lomaxSpread) String() string { return "Spread(" + l.of.String() + ")" }

// TailIndex is one less than that of the law this is the spread of.
func (l lomaxSpread) TailIndex() float64 { return l.of.Shape - 1 }

// Form is "Spread" of the Lomax law.
func (l lomaxSpread) Form() Form { return Form{"Spread", []Parameter{{"of", l.of}}} }
