package mjq

import "github.com/mjqueue/mjq/mjq/law"

// Law is the distribution of a service or interarrival time; see package law.
type Law = law.Law

// ExpMean is the exponential law with the given mean.
func ExpMean(mean float64) Law { return law.ExpMean(mean) }

// ExpRate is the exponential law with the given rate, of mean 1/rate.
func ExpRate(rate float64) Law { return law.ExpRate(rate) }

// ErlangMeanPhases is the sum of k independent exponentials, with the given mean for
// the whole; its SCV is 1/k.
func ErlangMeanPhases(mean float64, k int) Law { return law.ErlangMeanPhases(mean, k) }

// HyperExpMeans is exponential of mean1 with probability p, else of mean2.
func HyperExpMeans(mean1, mean2, p float64) Law { return law.HyperExpMeans(mean1, mean2, p) }

// HyperExpMeanSCV is the two-phase hyperexponential with balanced means that
// has the given mean and squared coefficient of variation, at least 1.
func HyperExpMeanSCV(mean, scv float64) Law { return law.HyperExpMeanSCV(mean, scv) }

// BoundedPareto has density proportional to x^(-shape-1) on [lo, hi].
func BoundedPareto(lo, hi, shape float64) Law { return law.BoundedPareto{Lo: lo, Hi: hi, Shape: shape} }

// LomaxScaleShape is the Pareto law of type II: P(X > x) = (1 + x/scale)^(-shape). Its
// mean is finite for shape > 1, its variance for shape > 2.
func LomaxScaleShape(scale, shape float64) Law { return law.Lomax{Shape: shape, Scale: scale} }

// Cox2 is an exponential phase of mean1, followed with probability p by one of
// mean2.
func Cox2(mean1, mean2, p float64) Law { return law.Cox2(mean1, mean2, p) }

// PhaseType is the time to absorption of a Markov chain: alpha is the initial
// distribution over the phases, A the transient generator.
func PhaseType(alpha []float64, A [][]float64) Law { return law.PhaseType(alpha, A) }

// Deterministic is always x.
func Deterministic(x float64) Law { return law.Deterministic{X: x} }

// Uniform is uniform on [lo, hi].
func Uniform(lo, hi float64) Law { return law.Uniform{Lo: lo, Hi: hi} }

// LogNormalMeanSCV is the lognormal law with the given mean and squared
// coefficient of variation.
func LogNormalMeanSCV(mean, scv float64) Law { return law.LogNormalMeanSCV(mean, scv) }

// WeibullMeanShape is the Weibull law with the given mean and shape.
func WeibullMeanShape(mean, shape float64) Law { return law.WeibullMeanShape(mean, shape) }

// Empirical takes each of the values with equal probability.
func Empirical(xs []float64) Law { return law.NewEmpirical(xs) }
