package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
)

// BoundedPareto has density proportional to x^(-Shape-1) on [Lo, Hi]: a
// Pareto law cut off at both ends.
type BoundedPareto struct{ Lo, Hi, Shape float64 }

// Validate wants 0 < lo < hi, both finite, and a positive shape.
func (l BoundedPareto) Validate() error {
	f := check.Faults{Of: l}
	positive(&f, "lower bound", l.Lo)
	positive(&f, "upper bound", l.Hi)
	f.That(!(l.Lo >= l.Hi), "the lower bound %v is not below the upper bound %v; order them", l.Lo, l.Hi)
	positive(&f, "shape", l.Shape)
	if f.None() {
		z := l.Shape * math.Log(l.Hi/l.Lo)
		f.That(z <= 700, "(lo/hi)^shape is too small for a number; give bounds nearer to each other, or a Lomax law, which has no upper one")
		f.That(z >= 1e-12, "(lo/hi)^shape differs from 1 by rounding only; give a larger shape, or bounds further apart, or Deterministic where they are all but one")
	}
	return f.Err("")
}

// moment is E[X^k] = Shape Lo^Shape ∫ x^(k-Shape-1) dx / (1 - (Lo/Hi)^Shape).
func (l BoundedPareto) moment(k float64) float64 {
	ratio := math.Log(l.Hi / l.Lo)
	e := k - l.Shape // ∫_1^{Hi/Lo} y^(e-1) dy
	integral := ratio
	if e != 0 {
		integral = math.Expm1(e*ratio) / e
	}
	return math.Pow(l.Lo, k) * l.Shape * integral / -math.Expm1(-l.Shape*ratio)
}

// Mean is the first moment, in closed form for every shape.
func (l BoundedPareto) Mean() float64 { return l.moment(1) }

// Variance is the second moment less the squared mean.
func (l BoundedPareto) Variance() float64 {
	m := l.moment(1)
	return l.moment(2) - m*m
}

// Survival is ((Lo/x)^Shape - (Lo/Hi)^Shape) / (1 - (Lo/Hi)^Shape) on [Lo, Hi].
func (l BoundedPareto) Survival(x float64) float64 {
	if x <= l.Lo {
		return 1
	}
	x = min(x, l.Hi)
	// (Lo/x)^a - (Lo/Hi)^a = (Lo/Hi)^a ((Hi/x)^a - 1), accurate near Hi.
	end := math.Exp(-l.Shape * math.Log(l.Hi/l.Lo))
	return end * math.Expm1(l.Shape*math.Log(l.Hi/x)) / (1 - end)
}

// Quantile is the closed inverse.
func (l BoundedPareto) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.inverseTail(1 - p)
}

// inverseTail is the x with Survival(x) = u.
func (l BoundedPareto) inverseTail(u float64) float64 {
	end := math.Pow(l.Lo/l.Hi, l.Shape)
	x := l.Lo * math.Pow(end+u*(1-end), -1/l.Shape)
	return min(max(x, l.Lo), l.Hi)
}

// Laplace integrates over w = ln(x/Lo)/ln(Hi/Lo), to 1e-10; finite for every s.
func (l BoundedPareto) Laplace(s float64) float64 {
	if s == 0 {
		return 1
	}
	ratio := math.Log(l.Hi / l.Lo)
	// The largest value of exp(-sx) is taken out of the integral, lest it
	// underflow or overflow.
	largest := -s * l.Lo
	integrand := func(w, _ float64) float64 {
		return math.Exp(-l.Shape*ratio*w - s*l.Lo*math.Expm1(ratio*w))
	}
	if s < 0 {
		largest = -s * l.Hi
		integrand = func(w, v float64) float64 {
			return math.Exp(-l.Shape*ratio*w - s*l.Hi*math.Expm1(-ratio*v))
		}
	}
	density := l.Shape * ratio / -math.Expm1(-l.Shape*ratio)
	return math.Exp(largest + math.Log(density*unitIntegral(integrand)))
}

// Sample inverts the tail; one word.
func (l BoundedPareto) Sample(rng rand.Source) float64 { return l.ready().Sample(rng) }

// Scaled scales both bounds.
func (l BoundedPareto) Scaled(c float64) Law { return BoundedPareto{c * l.Lo, c * l.Hi, l.Shape} }

// String is "BoundedPareto(Lo, Hi, Shape)".
func (l BoundedPareto) String() string {
	return fmt.Sprintf("BoundedPareto(%v, %v, %v)", l.Lo, l.Hi, l.Shape)
}

// readyPareto inverts u = (v - end)/(1 - end), v = (Lo/x)^Shape.
type readyPareto struct{ lo, hi, end, rest, power float64 }

func (l BoundedPareto) ready() readyPareto {
	end := math.Pow(l.Lo/l.Hi, l.Shape)
	return readyPareto{l.Lo, l.Hi, end, 1 - end, 1 / l.Shape}
}

// Prepare computes a power.
func (l BoundedPareto) Prepare() Sampler { return l.ready() }

// Sample is that of the law.
func (l readyPareto) Sample(rng rand.Source) float64 {
	v := l.end + float64(unit(rng)*l.rest)
	x := l.lo * fastmath.Exp(fastmath.NegLog(min(v, 1))*l.power)
	return min(max(x, l.lo), l.hi)
}

// Excess is the integral of the closed tail.
func (l BoundedPareto) Excess(x float64) float64 {
	if x <= l.Lo {
		return l.Mean() - x
	}
	x = min(x, l.Hi)
	ratio, e := math.Log(l.Hi/x), 1-l.Shape
	integral := ratio // ∫_1^{Hi/x} y^-Shape dy
	if e != 0 {
		integral = math.Expm1(e*ratio) / e
	}
	end := math.Exp(-l.Shape * math.Log(l.Hi/l.Lo))
	return (math.Exp(-l.Shape*math.Log(x/l.Lo))*x*integral - end*(l.Hi-x)) / -math.Expm1(-l.Shape*math.Log(l.Hi/l.Lo))
}

// Spread is bounded Pareto of a shape less by 1, which may be negative.
func (l BoundedPareto) Spread() Law { return boundedPower{l.Lo, l.Hi, 1 - l.Shape} }

// Form is "BoundedPareto" of lo, hi and shape.
func (l BoundedPareto) Form() Form {
	return Form{"BoundedPareto", []Parameter{{"lo", l.Lo}, {"hi", l.Hi}, {"shape", l.Shape}}}
}

func init() {
	register(BoundedPareto{1, 10, 1.5}.Form(), func(f Form) Law { return BoundedPareto{f.Float("lo"), f.Float("hi"), f.Float("shape")} })
}
