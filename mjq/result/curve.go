package result

import (
	"math"
	"slices"
)

// Curve is an exact law on [0, ∞) in a form that survives encoding: the
// survival function in panels of Chebyshev polynomials, and an exponential
// beyond the last panel.
type Curve struct {
	Atom  float64     // P(X = 0)
	Tilt  float64     // θ: the panels hold e^{θx} P(X > x), which stays nearly constant
	Edges []float64   // of the panels, ascending from 0
	Coef  [][]float64 // Chebyshev coefficients by panel
	Rate  float64     // of the exponential beyond the last edge
}

// Known reports whether there is a curve.
func (c *Curve) Known() bool { return len(c.Coef) > 0 }

// Survival is P(X > x); NaN for x = NaN.
func (c *Curve) Survival(x float64) float64 {
	last := len(c.Coef)
	switch {
	case math.IsNaN(x):
		return x
	case x < 0:
		return 1
	case x == 0:
		return 1 - c.Atom
	case x >= c.Edges[last]:
		return c.Survival(math.Nextafter(c.Edges[last], 0)) * math.Exp(-c.Rate*(x-c.Edges[last]))
	}
	i, found := slices.BinarySearch(c.Edges, x)
	if !found {
		i--
	}
	lo, hi := c.Edges[i], c.Edges[i+1]
	p := clenshaw(c.Coef[i], 2*(x-lo)/(hi-lo)-1) * math.Exp(-c.Tilt*x)
	return min(max(p, 0), 1-c.Atom)
}

// Quantile is the smallest x with P(X ≤ x) ≥ p, for p in [0, 1); +Inf at 1, and
// NaN elsewhere.
func (c *Curve) Quantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p <= c.Atom:
		return 0
	case p == 1:
		return math.Inf(1)
	}
	lo, hi := 0.0, c.Edges[1]
	for c.Survival(hi) > 1-p {
		lo, hi = hi, 2*hi
	}
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if c.Survival(mid) > 1-p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// MixCurves is the law of a random one of several curves with common panels.
func MixCurves(curves []Curve, probs []float64) Curve {
	m := Curve{Tilt: curves[0].Tilt, Edges: curves[0].Edges, Rate: math.Inf(1)}
	for i, c := range curves {
		m.Atom += probs[i] * c.Atom
		m.Rate = min(m.Rate, c.Rate)
		for k, coef := range c.Coef {
			if k == len(m.Coef) {
				m.Coef = append(m.Coef, make([]float64, len(coef)))
			}
			for j, v := range coef {
				m.Coef[k][j] += probs[i] * v
			}
		}
	}
	return m
}

// clenshaw evaluates a Chebyshev series at x in [-1, 1].
func clenshaw(c []float64, x float64) float64 {
	var b1, b2 float64
	for k := len(c) - 1; k > 0; k-- {
		b1, b2 = c[k]+2*x*b1-b2, b1
	}
	return c[0] + x*b1 - b2
}
