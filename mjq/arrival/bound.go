package arrival

import (
	"math"

	"github.com/mjqueue/mjq/mjq/mam"
)

// GapBound bounds the transform of sums of gaps: for every n >= 0, and whatever
// is known of the arrivals up to the first of them,
//
//	E[exp(-theta (X_1 + ... + X_n))] <= exp(logSlack + n logGap)
//
// for theta >= 0. With the kernel T(theta), whose entry (i,k) is E[exp(-theta X);
// next state is k | state is i], and a positive vector v with T v <= χ v, logGap is
// ln χ and logSlack the logarithm of the largest entry of v over the smallest: the
// bound is a proof even if v is not quite an eigenvector (Collatz and Wielandt).
// For a renewal process they are ln of the transform and 0. This is what Lundberg's
// bound needs of arrivals (Duffield, "Exponential bounds for queues with Markovian
// arrivals", Queueing Systems 17, 1994). Of a [Profile] the rate is taken to be at
// its peak all the time, which is crude.
//
// ok is false if theta is negative or the bound cannot be computed, as where
// exp(-theta X) vanishes. The cost is some twenty times n³ for n states.
func GapBound(p Process, theta float64) (logGap, logSlack float64, ok bool) {
	if !(theta >= 0) {
		return 0, 0, false
	}
	c := p.Chain()
	if c.Clock != nil {
		peak := 0.0
		for _, rate := range c.Clock.Rates {
			peak = max(peak, rate)
		}
		theta /= peak
	}
	radius, v, err := mam.Perron(c.kernel(theta))
	if err != nil || !(radius > 0) {
		return 0, 0, false
	}
	least := 1.0
	for _, x := range v {
		least = min(least, x)
	}
	return math.Log(radius), -math.Log(least), true
}
