package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
)

// Weibull has survival exp(-(x/scale)^Shape), by its mean M = scale·Γ(1+1/Shape).
type Weibull struct{ Shape, M float64 }

// WeibullMeanShape is the Weibull law with the given mean and shape.
func WeibullMeanShape(mean, shape float64) Weibull { return Weibull{shape, mean} }

// Validate wants a positive finite shape and mean, and a scale that floating
// point can hold: below a shape of about 1/170 a mean of 1 is that of times which
// are all but surely below 1e-306.
func (l Weibull) Validate() error {
	f := check.Faults{Of: l}
	positive(&f, "shape", l.Shape)
	positive(&f, "mean", l.M)
	f.That(!f.None() || l.scale() >= 0x1p-1022,
		"the scale mean/Γ(1+1/shape) is too small for a number; give a larger shape (at least 0.006 for a mean of 1), or a Lomax law for a heavier tail")
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
	if l.Shape == 1 {
		return Exponential{l.M}.Laplace(s)
	}
	return l.transform(s, 1)
}

// transform is the mean of exp(-s X) for the power 1/Shape of a gamma variable in units of the
// scale, whose parameter is given.
func (l Weibull) transform(s, gamma float64) float64 {
	switch {
	case s == 0:
		return 1
	case s < 0 && l.Shape < 1:
		return math.Inf(1)
	}
	y := s * l.scale()
	height, area := expIntegral(func(t float64) float64 {
		return t*gamma - math.Exp(t) - y*math.Exp(t/l.Shape)
	})
	return math.Exp(height) * area / math.Gamma(gamma)
}

// Sample inverts the tail; one word.
func (l Weibull) Sample(rng rand.Source) float64 { return l.ready().Sample(rng) }

// Scaled scales the mean.
func (l Weibull) Scaled(c float64) Law { return Weibull{l.Shape, c * l.M} }

// String is "WeibullMeanShape(M, Shape)".
func (l Weibull) String() string { return fmt.Sprintf("WeibullMeanShape(%v, %v)", l.M, l.Shape) }

// readyWeibull takes the power 1/Shape of an exponential sample.
type readyWeibull struct{ scale, power float64 }

func (l Weibull) ready() readyWeibull { return readyWeibull{l.scale(), 1 / l.Shape} }

// Prepare computes the scale.
func (l Weibull) Prepare() Sampler { return l.ready() }

// Sample is that of the law.
func (l readyWeibull) Sample(rng rand.Source) float64 {
	e := fastmath.NegLog(unit(rng))
	if e == 0 {
		return 0
	}
	// e is below 64, and NegLog wants at most 1.
	return l.scale * fastmath.Exp(l.power*(6*math.Ln2-fastmath.NegLog(e/64)))
}

// Excess is an incomplete gamma function; logarithms keep the scale of small
// shapes from underflow.
func (l Weibull) Excess(x float64) float64 {
	gamma, _ := math.Lgamma(1 + 1/l.Shape)
	return l.M * mathext.GammaIncRegComp(1/l.Shape, math.Exp(l.Shape*(math.Log(x/l.M)+gamma)))
}

// TailIndex is +Inf: all moments are finite.
func (l Weibull) TailIndex() float64 { return math.Inf(1) }

// Spread has a power of a gamma law.
func (l Weibull) Spread() Law { return weibullSpread{l} }

// Form is "WeibullMeanShape" of mean and shape.
func (l Weibull) Form() Form {
	return Form{"WeibullMeanShape", []Parameter{{"mean", l.M}, {"shape", l.Shape}}}
}

func init() {
	register(WeibullMeanShape(1, 0.7).Form(), func(f Form) Law { return Weibull{f.Float("shape"), f.Float("mean")} })
}

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
	if l.of.Shape == 1 {
		return Spread(Exponential{l.of.M}).Laplace(s)
	}
	return l.of.transform(s, l.gamma())
}

// Sample inverts the tail; one word.
func (l weibullSpread) Sample(rng rand.Source) float64 {
	y := mathext.GammaIncRegCompInv(l.gamma(), unit(rng))
	return l.of.scale() * math.Pow(y, 1/l.of.Shape)
}

// Scaled scales the mean.
func (l weibullSpread) Scaled(c float64) Law { return weibullSpread{Weibull{l.of.Shape, c * l.of.M}} }

// String is "Spread(WeibullMeanShape(M, Shape))".
func (l weibullSpread) String() string { return "Spread(" + l.of.String() + ")" }

// TailIndex is +Inf: all moments are finite.
func (l weibullSpread) TailIndex() float64 { return math.Inf(1) }

// Form is "Spread" of the Weibull law.
func (l weibullSpread) Form() Form { return Form{"Spread", []Parameter{{"of", l.of}}} }
