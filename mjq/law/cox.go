package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
)

// Coxian2 is an exponential phase of mean M1, followed with probability P by
// another of mean M2.
type Coxian2 struct{ M1, M2, P float64 }

// Cox2 is the Cox law of two phases.
func Cox2(mean1, mean2, p float64) Coxian2 { return Coxian2{mean1, mean2, p} }

// Validate wants two positive finite means and a probability.
func (l Coxian2) Validate() error {
	f := check.Faults{Of: l}
	positive(&f, "first mean", l.M1)
	positive(&f, "second mean", l.M2)
	probability(&f, "probability", l.P)
	return f.Err("")
}

// Mean is M1 + P·M2.
func (l Coxian2) Mean() float64 { return l.M1 + l.P*l.M2 }

// Variance is M1² + P(2-P)·M2².
func (l Coxian2) Variance() float64 { return l.M1*l.M1 + l.P*(2-l.P)*l.M2*l.M2 }

// Survival adds to the first phase the chance of being in the second.
func (l Coxian2) Survival(x float64) float64 {
	x = max(0, x)
	if x/max(l.M1, l.M2) > 750 { // exp(-750) is 0
		return 0
	}
	// ∫ (1/M1) e^(-u/M1) e^(-(x-u)/M2) du = e^(-x/M2) (x/M1)·g((1/M1 - 1/M2)·x),
	// g(z) = (1 - e^-z)/z, which is 1 at z = 0.
	z := x * (1/l.M1 - 1/l.M2)
	g := 1.0
	if z != 0 {
		g = -math.Expm1(-math.Abs(z)) / math.Abs(z)
	}
	return math.Exp(-x/l.M1) + l.P*x/l.M1*g*math.Exp(-x/max(l.M1, l.M2))
}

// cdf mixes those of the first phase alone and of both, for x > 0.
func (l Coxian2) cdf(x float64) float64 {
	one := -math.Expm1(-x / l.M1)
	if l.P == 0 {
		return one
	}
	return (1-l.P)*one + l.P*l.bothCDF(x)
}

// bothCDF is P(sum of both phases ≤ x) as a sum of positive terms, in which
// nothing cancels: with z = x over the longer mean and d the difference of the
// rates times x, e^-z (e^z - 1 - z) + z e^-z (1 - (1 - e^-d)/d).
func (l Coxian2) bothCDF(x float64) float64 {
	long, short := max(l.M1, l.M2), min(l.M1, l.M2)
	z := x / long
	d := min(x/short-z, 1e18) // beyond, the last bracket is 1
	first := -math.Expm1(-z) - z*math.Exp(-z)
	if z < 0.5 {
		first = math.Exp(-z) * expm1Rest(z)
	}
	late := 0.0 // the last bracket
	if d > 0 {
		late = expm1Rest(-d) / d
	}
	return first + z*math.Exp(-z)*late
}

// expm1Rest is e^y - 1 - y without the cancellation near y = 0.
func expm1Rest(y float64) float64 {
	if math.Abs(y) > 0.5 {
		return math.Expm1(y) - y
	}
	sum, term := 0.0, y*y/2
	for n := 3.0; math.Abs(term) > 1e-18*math.Abs(sum); n++ {
		sum += term
		term *= y / n
	}
	return sum
}

// Quantile inverts the distribution function to about 1e-14.
func (l Coxian2) Quantile(p float64) float64 {
	return phaseQuantile(p, 0, l.Mean(), l.cdf, l.Survival)
}

// Laplace is the transform of the first phase times 1-P+P·(that of the second).
func (l Coxian2) Laplace(s float64) float64 {
	first := Exponential{l.M1}.Laplace(s)
	if l.P == 0 {
		return first
	}
	return first * (1 - l.P + l.P*Exponential{l.M2}.Laplace(s))
}

// Sample takes one word for the first phase, one to decide on the second, and
// one for it if there is one.
func (l Coxian2) Sample(rng rand.Source) float64 {
	x := l.M1 * fastmath.NegLog(unit(rng))
	if unit(rng) <= l.P {
		x += l.M2 * fastmath.NegLog(unit(rng))
	}
	return x
}

// Scaled scales both means.
func (l Coxian2) Scaled(c float64) Law { return Coxian2{c * l.M1, c * l.M2, l.P} }

// String is "Cox2(M1, M2, P)".
func (l Coxian2) String() string { return fmt.Sprintf("Cox2(%v, %v, %v)", l.M1, l.M2, l.P) }

// PhaseCount is 2.
func (l Coxian2) PhaseCount() int { return 2 }

// Phases is the first phase and the one that may follow.
func (l Coxian2) Phases() ([]float64, [][]float64) {
	return []float64{1, 0}, [][]float64{{-1 / l.M1, l.P / l.M1}, {0, -1 / l.M2}}
}

// Excess is that of the phases.
func (l Coxian2) Excess(x float64) float64 { return PhaseType(l.Phases()).Excess(x) }

// Form is "Cox2" of mean1, mean2 and p.
func (l Coxian2) Form() Form {
	return Form{"Cox2", []Parameter{{"mean1", l.M1}, {"mean2", l.M2}, {"p", l.P}}}
}

func init() {
	register(Cox2(1, 2, 0.3).Form(), func(f Form) Law { return Coxian2{f.Float("mean1"), f.Float("mean2"), f.Float("p")} })
}
