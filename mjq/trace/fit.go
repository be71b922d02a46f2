package trace

import (
	"math"

	"github.com/mjqueue/mjq/mjq/law"
)

// mostPhases is the longest chain that a fit makes: with more, a nearly
// constant time is told by two moments only, whatever the law.
const mostPhases = 50

// FitMeanSCV is a law with the given positive mean and squared coefficient of
// variation c², by the usual recipe for two moments (Tijms, A First Course in
// Stochastic Models, Appendix B):
//
//	c² = 0           deterministic
//	c² < 1/50        uniform, which needs no long chain
//	1/50 ≤ c² < 1    mixture of Erlang(k-1) and Erlang(k) of one rate,
//	                 1/k ≤ c² ≤ 1/(k-1)
//	c² = 1           exponential
//	c² > 1           hyperexponential with balanced means
//
// Both moments are met exactly, to rounding. A mean or SCV that no law has
// gives a law whose Validate says so.
func FitMeanSCV(mean, scv float64) law.Law {
	const near = 1e-9 // c² of a measurement knows no more
	switch {
	case !(mean > 0) || math.IsInf(mean, 1) || !(scv >= 0) || math.IsInf(scv, 1):
		return law.HyperExpMeanSCV(mean, math.NaN())
	case scv < near:
		return law.Deterministic{X: mean}
	case scv < 1.0/mostPhases:
		half := math.Sqrt(3 * scv)
		return law.Uniform{Lo: mean * (1 - half), Hi: mean * (1 + half)}
	case math.Abs(scv-1) < near:
		return law.ExpMean(mean)
	case scv > 1:
		return law.HyperExpMeanSCV(mean, scv)
	}
	return erlangMixture(mean, scv)
}

// erlangMixture starts a chain of k phases of rate μ in its second phase with
// probability p, so that k-1 phases are left, else in its first. With
// 1/k ≤ c² ≤ 1/(k-1), p = (k c² - √(k(1+c²) - k²c²)) / (1+c²) and
// μ = (k-p)/mean.
func erlangMixture(mean, scv float64) law.Law {
	k := math.Ceil(1/scv - 1e-9)
	p := (k*scv - math.Sqrt(max(0, k*(1+scv)-k*k*scv))) / (1 + scv)
	if p < 1e-9 {
		return law.ErlangMeanPhases(mean, int(k))
	}
	rate := (k - p) / mean
	alpha := make([]float64, int(k))
	chain := make([][]float64, int(k))
	for i := range chain {
		chain[i] = make([]float64, int(k))
		chain[i][i] = -rate
		if i+1 < len(chain) {
			chain[i][i+1] = rate
		}
	}
	alpha[0], alpha[1] = 1-p, p
	return law.PhaseType(alpha, chain)
}
