package estimate

import (
	"math"
	"slices"
)

// Curve is an exact law on [0, ∞) in a form that survives encoding: the
// survival function in panels of Chebyshev polynomials, and an exponential
// beyond the last panel.
type Curve struct {
	Atom  float64     // P(X = 0)
	Tilt  float64     // θ: the panels hold e^{θx} P(X > x), which hardly falls
	Edges []float64   // of the panels, ascending from 0
	Coef  [][]float64 // Chebyshev coefficients by panel
	Rate  float64     // of the exponential beyond the last edge
}

// degree of the polynomial in each panel.
const degree = 15

// panelNodes are the Chebyshev points of a panel.
func panelNodes(lo, hi float64) []float64 {
	x := make([]float64, degree+1)
	for i := range x {
		x[i] = lo + (hi-lo)*(1+math.Cos(math.Pi*(float64(i)+0.5)/(degree+1)))/2
	}
	return x
}

// coefficients interpolates values at the points of panelNodes.
func coefficients(values []float64) []float64 {
	c := make([]float64, degree+1)
	for k := range c {
		for i, v := range values {
			c[k] += v * math.Cos(math.Pi*float64(k)*(float64(i)+0.5)/(degree+1))
		}
		c[k] *= 2.0 / (degree + 1)
	}
	c[0] /= 2
	return c
}

// FitCurves finds the curves of several laws on common panels. tilted gives
// e^{θx} P(X > x) for each law, by law and then by x; atoms are P(X = 0), rates
// the decay of each law for large x. Panels are halved until the polynomials
// have an error of about tolerance, and added until every law either is an
// exponential to within it or has fallen below it.
func FitCurves(tilted func(x []float64) [][]float64, theta float64, atoms, rates []float64, scale, tolerance float64) []Curve {
	out := make([]Curve, len(atoms))
	for i := range out {
		out[i] = Curve{Atom: atoms[i], Tilt: theta, Edges: []float64{0}, Rate: rates[i]}
	}
	lo, hi := 0.0, scale
	for halvings := 0; len(out[0].Coef) < mostPanels; {
		fits := tilted(panelNodes(lo, hi))
		rough, done := false, true
		for i, v := range fits {
			fits[i] = coefficients(v)
			rough = rough || sumAbs(fits[i][degree-2:]) > tolerance
			done = done && (sumAbs(fits[i][1:]) <= 5*tolerance || clenshaw(fits[i], 1)*math.Exp(-theta*hi) <= tolerance)
		}
		if rough && halvings < mostHalvings {
			hi, halvings = lo+(hi-lo)/2, halvings+1
			continue
		}
		for i := range out {
			out[i].Edges, out[i].Coef = append(out[i].Edges, hi), append(out[i].Coef, fits[i])
		}
		if done {
			break
		}
		halvings = max(0, halvings-1)
		lo, hi = hi, hi+2*(hi-lo)
	}
	return out
}

// mostPanels and mostHalvings in a row bound the work where values are so noisy
// that no polynomial fits.
const mostPanels, mostHalvings = 100, 12

func sumAbs(x []float64) (sum float64) {
	for _, v := range x {
		sum += math.Abs(v)
	}
	return sum
}

// clenshaw evaluates a Chebyshev series at x in [-1, 1].
func clenshaw(c []float64, x float64) float64 {
	var b1, b2 float64
	for k := len(c) - 1; k > 0; k-- {
		b1, b2 = c[k]+2*x*b1-b2, b1
	}
	return c[0] + x*b1 - b2
}

// Known says whether there is a curve.
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
