package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
)

// Erlang is the sum of K independent exponentials, of mean M in all: variance
// M²/K, SCV 1/K.
type Erlang struct {
	K int
	M float64
}

// ErlangMeanPhases is the Erlang law of k phases with the given mean for the whole.
func ErlangMeanPhases(mean float64, k int) Erlang { return Erlang{k, mean} }

// mostSteps is the most exponential times that a sample may take, on average:
// a run then ends soon after it is told to.
const mostSteps = 100_000

// Validate wants from one to 100,000 phases and a positive finite mean.
func (l Erlang) Validate() error {
	f := check.Faults{Of: l}
	f.That(l.K >= 1, "the number of phases is %d; give at least 1", l.K)
	f.That(l.K <= mostSteps, "the number of phases is %d, and every sample draws them all; give at most %d, or use Deterministic(%v), which is nearly the same", l.K, mostSteps, l.M)
	positive(&f, "mean", l.M)
	return f.Err("")
}

// Mean is M.
func (l Erlang) Mean() float64 { return l.M }

// Variance is M²/K.
func (l Erlang) Variance() float64 { return l.M * l.M / float64(l.K) }

// Survival is the regularised upper incomplete gamma function of K at Kx/M.
func (l Erlang) Survival(x float64) float64 {
	return mathext.GammaIncRegComp(float64(l.K), max(0, x)*float64(l.K)/l.M)
}

// cdf is the lower one, for x > 0.
func (l Erlang) cdf(x float64) float64 {
	return mathext.GammaIncReg(float64(l.K), x*float64(l.K)/l.M)
}

// Quantile inverts the incomplete gamma functions to about 1e-14.
func (l Erlang) Quantile(p float64) float64 {
	return phaseQuantile(p, 0, l.M, l.cdf, l.Survival)
}

// Laplace is (1 + Ms/K)^-K, finite for s > -K/M.
func (l Erlang) Laplace(s float64) float64 {
	return math.Pow(max(0, 1+l.M*s/float64(l.K)), -float64(l.K))
}

// Sample adds K logarithms; K words.
func (l Erlang) Sample(rng rand.Source) float64 {
	sum := 0.0
	for range l.K {
		sum += fastmath.NegLog(unit(rng))
	}
	return l.M / float64(l.K) * sum
}

// Scaled is Erlang of mean cM.
func (l Erlang) Scaled(c float64) Law { return Erlang{l.K, c * l.M} }

// String is "ErlangMeanPhases(M, K)".
func (l Erlang) String() string { return fmt.Sprintf("ErlangMeanPhases(%v, %d)", l.M, l.K) }

// PhaseCount is K.
func (l Erlang) PhaseCount() int { return l.K }

// Phases is a chain of equal phases.
func (l Erlang) Phases() ([]float64, [][]float64) {
	alpha, a := zeros(l.K)
	alpha[0] = 1
	rate := float64(l.K) / l.M
	for i := range a {
		a[i][i] = -rate
		if i+1 < l.K {
			a[i][i+1] = rate
		}
	}
	return alpha, a
}

// Excess follows from x·f_K(x) = K·f_{K+1}(x)/rate, f_K being the Erlang density.
func (l Erlang) Excess(x float64) float64 {
	k := float64(l.K)
	y := x * k / l.M
	return l.M*mathext.GammaIncRegComp(k+1, y) - x*mathext.GammaIncRegComp(k, y)
}

// Tilt is Erlang of mean M/(1-θM/K), for θ < K/M.
func (l Erlang) Tilt(theta float64) (Law, float64, bool) {
	left := 1 - theta*l.M/float64(l.K)
	return Erlang{l.K, l.M / left}, -float64(l.K) * math.Log(left), left > 0
}

// Spread is Erlang of a phase more.
func (l Erlang) Spread() Law {
	k := float64(l.K)
	return Erlang{l.K + 1, l.M * (k + 1) / k}
}

// Form is "ErlangMeanPhases" of mean and phases.
func (l Erlang) Form() Form {
	return Form{"ErlangMeanPhases", []Parameter{{"mean", l.M}, {"phases", l.K}}}
}

func init() {
	register(ErlangMeanPhases(1, 2).Form(), func(f Form) Law { return Erlang{f.Int("phases"), f.Float("mean")} })
}
