package special

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// OneAndN is the 1-and-n queue of Grosof and Ayhan, "Multiserver-job Response Time
// under Multilevel Scaling": n servers, jobs that need one of them or all,
// exponential services. Its methods are exact to about 1e-13 whatever the number of
// servers, unless they say otherwise.
//
// Most of them speak of the saturated system, in which a job always waits. Its
// state, after a completion and the admissions that it allows, is the number i of
// 1-server jobs in service: with i = 0 an n-server job is in service, with 0 < i < n
// one is blocked at the head of the line, with i = n all servers hold 1-server jobs.
type OneAndN struct {
	n           int
	p, mu1, mun float64 // NaN if there is an err, and so is all that follows from them
	err         error

	throughput, completions float64 // X̄ and E[Δ(Y_d)]

	logQ, q, qN float64 // ln q, q, q^n
	small, big  float64 // mean services, in units of the longer of them
	denominator float64 // 1/X̄ in the same units
	x, oneLessX float64 // X̄/mu1 and 1 - X̄/mu1
	gap, last   float64 // 1 - x/n and (1 - x/n)/p = Δ(n) - Δ(n-1)
	top         float64 // Δ(n) - Δ(0)
	offset      float64 // the time average of Δ(i) - Δ(0)
}

// NewOneAndN solves the queue of n servers whose jobs need all n with probability
// p and one otherwise, served at rates mun and mu1. It takes at most a few tenths of
// a millisecond, for any n. It needs n of at least 2, a probability strictly between
// 0 and 1, and positive finite rates; otherwise Err says all that is wrong and every
// number is NaN.
func NewOneAndN(n int, p, mu1, mun float64) *OneAndN {
	var f check.Faults
	f.That(n >= 2, "n = %d: the number of servers must be at least 2, or 1-server and n-server jobs are the same", n)
	f.That(p > 0 && p < 1, "p = %v: the probability of an n-server job must lie strictly between 0 and 1; with one class alone the queue is M/M/n or M/M/1", p)
	f.That(mu1 > 0 && !math.IsInf(mu1, 1), "mu1 = %v: the rate of 1-server jobs must be positive and finite", mu1)
	f.That(mun > 0 && !math.IsInf(mun, 1), "mun = %v: the rate of n-server jobs must be positive and finite", mun)
	if err := f.Err("1-and-n queue"); err != nil {
		nan := math.NaN()
		return &OneAndN{n: n, p: nan, mu1: nan, mun: nan, err: err,
			throughput: nan, completions: nan, x: nan, oneLessX: nan, top: nan, offset: nan}
	}
	s := &OneAndN{n: n, p: p, mu1: mu1, mun: mun, q: 1 - p, logQ: math.Log1p(-p), small: 1, big: 1}
	if mu1 <= mun {
		s.big = mu1 / mun
	} else {
		s.small = mun / mu1
	}
	s.qN = math.Exp(float64(n) * s.logQ)
	s.solveThroughput()
	s.solveCompletions()
	return s
}

// Err is nil, or says everything that is wrong with the parameters.
func (s *OneAndN) Err() error { return s.err }

// Throughput is X̄, the completions per unit of time of the saturated system
// (Lemma 5.3). The queue is stable for every arrival rate below it and for none
// above.
func (s *OneAndN) Throughput() float64 { return s.throughput }

// RelativeCompletions is E[Δ(Y_d)], the mean over the completions of the
// saturated system of the relative completions Δ of the state they happen in
// (Lemma 5.5): how much completions cluster. It is never negative.
func (s *OneAndN) RelativeCompletions() float64 { return s.completions }

// ScaledQueueLength is the heavy-traffic limit of the number of jobs in the
// system: (1-ρ) E[N] → E[Δ(Y_d)] + 1 as the load ρ, the arrival rate over
// Throughput, goes to 1 (equation (2) of the paper).
func (s *OneAndN) ScaledQueueLength() float64 { return s.completions + 1 }

// MeanResponse approximates the mean response time of an arriving job at the
// given arrival rate, by
//
//	E[σ] + ρ/(1-ρ) (E[Δ(Y_d)] + 1)/X̄,  ρ = rate / X̄.
//
// The heavy-traffic term is the paper's; the mean service E[σ] makes it right
// also as the rate goes to 0. In between it is an approximation without a bound;
// in the systems of 2 to 256 servers where it was compared with exact values it
// is between right and 15 % too long. Infinite from the throughput on, NaN for
// a negative rate.
func (s *OneAndN) MeanResponse(rate float64) float64 {
	if !(rate >= 0) {
		return math.NaN()
	}
	load := rate / s.throughput
	if load >= 1 {
		return math.Inf(1)
	}
	service := s.p/s.mun + (1-s.p)/s.mu1
	return service + load/(1-load)*s.ScaledQueueLength()/s.throughput
}

// Spec is the queue as a model with classes "small" and "big" and without arrivals.
// The error is that of Err, or says that a model has no place for that many servers or
// for so rare a class.
func (s *OneAndN) Spec() (*spec.Spec, error) {
	if s.err != nil {
		return nil, s.err
	}
	return described("1-and-n queue", &spec.Spec{Servers: s.n, Classes: []spec.Class{
		{Name: "small", Need: 1, Prob: 1 - s.p, Service: law.ExpRate(s.mu1)},
		{Name: "big", Need: s.n, Prob: s.p, Service: law.ExpRate(s.mun)},
	}})
}

// solveThroughput is Lemma 5.3: one n-server job completes in a cycle of
//
//	1/mun + q^n/(p n mu1) + Σ_{i=1}^{n-1} q^i/(i mu1),
//
// the times with it in service, with n small jobs in service, and with the
// small jobs draining before it; 1/p jobs complete in a cycle. The differences
// 1 - x and 1 - x/n are formed before rounding can spoil them.
func (s *OneAndN) solveThroughput() {
	n := float64(s.n)
	rest := geometricSum(s.logQ, s.n-1, func(t, _ float64) float64 {
		if t == 1 {
			return 0
		}
		return 1 / t
	})
	drain := s.q + rest // Σ q^i/i
	s.denominator = s.p*s.big + s.small*(s.qN/n+s.p*drain)
	s.x = s.small / s.denominator
	rate, longer := s.mun, (s.mu1-s.mun)/s.mu1 // of the longer class; big - small
	if s.small == 1 {
		rate, longer = s.mu1, (s.mu1-s.mun)/s.mun
	}
	s.throughput = rate / s.denominator
	s.oneLessX = (s.p*longer + s.small*(s.p*rest-s.q*s.q+s.qN/n)) / s.denominator
	// Σ_{i<n} (n/i - 1) q^i has positive terms only.
	geometric := -s.q * math.Expm1((n-1)*s.logQ) / s.p
	s.last = (n*s.big + s.small*(n*drain-geometric-1)) / (n * s.denominator)
	s.gap = s.p * s.last
}

// solveCompletions finds E[Δ(Y_d)] without the cancellation of Lemma 5.5. The
// Poisson equation gives Δ(i) - Δ(i-1) = 1 - x/i below n and (1 - x/n)/p at n.
// With it, the covariance of the completion rate with Δ becomes a sum of
// squares (the Dirichlet form of the chain),
//
//	E[Δ(Y_d)] = 1/2 Σ_i P_d(i) Σ_j P(i, j) (Δ(j) - Δ(i))²,
//
// over the completions: i to i-1 below n, n to n-1 with probability p, and from
// 0 to j with probability p q^j, or q^n for j = n.
func (s *OneAndN) solveCompletions() {
	squares := geometricSum(s.logQ, s.n-1, func(t, h float64) float64 {
		step, fromZero := s.step(t), s.fromZero(t, h)
		return s.p * (step*step + s.p*fromZero*fromZero)
	})
	n := float64(s.n)
	below := n - 1 // state n-1
	s.top = s.fromZero(below, harmonic(below)) + s.last
	s.completions = (squares + s.qN*(s.gap*s.last+s.p*s.top*s.top)) / 2
	s.offset = s.x*s.p*geometricSum(s.logQ, s.n-1, func(t, h float64) float64 {
		return s.fromZero(t, h) / t
	}) + s.x*s.qN/n*s.top
}

// step is Δ(t) - Δ(t-1) for 1 <= t < n.
func (s *OneAndN) step(t float64) float64 {
	if t == 1 {
		return s.oneLessX
	}
	return 1 - s.x/t
}

// fromZero is Δ(t) - Δ(0) for 0 <= t < n, where h = H_t.
func (s *OneAndN) fromZero(t, h float64) float64 {
	if t == 1 {
		return s.oneLessX
	}
	return t - s.x*h
}
