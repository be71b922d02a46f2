package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
)

// Deterministic is the law of the constant X ≥ 0.
type Deterministic struct{ X float64 }

// Validate wants a finite number that is not negative.
func (l Deterministic) Validate() error {
	f := check.Faults{Of: l}
	finiteTime(&f, "value", l.X)
	return f.Err("")
}

// Mean is X.
func (l Deterministic) Mean() float64 { return l.X }

// Variance is 0.
func (l Deterministic) Variance() float64 { return 0 }

// Survival is 1 below X and 0 from there on.
func (l Deterministic) Survival(x float64) float64 {
	if x < l.X {
		return 1
	}
	return 0
}

// Quantile is X for every p.
func (l Deterministic) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.X
}

// Laplace is exp(-sX).
func (l Deterministic) Laplace(s float64) float64 { return math.Exp(-s * l.X) }

// Sample is X; no word.
func (l Deterministic) Sample(rand.Source) float64 { return l.X }

// Scaled is cX.
func (l Deterministic) Scaled(c float64) Law { return Deterministic{c * l.X} }

// String is "Deterministic(X)".
func (l Deterministic) String() string { return fmt.Sprintf("Deterministic(%v)", l.X) }

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
	return max(l.Lo, l.Hi-Unit(rng.Uint64())*(l.Hi-l.Lo))
}

// Scaled scales both bounds.
func (l Uniform) Scaled(c float64) Law { return Uniform{c * l.Lo, c * l.Hi} }

// String is "Uniform(Lo, Hi)".
func (l Uniform) String() string { return fmt.Sprintf("Uniform(%v, %v)", l.Lo, l.Hi) }
