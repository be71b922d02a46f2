package result

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// Estimate is a number with its confidence interval Value ± HalfWidth at the given Level (0.95,
// say), from N independent observations by Method. HalfWidth is 0 for an exact value, whose
// Level is 1, and NaN when unknown; Value is NaN when unknown and +Inf when infinite. The zero
// value says that the number was not computed: it is unknown, too. Answers of questions have
// NaN in its place.
type Estimate struct {
	Value, HalfWidth, Level float64
	N                       int
	Method                  string
}

// Known reports whether there is a value, be it infinite or without an interval.
func (e Estimate) Known() bool {
	return !math.IsNaN(e.Value) && (e.Value != 0 || e != Estimate{}) // thousands of classes ask
}

// plain is the estimate with NaN for a number that was not computed.
func (e Estimate) plain() Estimate {
	if !e.Known() {
		e.Value, e.HalfWidth = math.NaN(), math.NaN()
	}
	return e
}

// Lo is the lower end of the interval; NaN when unknown.
func (e Estimate) Lo() float64 { return e.plain().Value - e.HalfWidth }

// Hi is the upper end of the interval; NaN when unknown.
func (e Estimate) Hi() float64 { return e.plain().Value + e.HalfWidth }

// RelErr is HalfWidth / |Value|; NaN when unknown.
func (e Estimate) RelErr() float64 { return e.HalfWidth / math.Abs(e.plain().Value) }

// Covers reports whether x lies in the interval.
func (e Estimate) Covers(x float64) bool { return math.Abs(x-e.plain().Value) <= e.HalfWidth }

// String prints the value with as many digits as the interval warrants.
func (e Estimate) String() string {
	switch {
	case !e.Known():
		return "–"
	case math.IsInf(e.Value, 0):
		return "∞"
	case e.HalfWidth == 0:
		return fmt.Sprintf("%.6g", e.Value)
	case math.IsNaN(e.HalfWidth) || math.IsInf(e.HalfWidth, 0):
		if v := math.Abs(e.Value); v >= 1e4 && v < 1e7 {
			return fmt.Sprintf("%.0f ± ?", e.Value) // no exponent for what people count in
		}
		return fmt.Sprintf("%.4g ± ?", e.Value)
	}
	const small = 1e-4
	if v := math.Abs(e.Value); v > 0 && v < small && (v > e.HalfWidth || e.HalfWidth < small/10) {
		return fmt.Sprintf("%.3g ± %.1g", e.Value, e.HalfWidth)
	}
	decimals := e.decimals()
	if decimals > 12 || e.HalfWidth < 1e-6*math.Abs(e.Value) {
		return fmt.Sprintf("%.6g ± %.1g", e.Value, e.HalfWidth)
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, e.Value, decimals, e.HalfWidth)
}

// decimals is how many of the value the interval warrants: two digits of its half-width.
func (e Estimate) decimals() int {
	return max(0, 1-int(check.Whole(math.Floor(math.Log10(e.HalfWidth)), -400, 400)))
}

// Exact is a value known without error: at the level 1, so that 0 is told from the zero value.
func Exact(v float64, method string) Estimate { return Estimate{Value: v, Level: 1, Method: method} }

// Unknown is a value that a method does not give.
func Unknown() Estimate { return Estimate{Value: math.NaN(), HalfWidth: math.NaN()} }

// Infinite is the value of an unstable quantity.
func Infinite(method string) Estimate { return Estimate{Value: math.Inf(1), Method: method} }
