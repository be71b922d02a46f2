package check

import "math"

// Whole returns x as a whole number, cut off towards zero, and within bounds: a computed number
// may be infinite, or NaN, which becomes the lower bound. Converting one that does not fit
// gives whatever the processor likes.
func Whole(x float64, least, most int64) int64 {
	switch {
	case math.IsNaN(x) || x <= float64(least):
		return least
	case x >= float64(most):
		return most
	}
	return int64(x)
}
