package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
)

// HyperExponential is exponential of mean M1 with probability P, else of mean
// M2. Its SCV is at least 1.
type HyperExponential struct {
	P, M1, M2 float64

	// unmet is what HyperExpMeanSCV was asked for and could not meet.
	unmet struct {
		is        bool
		mean, scv float64
	}
}

// HyperExpMeans takes mean1 with probability p, else mean2.
func HyperExpMeans(mean1, mean2, p float64) HyperExponential {
	return HyperExponential{P: p, M1: mean1, M2: mean2}
}

// HyperExpMeanSCV is the hyperexponential with balanced means (p·mean1 =
// (1-p)·mean2) of the given mean and SCV ≥ 1. Validate reports a lower one.
func HyperExpMeanSCV(mean, scv float64) HyperExponential {
	if !(scv >= 1) || math.IsInf(scv, 1) {
		l := HyperExpMeans(math.NaN(), math.NaN(), math.NaN())
		l.unmet.is, l.unmet.mean, l.unmet.scv = true, mean, scv
		return l
	}
	p := (1 + math.Sqrt((scv-1)/(scv+1))) / 2
	if q := 1 - p; q < 1e-5 { // of which few digits are left: means that have both moments for it
		x := mean * math.Sqrt((scv-1)/(2*p*q))
		return HyperExpMeans(mean-x*q, mean+x*p, p)
	}
	return HyperExpMeans(mean/(2*p), mean/(2*(1-p)), p)
}

// Validate wants a probability and two positive finite means.
func (l HyperExponential) Validate() error {
	f := check.Faults{Of: l}
	if l.unmet.is {
		positive(&f, "mean", l.unmet.mean)
		f.Add("the squared coefficient of variation is %v; give a finite number of at least 1, or use ErlangMeanPhases below 1", l.unmet.scv)
		return f.Err("")
	}
	probability(&f, "probability", l.P)
	positive(&f, "first mean", l.M1)
	positive(&f, "second mean", l.M2)
	return f.Err("")
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

// cdf mixes the two distribution functions, for x > 0.
func (l HyperExponential) cdf(x float64) float64 {
	return -l.P*math.Expm1(-x/l.M1) - (1-l.P)*math.Expm1(-x/l.M2)
}

// Quantile inverts the distribution function to about 1e-14.
func (l HyperExponential) Quantile(p float64) float64 {
	return phaseQuantile(p, 0, l.Mean(), l.cdf, l.Survival)
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
	x := fastmath.NegLog(unit(rng))
	if unit(rng) <= l.P {
		return l.M1 * x
	}
	return l.M2 * x
}

// Scaled scales both means.
func (l HyperExponential) Scaled(c float64) Law {
	l.M1 *= c
	l.M2 *= c
	l.unmet.mean *= c
	return l
}

// String is "HyperExpMeans(M1, M2, P)", or the call that could not be met.
func (l HyperExponential) String() string {
	if l.unmet.is {
		return fmt.Sprintf("HyperExpMeanSCV(%v, %v)", l.unmet.mean, l.unmet.scv)
	}
	return fmt.Sprintf("HyperExpMeans(%v, %v, %v)", l.M1, l.M2, l.P)
}

// PhaseCount is 2.
func (l HyperExponential) PhaseCount() int { return 2 }

// Phases is two phases, one of which is taken.
func (l HyperExponential) Phases() ([]float64, [][]float64) {
	return []float64{l.P, 1 - l.P}, [][]float64{{-1 / l.M1, 0}, {0, -1 / l.M2}}
}

// Excess mixes those of the phases.
func (l HyperExponential) Excess(x float64) float64 {
	return l.P*Exponential{l.M1}.Excess(x) + (1-l.P)*Exponential{l.M2}.Excess(x)
}

// Form is "HyperExpMeans" of mean1, mean2 and p.
func (l HyperExponential) Form() Form {
	return Form{"HyperExpMeans", []Parameter{{"mean1", l.M1}, {"mean2", l.M2}, {"p", l.P}}}
}

func init() {
	register(HyperExpMeans(1, 2, 0.5).Form(), func(f Form) Law { return HyperExpMeans(f.Float("mean1"), f.Float("mean2"), f.Float("p")) })
	register(Form{"HyperExpMeanSCV", []Parameter{{"mean", 1.0}, {"scv", 2.0}}}, func(f Form) Law {
		return HyperExpMeanSCV(f.Float("mean"), f.Float("scv"))
	})
}
