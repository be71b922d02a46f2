package law

import "math"

// phaseQuantile is the p-quantile of a mixture or sum of exponentials, which
// has no closed form, to about 1e-14. cdf and survival must be continuous on
// x > 0 and each accurate in its own tail, atom the probability of 0, mean the
// order of magnitude.
func phaseQuantile(p, atom, mean float64, cdf, survival func(x float64) float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p <= atom:
		return 0
	case p == 1:
		return math.Inf(1)
	}
	// Logarithms make both tails nearly straight; the smaller of the two
	// probabilities is the one that still distinguishes neighbouring x.
	excess := func(t float64) float64 { return math.Log(cdf(mean*math.Exp(t)) / p) }
	if p > 0.5 {
		excess = func(t float64) float64 { return math.Log((1 - p) / survival(mean*math.Exp(t))) }
	}
	return mean * math.Exp(increasingRoot(excess))
}

// increasingRoot solves f(t) = 0 for a continuous increasing f on the whole
// line, to about 1e-14 of max(1, |t|), starting near t = 0. It is the method of
// Ridders (1979): the exponential through the ends and the middle of a bracket
// is straightened, which keeps the bracket and converges quadratically.
func increasingRoot(f func(t float64) float64) float64 {
	lo, hi := bracket(f)
	flo, fhi := f(lo), f(hi)
	last := hi
	for range 100 {
		mid := lo + (hi-lo)/2
		fm := f(mid)
		t, ft := mid, fm
		if d := math.Sqrt(fm*fm - flo*fhi); d > 0 && !math.IsInf(d, 1) { // else a probability underflowed: halve
			t = mid - (mid-lo)*fm/d
			ft = f(t)
		}
		if ft == 0 || math.Abs(t-last) <= 1e-14*max(1, math.Abs(t)) {
			return t
		}
		last = t
		for _, e := range [2]struct{ t, f float64 }{{mid, fm}, {t, ft}} {
			if e.f < 0 && e.t > lo {
				lo, flo = e.t, e.f
			} else if e.f >= 0 && e.t < hi {
				hi, fhi = e.t, e.f
			}
		}
	}
	return last
}

// bracket finds lo < hi with f(lo) < 0 <= f(hi), or gives up where exp(t) does.
func bracket(f func(t float64) float64) (lo, hi float64) {
	lo, hi = -1, 1
	for step := 1.0; lo > -1500 && !(f(lo) < 0); step *= 2 {
		lo, hi = lo-step, lo
	}
	for step := 1.0; hi < 1500 && !(f(hi) >= 0); step *= 2 {
		lo, hi = hi, hi+step
	}
	return lo, hi
}
