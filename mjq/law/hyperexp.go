package law

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// HyperExponential is exponential of mean M1 with probability P, else of mean
// M2. Its SCV is at least 1.
type HyperExponential struct{ P, M1, M2 float64 }

// HyperExp takes mean1 with probability p, else mean2.
func HyperExp(p, mean1, mean2 float64) HyperExponential { return HyperExponential{p, mean1, mean2} }

// HyperExpMeanSCV is the hyperexponential with balanced means (p·mean1 =
// (1-p)·mean2) of the given mean and SCV ≥ 1.
func HyperExpMeanSCV(mean, scv float64) HyperExponential {
	p := (1 + math.Sqrt((scv-1)/(scv+1))) / 2
	return HyperExponential{p, mean / (2 * p), mean / (2 * (1 - p))}
}

// Validate wants a probability and two positive finite means.
func (l HyperExponential) Validate() error {
	f := faults{law: l}
	f.probability("probability", l.P)
	f.positive("first mean", l.M1)
	f.positive("second mean", l.M2)
	return f.err()
}

// Mean is P·M1 + (1-P)·M2.
func (l HyperExponential) Mean() float64 { return l.P*l.M1 + (1-l.P)*l.M2 }

// Variance is 2(P·M1² + (1-P)·M2²) less the squared mean.
func (l HyperExponential) Variance() float64 {
	m := l.Mean()
	return 2*(l.P*l.M1*l.M1+(1-l.P)*l.M2*l.M2) - m*m
}

// Survival mixes the two exponential tails.
func (l HyperExponential) Survival(x float64) float64 {
	x = max(0, x)
	return l.P*math.Exp(-x/l.M1) + (1-l.P)*math.Exp(-x/l.M2)
}

// Quantile inverts Survival between those of the two phases.
func (l HyperExponential) Quantile(p float64) float64 {
	return invert(l, p, Exponential{min(l.M1, l.M2)}.Quantile(p), Exponential{max(l.M1, l.M2)}.Quantile(p))
}

// Laplace mixes the transforms of the phases.
func (l HyperExponential) Laplace(s float64) float64 {
	sum := 0.0
	if l.P > 0 {
		sum += l.P * Exponential{l.M1}.Laplace(s)
	}
	if l.P < 1 {
		sum += (1 - l.P) * Exponential{l.M2}.Laplace(s)
	}
	return sum
}

// Sample takes one word for the exponential and one for the phase.
func (l HyperExponential) Sample(rng rand.Source) float64 {
	x := NegLog(Unit(rng.Uint64()))
	if Unit(rng.Uint64()) <= l.P {
		return l.M1 * x
	}
	return l.M2 * x
}

// Scale scales both means.
func (l HyperExponential) Scale(c float64) Law { return HyperExponential{l.P, c * l.M1, c * l.M2} }

// String is "HyperExp(P, M1, M2)".
func (l HyperExponential) String() string {
	return fmt.Sprintf("HyperExp(%v, %v, %v)", l.P, l.M1, l.M2)
}

func (l HyperExponential) phases() ([]float64, [][]float64) {
	return []float64{l.P, 1 - l.P}, [][]float64{{-1 / l.M1, 0}, {0, -1 / l.M2}}
}
