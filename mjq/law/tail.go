package law

import "math"

// TailIndexer is implemented by laws that know how heavy their tail is. A law whose
// moments are not all finite should be one.
type TailIndexer interface {
	// TailIndex is the k below which the moments E[X^k] are finite and from
	// which on they are infinite; +Inf when all are finite.
	TailIndex() float64
}

// TailIndex is the k below which the moments E[X^k] of a law are finite and from
// which on they are infinite: the shape of a Lomax law, +Inf for phase-type,
// bounded, lognormal and Weibull laws. It is 2 at most when the variance is
// infinite, 1 at most when the mean is.
//
// A law that is no [TailIndexer], not bounded and not phase-type is asked for Survival far out,
// at tails of 1e-250 if it resolves them and else of 1e-10. Its index is the slope of ln P(X >
// x) against ln x there, or +Inf if the slope still grows by more than a seventh over the last
// decades, as it does where the tail falls faster than any power. That is an estimate: to a few
// per cent of the index for tails that soon become a power, and never above 2 when the variance
// is infinite. Cost: some thousand calls of Survival then.
func TailIndex(l Law) float64 {
	index := math.Inf(1)
	if t, ok := ask[TailIndexer](l); ok {
		index = t.TailIndex()
	} else if _, phases := PhaseCount(l); !phases && math.IsInf(l.Quantile(1), 1) {
		index = slopeIndex(l)
	}
	switch {
	case math.IsInf(l.Mean(), 1):
		return min(index, 1)
	case math.IsInf(l.Variance(), 1):
		return min(index, 2)
	}
	return index
}

// bending is by how much the slope of a power tail may still grow between the
// two depths at which it is taken. A Lomax tail of shape 5 grows by 1.10 between
// the shallow ones, a lognormal or Weibull tail by at least 1.4.
const bending = 1.15

// slopeIndex is the tail index by the slope of the tail.
func slopeIndex(l Law) float64 {
	for _, depth := range [][2]float64{{1e-100, 1e-250}, {1e-5, 1e-10}} {
		near, ok := slope(l, depth[0])
		far, deep := slope(l, depth[1])
		if ok && deep {
			if far > bending*near {
				return math.Inf(1)
			}
			return far
		}
	}
	return math.Inf(1)
}

// slope is -d ln P(X > x) / d ln x about the x at which the tail is p, over a
// factor of a hundred in p. ok is false where Survival does not resolve such
// tails: where it is 1 - CDF, say, that ends in rounding errors.
func slope(l Law, p float64) (s float64, ok bool) {
	x, above, okX := tailAt(l, 10*p)
	y, below, okY := tailAt(l, p/10)
	if !okX || !okY || !(y > x) {
		return 0, false
	}
	return math.Log(above/below) / math.Log(y/x), true
}

// tailAt is an x at which the tail is p, and the tail there; ok is false if it
// passes p by a jump of more than a factor of two.
func tailAt(l Law, p float64) (x, tail float64, ok bool) {
	lo, hi := math.Log(1e-300), math.Log(math.MaxFloat64)
	for range 100 {
		if mid := lo + (hi-lo)/2; l.Survival(math.Exp(mid)) > p {
			lo = mid
		} else {
			hi = mid
		}
	}
	x = math.Exp(lo)
	tail = l.Survival(x)
	return x, tail, l.Survival(math.Exp(hi)) > p/2 && tail < 2*p
}
