package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"

	"github.com/mjqueue/mjq/internal/check"
)

// boundedPower has density proportional to x^(Power-1) on [Lo, Hi]: the spread
// of the uniform law (Power 2) and of the bounded Pareto law (Power 1-Shape, of
// either sign). Lo > 0 unless Power > 0.
type boundedPower struct{ Lo, Hi, Power float64 }

// Validate wants ordered finite bounds.
func (l boundedPower) Validate() error {
	f := check.Faults{Of: l}
	f.That(l.Lo >= 0 && l.Hi > l.Lo && !math.IsInf(l.Hi, 1), "the bounds %v and %v are not ordered and finite; mend the law that this is the spread of", l.Lo, l.Hi)
	return f.Err("")
}

// between is ∫_a^b x^(e-1) dx / Hi^e, 0 ≤ a ≤ b ≤ Hi.
func (l boundedPower) between(a, b, e float64) float64 {
	switch {
	case a == b:
		return 0
	case e == 0:
		return math.Log(b / a)
	case a == 0:
		return math.Pow(b/l.Hi, e) / e
	}
	return math.Pow(b/l.Hi, e) * -math.Expm1(e*math.Log(a/b)) / e
}

// moment is E[X^k].
func (l boundedPower) moment(k float64) float64 {
	return math.Pow(l.Hi, k) * l.between(l.Lo, l.Hi, l.Power+k) / l.between(l.Lo, l.Hi, l.Power)
}

// Mean is the first moment, in closed form.
func (l boundedPower) Mean() float64 { return l.moment(1) }

// Variance is the second moment less the squared mean.
func (l boundedPower) Variance() float64 {
	m := l.moment(1)
	return max(0, l.moment(2)-m*m)
}

// Survival is the part of the integral of the density above x.
func (l boundedPower) Survival(x float64) float64 {
	if x < l.Lo {
		return 1
	}
	return l.between(min(x, l.Hi), l.Hi, l.Power) / l.between(l.Lo, l.Hi, l.Power)
}

// Quantile is the closed inverse.
func (l boundedPower) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.inverse(1-p, p)
}

// inverse is the x with the given tail above it, and the mass below it.
func (l boundedPower) inverse(tail, below float64) float64 {
	var x float64
	switch {
	case l.Power == 0:
		x = l.Hi * math.Exp(tail*math.Log(l.Lo/l.Hi))
	case l.Lo == 0:
		x = l.Hi * math.Pow(below, 1/l.Power)
	default: // x^Power mixes those of the bounds
		ratio := math.Log(l.Lo / l.Hi)
		x = l.Hi * math.Exp(math.Log1p(tail*math.Expm1(l.Power*ratio))/l.Power)
	}
	return min(max(x, l.Lo), l.Hi)
}

// Laplace integrates over the quantiles, to 1e-10.
func (l boundedPower) Laplace(s float64) float64 {
	if s == 0 {
		return 1
	}
	// What is largest is taken out, lest it underflow or overflow.
	largest := -s * l.Lo
	if s < 0 {
		largest = -s * l.Hi
	}
	return math.Exp(largest) * unitIntegral(func(below, tail float64) float64 {
		return math.Exp(-s*l.inverse(tail, below) - largest)
	})
}

// Sample inverts the tail; one word.
func (l boundedPower) Sample(rng rand.Source) float64 {
	u := Unit(rng.Uint64())
	return l.inverse(u, 1-u)
}

// Scaled scales both bounds.
func (l boundedPower) Scaled(c float64) Law { return boundedPower{c * l.Lo, c * l.Hi, l.Power} }

// String names the law that this is the spread of.
func (l boundedPower) String() string {
	if l.Power == 2 {
		return fmt.Sprintf("Spread(Uniform(%v, %v))", l.Lo, l.Hi)
	}
	return fmt.Sprintf("Spread(BoundedPareto(%v, %v, %v))", l.Lo, l.Hi, 1-l.Power)
}

// lomaxSpread is the spread of the Lomax law: H/Scale has the beta prime law of
// parameters 2 and Shape-1.
type lomaxSpread struct{ of Lomax }

// Validate is that of the Lomax law.
func (l lomaxSpread) Validate() error { return l.of.Validate() }

// Mean is 2 Scale/(Shape-2), or +Inf.
func (l lomaxSpread) Mean() float64 {
	if l.of.Shape <= 2 {
		return math.Inf(1)
	}
	return 2 * l.of.Scale / (l.of.Shape - 2)
}

// Variance is 2 Shape Range²/((Shape-2)²(Shape-3)), or +Inf.
func (l lomaxSpread) Variance() float64 {
	a := l.of.Shape
	if a <= 3 {
		return math.Inf(1)
	}
	return 2 * a * l.of.Scale * l.of.Scale / ((a - 2) * (a - 2) * (a - 3))
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
	switch {
	case s < 0:
		return math.Inf(1)
	case s == 0:
		return 1
	}
	height, area := expIntegral(func(t float64) float64 {
		return 2*t - (l.of.Shape+1)*logOnePlusExp(t) - s*l.of.Scale*math.Exp(t)
	})
	return l.of.Shape * (l.of.Shape - 1) * math.Exp(height) * area
}

// Sample draws what is left of the interval, which is Lomax of Shape-1, and
// then the whole of it given that it exceeds this; two words.
func (l lomaxSpread) Sample(rng rand.Source) float64 {
	logs := NegLog(Unit(rng.Uint64()))/(l.of.Shape-1) + NegLog(Unit(rng.Uint64()))/l.of.Shape
	return l.of.Scale * math.Expm1(logs)
}

// Scaled scales Scale.
func (l lomaxSpread) Scaled(c float64) Law { return lomaxSpread{Lomax{l.of.Shape, c * l.of.Scale}} }

// String is "Spread(Lomax(Shape, Scale))".
func (l lomaxSpread) String() string { return "Spread(" + l.of.String() + ")" }

// weibullSpread is the spread of the Weibull law: (H/scale)^Shape has the gamma
// law of parameter 1 + 1/Shape.
type weibullSpread struct{ of Weibull }

// Validate is that of the Weibull law.
func (l weibullSpread) Validate() error { return l.of.Validate() }

// gamma is the parameter of the gamma law.
func (l weibullSpread) gamma() float64 { return 1 + 1/l.of.Shape }

// moment is E[H^k] = E[X^(k+1)]/E[X].
func (l weibullSpread) moment(k float64) float64 {
	top, _ := math.Lgamma(1 + (k+1)/l.of.Shape)
	bottom, _ := math.Lgamma(l.gamma())
	return math.Pow(l.of.scale(), k) * math.Exp(top-bottom)
}

// Mean is scale·Γ(1+2/Shape)/Γ(1+1/Shape).
func (l weibullSpread) Mean() float64 { return l.moment(1) }

// Variance is the second moment less the squared mean.
func (l weibullSpread) Variance() float64 { return l.moment(2) - l.moment(1)*l.moment(1) }

// Survival is an upper incomplete gamma function.
func (l weibullSpread) Survival(x float64) float64 {
	return mathext.GammaIncRegComp(l.gamma(), math.Pow(max(0, x)/l.of.scale(), l.of.Shape))
}

// Quantile inverts the incomplete gamma functions.
func (l weibullSpread) Quantile(p float64) float64 {
	cdf := func(x float64) float64 {
		return mathext.GammaIncReg(l.gamma(), math.Pow(x/l.of.scale(), l.of.Shape))
	}
	return phaseQuantile(p, 0, l.Mean(), cdf, l.Survival)
}

// Laplace integrates over t = ln((x/scale)^Shape), to 1e-10; for s < 0 as
// [Weibull.Laplace].
func (l weibullSpread) Laplace(s float64) float64 {
	k := l.of.Shape
	switch {
	case s == 0:
		return 1
	case k == 1:
		return Spread(Exponential{l.of.M}).Laplace(s)
	case s < 0 && k < 1:
		return math.Inf(1)
	}
	y := s * l.of.scale()
	height, area := expIntegral(func(t float64) float64 {
		if t > 0 { // lest the difference of two infinities arise for s < 0
			return t*l.gamma() - math.Exp(t)*(1+y*math.Exp(t/k-t))
		}
		return t*l.gamma() - math.Exp(t) - y*math.Exp(t/k)
	})
	return math.Exp(height) * area / math.Gamma(l.gamma())
}

// Sample inverts the tail; one word.
func (l weibullSpread) Sample(rng rand.Source) float64 {
	y := mathext.GammaIncRegCompInv(l.gamma(), Unit(rng.Uint64()))
	return l.of.scale() * math.Pow(y, 1/l.of.Shape)
}

// Scaled scales the mean.
func (l weibullSpread) Scaled(c float64) Law { return weibullSpread{Weibull{l.of.Shape, c * l.of.M}} }

// String is "Spread(WeibullMean(Shape, M))".
func (l weibullSpread) String() string { return "Spread(" + l.of.String() + ")" }
