package classic

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/law"
)

// pollaczek is M/G/1. All moments of the wait follow from those of the service time, and its
// distribution from a renewal equation.
var pollaczek = &Form{
	Name: "M/G/1", Source: "Pollaczek (1930), Khinchine (1932), Takács (1962)",
	fits: func(q *Queue) bool { return q.Poisson && q.Channels == 1 },
	cost: func(q *Queue) (bytes, operations float64) {
		if operations = 1e5 * float64(len(q.Services)); q.Curves {
			operations += 6e8 * float64(min(len(q.Services), mostSplit)+2)
		}
		return 1e6, operations
	},
	solve: func(ctx context.Context, q *Queue) (*Answer, error) {
		rho := q.Rate * q.mean()
		waits := takacs(q)
		a := &Answer{Mean: waits[0], Second: waits[1], NoWait: 1 - rho, Decay: math.NaN()}
		empty, started := 1-rho, q.averaged(func(s law.Law) float64 { return s.Laplace(q.Rate) }) // P(N = 0), E exp(-λS)
		a.Queued = 1 - empty/started
		for i, s := range q.Services {
			a.Alone = append(a.Alone, q.Shares[i]*empty/started*(1-s.Laplace(q.Rate)))
		}
		// As many jobs wait as come during a wait, and are there as come during a response.
		var services []float64
		for k := range waits {
			services = append(services, q.moment(k+1))
			times := math.Pow(q.Rate, float64(k+1))
			a.Queue = append(a.Queue, times*waits[k])
			a.Jobs = append(a.Jobs, times*summed(waits, services))
		}
		if q.Curves {
			a.Waiting, a.Response, a.Without = renewed(ctx, q)
			if end := len(a.Waiting.Edges) - 1; end > 0 && a.Waiting.Edges[end] >= farthest*q.mean() {
				a.Ends = a.Waiting.Edges[end]
			}
		}
		return a, context.Cause(ctx)
	},
}

// takacs are E[W] to E[W⁴]: (1-ρ) E[W^k] = λ Σ_i (k over i) E[S^{i+1}]/(i+1) E[W^{k-i}] over i
// from 1 to k. They are infinite where the moment of the service time is.
func takacs(q *Queue) (waits []float64) {
	rho := q.Rate * q.mean()
	for k := 1; k <= 4; k++ {
		sum, choose := 0.0, 1.0
		for i := 1; i <= k; i++ {
			choose *= float64(k-i+1) / float64(i)
			rest := 1.0
			if i < k {
				rest = waits[k-i-1]
			}
			sum += choose * q.moment(i+1) / float64(i+1) * rest
		}
		waits = append(waits, q.Rate*sum/(1-rho))
	}
	return waits
}

// summed is E[(X+Y)^k] of independent X and Y from E[X], ..., E[X^k] and at least as many
// moments of Y.
func summed(x, y []float64) (sum float64) {
	k := len(y)
	choose := 1.0
	for i := range k + 1 {
		term := choose
		if i > 0 {
			term *= x[i-1]
		}
		if i < k {
			term *= y[k-i-1]
		}
		sum += term
		choose *= float64(k-i) / float64(i+1)
	}
	return sum
}

// decay is the rate θ of the tail of the waits, the root of λ(E exp(θS) - 1) = θ above 0; 0 if
// there is none.
func decay(q *Queue) float64 {
	over := func(theta float64) bool { // past the root, or without a moment
		return !(q.Rate*(q.averaged(func(s law.Law) float64 { return s.Laplace(-theta) })-1) <= theta)
	}
	hi := (1 - q.Rate*q.mean()) / q.mean()
	for lowest := 1e-9 * hi; !over(hi); hi *= 2 {
		if hi < lowest || math.IsInf(hi, 1) {
			return 0
		}
	}
	lo := hi / 2
	for ; over(lo); lo /= 2 {
		if lo < 1e-12*hi {
			return 0
		}
	}
	lo, _ = bisected(lo, hi, func(x float64) bool { return !over(x) })
	return q.refined(lo)
}

// refined is the decay near the limit, where E exp(θS) - 1 - θE[S] has few digits, by the moments:
// 1 - ρ = λ(θE[S²]/2! + θ²E[S³]/3! + ...).
func (q *Queue) refined(theta float64) float64 {
	const most = 8
	var terms [most]float64 // λE[S^k]/k!, from k = 2 on
	factorial := 1.0
	for k := range terms {
		factorial *= float64(k + 2)
		terms[k] = q.Rate * q.moment(k+2) / factorial
	}
	if !(terms[most-1]*math.Pow(theta, most-1) < 1e-12*terms[0]) {
		return theta
	}
	for range 5 { // steps of Newton's method, from nearby
		sum, slope := 0.0, 0.0
		for k := most - 1; k >= 0; k-- {
			slope = slope*theta + sum
			sum = sum*theta + terms[k]
		}
		theta -= (sum*theta - (1 - q.Rate*q.mean())) / (sum + theta*slope)
	}
	return theta
}
