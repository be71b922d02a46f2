package result

import (
	"fmt"
	"math"
)

// Estimate is a number with its confidence interval Value ± HalfWidth at the
// given Level (0.95, say), from N independent observations by Method.
// HalfWidth is 0 for an exact value and NaN when unknown; Value is NaN when
// unknown and +Inf when infinite.
type Estimate struct {
	Value, HalfWidth, Level float64
	N                       int
	Method                  string
}

// Lo is the lower end of the interval.
func (e Estimate) Lo() float64 { return e.Value - e.HalfWidth }

// Hi is the upper end of the interval.
func (e Estimate) Hi() float64 { return e.Value + e.HalfWidth }

// RelErr is HalfWidth / |Value|.
func (e Estimate) RelErr() float64 { return e.HalfWidth / math.Abs(e.Value) }

// Covers reports whether x lies in the interval.
func (e Estimate) Covers(x float64) bool { return math.Abs(x-e.Value) <= e.HalfWidth }

// String prints the value with as many digits as the interval warrants.
func (e Estimate) String() string {
	switch {
	case math.IsNaN(e.Value):
		return "–"
	case math.IsInf(e.Value, 0):
		return "∞"
	case e.HalfWidth == 0:
		return fmt.Sprintf("%.6g", e.Value)
	case math.IsNaN(e.HalfWidth) || math.IsInf(e.HalfWidth, 0):
		return fmt.Sprintf("%.4g ± ?", e.Value)
	}
	if v := math.Abs(e.Value); v > 0 && v < 1e-4 {
		return fmt.Sprintf("%.3g ± %.1g", e.Value, e.HalfWidth)
	}
	decimals := e.decimals()
	if decimals > 12 || e.HalfWidth < 1e-6*math.Abs(e.Value) {
		return fmt.Sprintf("%.6g ± %.1g", e.Value, e.HalfWidth)
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, e.Value, decimals, e.HalfWidth)
}

// decimals is how many of the value the interval warrants: two digits of its half-width.
func (e Estimate) decimals() int { return max(0, 1-int(math.Floor(math.Log10(e.HalfWidth)))) }

// Exact is a value known without error.
func Exact(v float64, method string) Estimate { return Estimate{Value: v, Method: method} }

// Unknown is a value that a method does not give.
func Unknown() Estimate { return Estimate{Value: math.NaN(), HalfWidth: math.NaN()} }

// Infinite is the value of an unstable quantity.
func Infinite(method string) Estimate { return Estimate{Value: math.Inf(1), Method: method} }
