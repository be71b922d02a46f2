package special

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
)

// OneAndN is the 1-and-n queue of Grosof and Ayhan, "Multiserver-job Response Time
// under Multilevel Scaling": N servers, jobs that need one of them or all, exponential
// services. N is at least 2, BigProb lies strictly between 0 and 1, and the rates are
// positive and finite; otherwise Err says all that is wrong and every number is NaN.
//
//	special.OneAndN{N: 256, BigProb: 0.001, SmallRate: 1, BigRate: 0.025}.Throughput()
//
// Its methods are exact to about 1e-13 whatever the number of servers, unless they say
// otherwise. The first takes a few tenths of a millisecond, for any N.
//
// Most of them speak of the saturated system, in which a job always waits. Its state, after a
// completion and the admissions that it allows, is the number i of 1-server jobs in service.
// With i = 0 an n-server job is in service; with 0 < i < n one is blocked at the head of the
// queue. With i = n all servers hold 1-server jobs.
type OneAndN struct {
	N         int     // servers
	BigProb   float64 // p, the probability that a job needs all of them
	SmallRate float64 // μ1, the rate at which a 1-server job is served
	BigRate   float64 // μn, that of an n-server job
}

// solvedOneAndN is the queue with what all its formulas need.
type solvedOneAndN struct {
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

var oneAndNs = kept[OneAndN, *solvedOneAndN]{solve: solveOneAndN, same: equal[OneAndN]}

func (o OneAndN) solved() *solvedOneAndN { return oneAndNs.of(o) }

// Err is nil, or says everything that is wrong with the parameters.
func (o OneAndN) Err() error {
	positive := func(rate float64) bool { return rate > 0 && !math.IsInf(rate, 1) }
	var f check.Faults
	f.That(o.N >= 2, "N = %d: the number of servers must be at least 2, or 1-server and n-server jobs are the same", o.N)
	f.That(o.BigProb > 0 && o.BigProb < 1, "BigProb = %v: the probability of an n-server job must lie strictly between 0 and 1; with one class alone the queue is M/M/n or M/M/1", o.BigProb)
	f.That(positive(o.SmallRate), "SmallRate = %v: the rate of 1-server jobs must be positive and finite", o.SmallRate)
	f.That(positive(o.BigRate), "BigRate = %v: the rate of n-server jobs must be positive and finite", o.BigRate)
	return f.Err("OneAndN")
}

func solveOneAndN(o OneAndN) *solvedOneAndN {
	if err := o.Err(); err != nil {
		nan := math.NaN()
		return &solvedOneAndN{n: o.N, p: nan, mu1: nan, mun: nan, err: err,
			throughput: nan, completions: nan, x: nan, oneLessX: nan, top: nan, offset: nan}
	}
	n, p, mu1, mun := o.N, o.BigProb, o.SmallRate, o.BigRate
	s := &solvedOneAndN{n: n, p: p, mu1: mu1, mun: mun, q: 1 - p, logQ: math.Log1p(-p), small: 1, big: 1}
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

// Throughput is X̄, the completions per unit of time of the saturated system
// (Lemma 5.3). The queue is stable for every arrival rate below it and for none
// above.
func (o OneAndN) Throughput() float64 { return o.solved().throughput }

// RelativeCompletions is E[Δ(Y_d)], the mean over the completions of the
// saturated system of the relative completions Δ of the state they happen in
// (Lemma 5.5): how much completions cluster. It is never negative.
func (o OneAndN) RelativeCompletions() float64 { return o.solved().completions }

// ScaledQueueLength is the heavy-traffic limit of the number of jobs in the
// system: (1-ρ) E[N] → E[Δ(Y_d)] + 1 as the load ρ, the arrival rate over
// Throughput, goes to 1 (equation (2) of the paper).
func (o OneAndN) ScaledQueueLength() float64 { return o.solved().completions + 1 }

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
func (o OneAndN) MeanResponse(rate float64) float64 {
	s := o.solved()
	if !(rate >= 0) {
		return math.NaN()
	}
	load := rate / s.throughput
	if load >= 1 {
		return math.Inf(1)
	}
	service := s.p/s.mun + (1-s.p)/s.mu1
	return service + load/(1-load)*(s.completions+1)/s.throughput
}

// Model is the queue as a model with classes "small" and "big" and without arrivals.
func (o OneAndN) Model() mjq.Model {
	return mjq.Servers(o.N).Class("small", 1, 1-o.BigProb, law.ExpRate(o.SmallRate)).Class("big", o.N, o.BigProb, law.ExpRate(o.BigRate))
}

// solveThroughput is Lemma 5.3: one n-server job completes in a cycle of
//
//	1/mun + q^n/(p n mu1) + Σ_{i=1}^{n-1} q^i/(i mu1),
//
// the times with it in service, with n small jobs in service, and with the
// small jobs draining before it; 1/p jobs complete in a cycle. The differences
// 1 - x and 1 - x/n are formed before rounding can spoil them.
func (s *solvedOneAndN) solveThroughput() {
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
func (s *solvedOneAndN) solveCompletions() {
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
func (s *solvedOneAndN) step(t float64) float64 {
	if t == 1 {
		return s.oneLessX
	}
	return 1 - s.x/t
}

// fromZero is Δ(t) - Δ(0) for 0 <= t < n, where h = H_t.
func (s *solvedOneAndN) fromZero(t, h float64) float64 {
	if t == 1 {
		return s.oneLessX
	}
	return t - s.x*h
}
