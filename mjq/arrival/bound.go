package arrival

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// PastBound bounds the transform of sums of gaps that are met going back in time from an
// arrival in equilibrium, in the form that Lundberg's inequality takes: for independent
// Y_1, Y_2, ..., independent of the arrivals, with E[exp(theta Y)] <= exp(-logGap),
//
//	P(Y_1 - X_1 + ... + Y_n - X_n > x for some n) <= exp(logSlack - theta x)
//
// for theta >= 0. With the kernel T(theta), whose entry (i,k) is E[exp(-theta X); next state is
// k | state is i], and a positive vector w with w T <= χ w, logGap is ln χ. The bound is a
// proof even if w is not quite an eigenvector (Collatz and Wielandt). Seen backward the kernel
// is π_i T(i,k)/π_k, where π is the law of the state of an arrival. Then exp(theta S_n) w_i/π_i
// is a supermartingale, with the sum S_n above and the state i reached. Its mean at first over
// its least value gives logSlack (Doob; Duffield, "Exponential bounds for queues with Markovian
// arrivals", Queueing Systems 17, 1994). For a renewal process the two are ln of the transform
// and 0. A [Profile] counts as if its rate were at the peak all the time, which is crude.
//
// ok is false if theta is negative or the bound cannot be computed, as where
// exp(-theta X) vanishes. The cost is some twenty times n³ for n states.
func PastBound(p Process, theta float64) (logGap, logSlack float64, ok bool) {
	if !(theta >= 0) {
		return 0, 0, false
	}
	c := p.Chain()
	radius, w, err := mam.Perron(mat.DenseCopyOf(c.kernel(c.slowest(theta)).T()))
	if err != nil || !(radius > 0) {
		return 0, 0, false
	}
	least, mean := math.Inf(1), 0.0
	for i, x := range w {
		least = min(least, x/c.Start[i])
		mean += x
	}
	return math.Log(radius), math.Log(mean / least), true
}

// slowest is theta on the chain's own time where that runs fastest beside ours.
func (c *Chain) slowest(theta float64) float64 {
	if c.Clock == nil {
		return theta
	}
	return theta / slices.Max(c.Clock.Rates)
}
