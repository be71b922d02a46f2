package law

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/mam"
)

const (
	// mostFitted is the longest chain that a fit makes: with more, a nearly
	// constant time is told by two moments only, whatever the law.
	mostFitted = 50
	// constant is the c² below which times are one number but for rounding.
	constant = 1e-9
)

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
func FitMeanSCV(mean, scv float64) Law {
	switch {
	case !(mean > 0) || math.IsInf(mean, 1) || !(scv >= 0) || math.IsInf(scv, 1):
		return HyperExpMeanSCV(mean, math.NaN())
	case scv < constant:
		return Deterministic{X: mean}
	case scv < 1.0/mostFitted:
		half := math.Sqrt(3 * scv)
		return Uniform{Lo: mean * (1 - half), Hi: mean * (1 + half)}
	case math.Abs(scv-1) < constant: // c² of a measurement knows no more
		return ExpMean(mean)
	case scv > 1:
		return HyperExpMeanSCV(mean, scv)
	}
	return erlangMixture(mean, scv)
}

// erlangMixture starts a chain of k phases of rate μ in its second phase with
// probability p, so that k-1 phases are left, else in its first. With
// 1/k ≤ c² ≤ 1/(k-1), p = (k c² - √(k(1+c²) - k²c²)) / (1+c²) and
// μ = (k-p)/mean.
func erlangMixture(mean, scv float64) Law {
	k := math.Ceil(1/scv - 1e-9)
	p := (k*scv - math.Sqrt(max(0, k*(1+scv)-k*k*scv))) / (1 + scv)
	if p < 1e-9 {
		return ErlangMeanPhases(mean, int(k))
	}
	rate := (k - p) / mean
	alpha, chain := zeros(int(k))
	for i := range chain {
		chain[i][i] = -rate
		if i+1 < len(chain) {
			chain[i][i+1] = rate
		}
	}
	alpha[0], alpha[1] = 1-p, p
	return PhaseType(alpha, chain)
}

// FitThreeMoments returns a phase-type law with the given E[X], E[X²] and E[X³] and as few
// phases as possible, at most 50. It is exponential, Erlang, Cox of two phases, or one phase
// next to a chain of equal ones. Source: Bobbio, Horváth and Telek, Matching three moments with
// minimal acyclic phase type distributions, Stochastic Models 21, 2005; see
// mam.FitThreeMoments. All three moments are met to ten digits. Equal times, E[X²] = E[X]²,
// give a deterministic law.
//
// It fails for moments that no law has, for a squared coefficient of variation
// below 1/50, and for a third moment outside the bounds that 50 phases have,
// which the error gives. FitMeanSCV answers for the first two moments in these
// cases. Cost: below a millisecond for few phases, some milliseconds for 50.
func FitThreeMoments(m1, m2, m3 float64) (Law, error) {
	if a, b := m2/m1/m1, m3/m1/m1/m1; m1 > 0 && math.Abs(a-1) < constant && math.Abs(b-1) < 10*constant {
		return Deterministic{X: m1}, nil
	}
	p, err := mam.FitThreeMoments(m1, m2, m3, mostFitted)
	if err != nil {
		return nil, fmt.Errorf("fitting three moments: %w", err)
	}
	return lawOf(p), nil
}

// lawOf is a law of minimal order in its plainest form. A chain of two phases
// is E + B Y, E its last phase and Y its first: the Cox law that begins with E.
func lawOf(p mam.PH) Law {
	n := len(p.Alpha)
	rate := func(i int) float64 { return -p.A.At(i, i) }
	equal := p.Alpha[0] == 1
	for i := range n {
		equal = equal && rate(i) == rate(0)
	}
	switch {
	case equal && n == 1:
		return ExpMean(1 / rate(0))
	case equal:
		return ErlangMeanPhases(float64(n)/rate(0), n)
	case n == 2:
		return Cox2(1/rate(1), 1/rate(0), p.Alpha[0])
	}
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = p.A.RawRowView(i)
	}
	return PhaseType(p.Alpha, rows)
}
