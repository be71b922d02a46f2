package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
)

// LogNormal is exp of a normal law, by its mean M and squared coefficient of
// variation CV2.
type LogNormal struct{ M, CV2 float64 }

// LogNormalMeanSCV is the lognormal law with the given mean and SCV.
func LogNormalMeanSCV(mean, scv float64) LogNormal { return LogNormal{mean, scv} }

// Validate wants a positive finite mean and SCV.
func (l LogNormal) Validate() error {
	f := check.Faults{Of: l}
	positive(&f, "mean", l.M)
	positive(&f, "squared coefficient of variation", l.CV2)
	return f.Err("")
}

// normal is the mean and the standard deviation of ln X.
func (l LogNormal) normal() (mu, sigma float64) {
	v := math.Log1p(l.CV2)
	return math.Log(l.M) - v/2, math.Sqrt(v)
}

// Mean is M.
func (l LogNormal) Mean() float64 { return l.M }

// Variance is CV2·M².
func (l LogNormal) Variance() float64 { return l.CV2 * l.M * l.M }

// Survival returns P(X > x), by the complementary error function of ln x.
func (l LogNormal) Survival(x float64) float64 {
	mu, sigma := l.normal()
	return math.Erfc((math.Log(max(0, x))-mu)/(sigma*math.Sqrt2)) / 2
}

// Quantile is exp(μ + σ z_p).
func (l LogNormal) Quantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return 0
	case p == 1:
		return math.Inf(1)
	}
	mu, sigma := l.normal()
	return math.Exp(mu + sigma*distuv.UnitNormal.Quantile(p))
}

// Laplace integrates over the normal variable, to 1e-10; +Inf for s < 0.
func (l LogNormal) Laplace(s float64) float64 {
	switch {
	case s < 0:
		return math.Inf(1)
	case s == 0:
		return 1
	}
	mu, sigma := l.normal()
	height, area := expIntegral(func(z float64) float64 {
		return -z*z/2 - s*math.Exp(mu+sigma*z)
	})
	return math.Exp(height) * area / math.Sqrt(2*math.Pi)
}

// Sample is exp(μ - σ z_U), falling in U; one word.
func (l LogNormal) Sample(rng rand.Source) float64 { return l.ready().Sample(rng) }

// Scaled scales the mean.
func (l LogNormal) Scaled(c float64) Law { return LogNormal{c * l.M, l.CV2} }

// String is "LogNormalMeanSCV(M, CV2)".
func (l LogNormal) String() string { return fmt.Sprintf("LogNormalMeanSCV(%v, %v)", l.M, l.CV2) }

// readyLogNormal has the parameters of the normal law.
type readyLogNormal struct{ mu, sigma float64 }

func (l LogNormal) ready() readyLogNormal {
	mu, sigma := l.normal()
	return readyLogNormal{mu, sigma}
}

// Prepare computes μ and σ.
func (l LogNormal) Prepare() Sampler { return l.ready() }

// Sample is that of the law.
func (l readyLogNormal) Sample(rng rand.Source) float64 {
	u := unit(rng)
	if u == 1 {
		return 0
	}
	return fastmath.Exp(l.mu - l.sigma*distuv.UnitNormal.Quantile(u))
}

// Excess is M·Φ(z+σ) - x·Φ(z), z = (μ - ln x)/σ, the formula of Black and Scholes.
func (l LogNormal) Excess(x float64) float64 {
	mu, sigma := l.normal()
	z := (mu - math.Log(x)) / sigma
	return l.M*distuv.UnitNormal.CDF(z+sigma) - x*distuv.UnitNormal.CDF(z)
}

// TailIndex is +Inf: all moments are finite, though none of exp(θX).
func (l LogNormal) TailIndex() float64 { return math.Inf(1) }

// Spread is lognormal of mean M(1+CV2).
func (l LogNormal) Spread() Law { return LogNormal{l.M * (1 + l.CV2), l.CV2} }

// Form is "LogNormalMeanSCV" of mean and scv.
func (l LogNormal) Form() Form {
	return Form{"LogNormalMeanSCV", []Parameter{{"mean", l.M}, {"scv", l.CV2}}}
}

func init() {
	register(LogNormalMeanSCV(1, 2).Form(), func(f Form) Law { return LogNormal{f.Float("mean"), f.Float("scv")} })
}
