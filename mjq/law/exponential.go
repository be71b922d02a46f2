package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
)

// Exponential has survival exp(-x/M): mean M > 0, variance M², SCV 1.
type Exponential struct{ M float64 }

// ExpMean is the exponential law with the given mean.
func ExpMean(mean float64) Exponential { return Exponential{mean} }

// ExpRate is the exponential law with the given rate, of mean 1/rate.
func ExpRate(rate float64) Exponential { return Exponential{1 / rate} }

// Validate wants a positive finite mean.
func (l Exponential) Validate() error {
	f := check.Faults{Of: l}
	positive(&f, "mean", l.M)
	return f.Err("")
}

// Mean is M.
func (l Exponential) Mean() float64 { return l.M }

// Variance is M².
func (l Exponential) Variance() float64 { return l.M * l.M }

// Survival is exp(-x/M).
func (l Exponential) Survival(x float64) float64 { return math.Exp(-max(0, x) / l.M) }

// Quantile is -M ln(1-p).
func (l Exponential) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return -l.M * math.Log1p(-p)
}

// Laplace is 1/(1+Ms), finite for s > -1/M.
func (l Exponential) Laplace(s float64) float64 {
	return 1 / max(0, 1+l.M*s)
}

// Sample draws a value by inversion; it takes one word of the generator.
func (l Exponential) Sample(rng rand.Source) float64 { return l.M * fastmath.NegLog(unit(rng)) }

// Scaled is exponential of mean cM.
func (l Exponential) Scaled(c float64) Law { return Exponential{c * l.M} }

// String is "ExpMean(M)".
func (l Exponential) String() string { return fmt.Sprintf("ExpMean(%v)", l.M) }

// Rate is 1/M.
func (l Exponential) Rate() float64 { return 1 / l.M }

// PhaseCount is 1.
func (l Exponential) PhaseCount() int { return 1 }

// Phases is one phase.
func (l Exponential) Phases() ([]float64, [][]float64) {
	return []float64{1}, [][]float64{{-1 / l.M}}
}

// Excess is M exp(-x/M).
func (l Exponential) Excess(x float64) float64 { return l.M * math.Exp(-x/l.M) }

// Tilt is exponential of mean M/(1-θM), for θ < 1/M.
func (l Exponential) Tilt(theta float64) (Law, float64, bool) {
	left := 1 - theta*l.M
	return Exponential{l.M / left}, -math.Log(left), left > 0
}

// Spread is Erlang of two phases.
func (l Exponential) Spread() Law { return Erlang{2, 2 * l.M} }

// Form is "ExpMean" of mean.
func (l Exponential) Form() Form {
	return Form{"ExpMean", []Parameter{{"mean", l.M}}}
}

func init() {
	register(ExpMean(1).Form(), func(f Form) Law { return Exponential{f.Float("mean")} })
	register(Form{"ExpRate", []Parameter{{"rate", 1.0}}}, func(f Form) Law { return ExpRate(f.Float("rate")) })
}
