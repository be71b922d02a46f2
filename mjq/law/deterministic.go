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

// Excess is X - x, or nothing.
func (l Deterministic) Excess(x float64) float64 { return l.X - x }

// Tilt is the constant itself.
func (l Deterministic) Tilt(theta float64) (Law, float64, bool) { return l, theta * l.X, true }

// Spread is the constant itself.
func (l Deterministic) Spread() Law { return l }

// Form is "Deterministic" of value.
func (l Deterministic) Form() Form {
	return Form{"Deterministic", []Parameter{{"value", l.X}}}
}

func init() {
	register(Deterministic{1}.Form(), func(f Form) Law { return Deterministic{f.Float("value")} })
}
