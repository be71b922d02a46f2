package law

import "math"

// Excesser is implemented by laws that have a formula for [Excess].
type Excesser interface {
	// Excess is E[(X-x)⁺]. It is called for x > 0 and a finite mean only.
	Excess(x float64) float64
}

// Excess is E[(X-x)⁺] = ∫ P(X > u) du over u > x, the part of the mean that lies above x: the
// stop-loss of actuaries. It is Mean() - x for x <= 0, falls to 0 and is +Inf for every x when
// the mean is infinite. Laws of this package are [Excesser]s with closed forms, good to about
// 1e-13 of the mean, except the spreads of Weibull and Lomax laws and of bounded ones. For
// those and all others Survival is integrated, to about 1e-9 of the mean where it is smooth and
// about 1e-3 where it jumps; a thousand to some ten thousand values of it are then the cost.
func Excess(l Law, x float64) float64 {
	mean := l.Mean()
	if x <= 0 || math.IsInf(mean, 1) {
		return mean - x
	}
	if e, ok := ask[Excesser](l); ok {
		return max(0, e.Excess(x))
	}
	lo, hi := l.Quantile(0), l.Quantile(1)
	switch {
	case x <= lo:
		return mean - x
	case x >= hi:
		return 0
	}
	// The two sides of x sum to the mean; the lower one loses all digits where
	// little is left above.
	if rest := mean - lo - upwards(l, lo, x); rest > 1e-4*mean {
		return rest
	}
	sum := 0.0
	for from := x; from < min(hi, math.MaxFloat64/4); from *= 2 {
		part := octave(l.Survival, from, min(hi, 2*from))
		sum += part
		if part <= 1e-13*sum {
			break
		}
	}
	return sum
}

// upwards is ∫ P(X > u) du over lo < u < x, by halves towards lo.
func upwards(l Law, lo, x float64) (sum float64) {
	for width := x - lo; width > 0x1p-60*x; width /= 2 {
		sum += octave(l.Survival, lo+width/2, lo+width)
	}
	return sum
}

// octave is ∫ f(u) du over lo < u < hi: the rule of Gauss with five points on each of
// eight parts.
func octave(f func(u float64) float64, lo, hi float64) (sum float64) {
	const parts = 8
	at := [5]float64{-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640}
	weight := [5]float64{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891}
	half := (hi - lo) / (2 * parts)
	for i := range parts {
		mid := lo + float64(2*i+1)*half
		for k, a := range at {
			sum += weight[k] * half * f(mid+half*a)
		}
	}
	return sum
}
