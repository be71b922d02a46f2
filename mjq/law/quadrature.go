package law

import "math"

// Laplace transforms without a closed form are integrals of smooth functions
// that fall off steeply at both ends of the line. For these the plain
// trapezoidal rule converges faster than any power of its step: halving the
// step about doubles the number of right digits.

// agreement is the relative change on halving the step below which the finer
// sum is taken; its own error is then near rounding.
const agreement = 1e-10

// halveUntilStable returns the first sum that agrees with the one before it, or that is infinite; NaN if
// none does, or if a sum is NaN because it did not end.
func halveUntilStable(sum func(step float64) float64) float64 {
	const finest = 0x1p-17 // some 10^7 terms; unreachable for valid laws in practice
	last := sum(0.5)
	for step := 0.25; step > finest; step /= 2 {
		next := sum(step)
		if math.Abs(next-last) <= agreement*math.Abs(next) || math.IsInf(next, 0) {
			return next
		}
		if last = next; math.IsNaN(next) {
			break
		}
	}
	return math.NaN()
}

// expIntegral is ∫ exp(g(t)) dt over the whole line for g that rises to one
// peak and falls after it, with the peak's height taken out as a factor so that
// no scale of the integrand is lost: the integral is exp(height) · area.
func expIntegral(g func(t float64) float64) (height, area float64) {
	centre := peak(g)
	height = g(centre)
	if height > 0x1p52 { // beyond all numbers, and without a digit after the point
		return math.Inf(1), 1
	}
	area = halveUntilStable(func(step float64) float64 {
		total := 1.0
		for _, h := range [2]float64{-step, step} {
			term := math.Inf(1)
			for i := 1.0; i < mostSummed && term > 1e-17*total; i++ {
				term = math.Exp(g(centre+i*h) - height)
				total += term
			}
			if term > 1e-17*total {
				return math.NaN() // the sum does not end
			}
		}
		return total * step
	})
	return height, area
}

// mostSummed is the most terms of a sum to one side. Densities over t = ln x need no more: x leaves the
// numbers at |t| = 745, which a step of 2^-13 reaches in 6·10⁶.
const mostSummed = 1e7

// peak finds a point where g is within about 1 of its maximum.
func peak(g func(t float64) float64) float64 {
	mid, step := 0.0, 1.0
	if g(-1) > g(1) {
		step = -1
	}
	for g(mid+step) > g(mid) && math.Abs(step) < 1e6 {
		mid += step
		step *= 2
	}
	lo, hi := mid-math.Abs(step), mid+math.Abs(step)
	for range 200 {
		if best := g(mid); best-g(lo) < 1 && best-g(hi) < 1 {
			break
		}
		left, right := (lo+mid)/2, (mid+hi)/2
		switch best := g(mid); {
		case g(left) > best:
			mid, hi = left, mid
		case g(right) > best:
			lo, mid = mid, right
		default:
			lo, hi = left, right
		}
	}
	return mid
}

// unitIntegral is ∫ f(w, 1-w) dw over [0, 1]. Both distances to the ends are
// passed so that neither loses digits. The substitution w = 1/(1+exp(-π sinh u))
// (double exponential, Takahasi and Mori 1974) crowds the points at the ends,
// which resolves boundary layers of any thinness.
func unitIntegral(f func(w, v float64) float64) float64 {
	const reach = 6 // exp(-π sinh 6) is below 1e-270
	return halveUntilStable(func(step float64) float64 {
		total := 0.0
		for i := -reach / step; i <= reach/step; i++ {
			e := math.Exp(-math.Pi * math.Abs(math.Sinh(i*step)))
			near, far := e/(1+e), 1/(1+e)
			weight := near * far * math.Pi * math.Cosh(i*step)
			if i < 0 {
				total += weight * f(near, far)
			} else {
				total += weight * f(far, near)
			}
		}
		return total * step
	})
}
