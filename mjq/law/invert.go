package law

import "math"

// invert is the p-quantile of a law with a continuous, strictly falling tail,
// by bisection between lo and hi, which are widened until they hold it. It
// works on the tail, so that p near 1 keeps its meaning.
func invert(l Law, p, lo, hi float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return 0
	case p == 1:
		return math.Inf(1)
	}
	return invertTail(l, 1-p, lo, hi)
}

// invertTail is the x with Survival(x) = q, for 0 < q < 1.
func invertTail(l Law, q, lo, hi float64) float64 {
	if math.IsInf(hi, 1) || hi <= 0 {
		hi = 1
	}
	for l.Survival(hi) > q {
		lo, hi = hi, 2*hi
	}
	if l.Survival(lo) < q {
		lo = 0
	}
	for hi-lo > 1e-15*hi {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if l.Survival(mid) > q {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
