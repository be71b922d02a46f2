package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// degree of the polynomial in each panel.
const degree = 15

// PanelNodes are the Chebyshev points of a panel of a curve.
func PanelNodes(lo, hi float64) []float64 {
	x := make([]float64, degree+1)
	for i := range x {
		x[i] = lo + (hi-lo)*(1+math.Cos(math.Pi*(float64(i)+0.5)/(degree+1)))/2
	}
	return x
}

// Coefficients are those of the polynomial with these values at the points of PanelNodes.
func Coefficients(values []float64) []float64 {
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
// exponential to within it or has fallen below it. Laws may have jumps and kinks at some
// points, which ascend: panels end there, and go on at least up to the last. Whole is false
// if the panels did not suffice: beyond the last one the curves are no more than a guess.
func FitCurves(tilted func(x []float64) [][]float64, theta float64, atoms, rates []float64, scale, tolerance float64, kinks ...float64) (curves []result.Curve, whole bool) {
	out := make([]result.Curve, len(atoms))
	for i := range out {
		out[i] = result.Curve{Atom: atoms[i], Tilt: theta, Edges: []float64{0}, Rate: rates[i]}
	}
	lo, hi := 0.0, scale
	most := mostPanels + panelsAtKink*len(kinks)
	for halvings := 0; len(out[0].Coef) < most; {
		if len(kinks) > 0 {
			hi = min(hi, kinks[0])
		}
		fits := tilted(PanelNodes(lo, hi))
		rough, done := false, len(kinks) == 0 || len(kinks) == 1 && hi == kinks[0]
		for i, v := range fits {
			fits[i] = Coefficients(v)
			rough = rough || sumAbs(fits[i][degree-2:]) > tolerance
			done = done && (sumAbs(fits[i][1:]) <= 5*tolerance || math.Abs(sum(fits[i]))*math.Exp(-theta*hi) <= tolerance)
		}
		if rough && halvings < mostHalvings {
			hi, halvings = lo+(hi-lo)/2, halvings+1
			continue
		}
		for i := range out {
			out[i].Edges, out[i].Coef = append(out[i].Edges, hi), append(out[i].Coef, fits[i])
		}
		if done {
			return out, true
		}
		if len(kinks) > 0 && hi == kinks[0] {
			kinks = kinks[1:]
		}
		halvings = max(0, halvings-1)
		lo, hi = hi, hi+2*(hi-lo)
	}
	return out, false
}

// mostPanels, more for each kink, and mostHalvings in a row bound the work where values are so
// noisy that no polynomial fits.
const mostPanels, panelsAtKink, mostHalvings = 100, 8, 12

func sumAbs(x []float64) (sum float64) {
	for _, v := range x {
		sum += math.Abs(v)
	}
	return sum
}

// sum is the value of a Chebyshev series at 1.
func sum(c []float64) (total float64) {
	for _, v := range c {
		total += v
	}
	return total
}
