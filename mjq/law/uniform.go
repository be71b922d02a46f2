package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
)

// Uniform is uniform on [Lo, Hi], 0 ≤ Lo < Hi.
type Uniform struct{ Lo, Hi float64 }

// Validate wants 0 ≤ lo < hi, both finite.
func (l Uniform) Validate() error {
	f := check.Faults{Of: l}
	finiteTime(&f, "lower bound", l.Lo)
	f.That(l.Hi > l.Lo && l.Hi <= mostParameter, "the upper bound %v must be above the lower bound %v, and at most %g", l.Hi, l.Lo, mostParameter)
	return f.Err("")
}

// Mean is the middle.
func (l Uniform) Mean() float64 { return l.Lo + (l.Hi-l.Lo)/2 }

// Variance is (Hi-Lo)²/12.
func (l Uniform) Variance() float64 { return (l.Hi - l.Lo) * (l.Hi - l.Lo) / 12 }

// Survival falls linearly.
func (l Uniform) Survival(x float64) float64 {
	return min(1, max(0, (l.Hi-x)/(l.Hi-l.Lo)))
}

// Quantile is Lo + p(Hi-Lo).
func (l Uniform) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return min(l.Hi, l.Lo+p*(l.Hi-l.Lo)) // rounding must not pass the end
}

// Laplace is exp(-s Lo)·(1 - exp(-s(Hi-Lo)))/(s(Hi-Lo)).
func (l Uniform) Laplace(s float64) float64 {
	z := s * (l.Hi - l.Lo)
	if z == 0 { // then s·Lo is too small to matter
		return 1
	}
	return math.Exp(-s*l.Lo) * -math.Expm1(-z) / z
}

// Sample is Hi - U(Hi-Lo), not below Lo; one word.
func (l Uniform) Sample(rng rand.Source) float64 {
	return max(l.Lo, l.Hi-unit(rng)*(l.Hi-l.Lo))
}

// Scaled scales both bounds.
func (l Uniform) Scaled(c float64) Law { return Uniform{c * l.Lo, c * l.Hi} }

// String is "Uniform(Lo, Hi)".
func (l Uniform) String() string { return fmt.Sprintf("Uniform(%v, %v)", l.Lo, l.Hi) }

// Excess is (Hi-x)²/(2(Hi-Lo)) from Lo on.
func (l Uniform) Excess(x float64) float64 {
	if x <= l.Lo {
		return l.Mean() - x
	}
	left := max(0, l.Hi-x)
	return left * left / (2 * (l.Hi - l.Lo))
}

// Spread returns the law of the interval that covers a fixed time; its density rises linearly
// from Lo to Hi.
func (l Uniform) Spread() Law { return boundedPower{l.Lo, l.Hi, 2} }

// Form is "Uniform" of lo and hi.
func (l Uniform) Form() Form {
	return Form{"Uniform", []Parameter{{"lo", l.Lo}, {"hi", l.Hi}}}
}

func init() {
	register(Uniform{0, 2}.Form(), func(f Form) Law { return Uniform{f.Float("lo"), f.Float("hi")} })
}
