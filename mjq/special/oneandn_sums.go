package special

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// Sums over the states take their first terms one by one and the rest from an
// integral, so that the cost does not grow with n.
const (
	direct     = 2048  // terms taken one by one
	negligible = 100.0 // q^i < e^-100 is left out
	eulerGamma = 0.57721566490153286060651209008240243
)

// geometricSum is Σ_{i=1}^{last} q^i f(i, H_i), where H_i is the harmonic
// number, for an f that varies slowly beyond the first 2048 terms, as powers
// and logarithms do. It takes 2048 evaluations and then 24 for each doubling of
// i until q^i vanishes. Relative error below 1e-13 when the terms are of one
// sign.
func geometricSum(logQ float64, last int, f func(t, h float64) float64) float64 {
	sum, h := 0.0, 0.0
	head := min(last, direct)
	for i := 1; i <= head; i++ {
		t := float64(i)
		if (t-1)*-logQ > negligible {
			return sum
		}
		h += 1 / t
		sum += math.Exp(t*logQ) * f(t, h)
	}
	if last > head {
		sum += midpointSum(float64(head+1), float64(last), func(t float64) float64 {
			return math.Exp(t*logQ) * f(t, harmonic(t))
		}, negligible/-logQ)
	}
	return sum
}

// midpointSum is Σ f(i) over the integers from lo to hi by the midpoint form of
// the Euler-Maclaurin formula,
//
//	∫_{lo-1/2}^{hi+1/2} f - (f'(hi+1/2) - f'(lo-1/2))/24 + ...
//
// The derivatives are taken as differences of f, which is as good as the next
// term: of the order of f/lo³ in all. The integral stops where f has decayed,
// after a distance of reach.
func midpointSum(lo, hi float64, f func(float64) float64, reach float64) float64 {
	from, to := lo-0.5, hi+0.5
	sum := (f(lo) - f(lo-1)) / 24
	if to < from+reach {
		sum -= (f(hi+1) - f(hi)) / 24
	} else {
		to = from + reach
	}
	x, w := legendre()
	for a := from; a < to; {
		b := min(2*a, to)
		middle, half := (a+b)/2, (b-a)/2
		for k := range x {
			sum += half * w[k] * f(middle+half*x[k])
		}
		a = b
	}
	return sum
}

// legendre is the Gauss-Legendre rule of 24 points on [-1, 1].
var legendre = sync.OnceValues(func() (x, w []float64) {
	x, w = make([]float64, 24), make([]float64, 24)
	quad.Legendre{}.FixedLocations(x, w, -1, 1)
	return x, w
})

// harmonic is H_t = ψ(t+1) + γ, by addition for small whole t and else by the
// asymptotic series, which is exact to rounding from 32 on.
func harmonic(t float64) float64 {
	if t < 32 {
		h := 0.0
		for i := 1.0; i <= t; i++ {
			h += 1 / i
		}
		return h
	}
	s := 1 / (t * t)
	return math.Log(t) + eulerGamma + 1/(2*t) - s*(1.0/12-s*(1.0/120-s*(1.0/252-s/240)))
}
