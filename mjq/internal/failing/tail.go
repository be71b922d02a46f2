package failing

import (
	"math"
)

// Survival is P(C > x), by inverting the transform: the Fourier series of Abate and Whitt, summed
// by Euler's method (ORSA Journal on Computing 7, 1995), to about 1e-7 where it is smooth. It
// rings close to the values that the time takes with a positive probability, such as that
// without any hit.
func (l Holding) Survival(x float64) float64 {
	switch least := l.least(); {
	case x < least:
		return 1
	case l.Rate == 0 && l.After.How != Checkpoint:
		return l.Work.Survival(x)
	case x <= 0:
		x = 1e-9 * l.Mean()
	}
	nodes := l.nodes()
	const (
		a     = 18.4 // the error of discretisation is exp(-a)
		terms = 400
		last  = 12 // terms that are averaged
	)
	f := func(k int) float64 {
		s := complex(a/(2*x), math.Pi*float64(k)/x)
		return real((1 - l.transform(nodes, s)) / s)
	}
	sum, sign := f(0)/2, -1.0
	mean, weight := 0.0, math.Pow(2, -last)
	for k := 1; k <= terms+last; k++ {
		sum += sign * f(k)
		sign = -sign
		if k >= terms {
			mean += weight * sum
			weight *= float64(terms+last-k) / float64(k-terms+1)
		}
	}
	return min(1, max(0, math.Exp(a/2)/x*mean))
}

// least is the shortest time.
func (l Holding) least() float64 {
	low := l.Work.Quantile(0)
	switch l.After.How {
	case Drop:
		return 0
	case Checkpoint:
		return low + l.After.Cost*l.After.checkpoints(node{work: low})
	}
	return low
}

// Quantile is found by halving.
func (l Holding) Quantile(p float64) float64 {
	lo := l.least()
	switch {
	case math.IsNaN(p) || p < 0 || p > 1:
		return math.NaN()
	case p == 0:
		return lo
	case l.Rate == 0 && l.After.How != Checkpoint:
		return l.Work.Quantile(p)
	case p == 1:
		return math.Inf(1)
	}
	hi := max(2*lo, l.Mean())
	for n := 0; l.Survival(hi) > 1-p && n < 1000; n++ {
		lo, hi = hi, 2*hi
	}
	for range 40 { // halvings, which leave 1e-12 of it
		if mid := (lo + hi) / 2; l.Survival(mid) > 1-p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
