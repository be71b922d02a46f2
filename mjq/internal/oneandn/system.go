// Package oneandn solves the saturated 1-and-n queue of Grosof and Ayhan,
// "Multiserver-job Response Time under Multilevel Scaling": n servers, jobs
// that need one server with probability q = 1-p and all n with probability p,
// exponential services of rates mu1 and mun, and always a job waiting.
//
// The state after a completion and the admissions it allows is the number i of
// 1-server jobs in service: 0 means that an n-server job is in service, 0 < i < n
// that one is blocked at the head of the line, n that all servers hold 1-server
// jobs. Everything is computed to about 1e-13 in a time that hardly depends
// on n.
package oneandn

import "math"

// System is a solved queue. The fields are exported for reading only.
type System struct {
	N            int
	P, Mu1, MuN  float64
	Throughput   float64 // X̄, completions per unit of time
	Completions  float64 // E[Δ(Y_d)]
	logQ, q, qN  float64 // ln q, q, q^n
	small, big   float64 // mean services, in units of the longer of them
	denominator  float64 // 1/X̄ in the same units
	x, oneLessX  float64 // X̄/mu1 and 1 - X̄/mu1
	gap, lastGap float64 // 1 - x/n and (1 - x/n)/p = Δ(n) - Δ(n-1)
	top          float64 // Δ(n) - Δ(0)
	offset       float64 // the time average of Δ(i) - Δ(0)
}

// New solves the queue. It needs n ≥ 2, 0 < p < 1 and positive finite rates;
// the caller checks that. About 0.2 ms at worst, for any n.
func New(n int, p, mu1, mun float64) *System {
	s := &System{N: n, P: p, Mu1: mu1, MuN: mun, q: 1 - p, logQ: math.Log1p(-p), small: 1, big: 1}
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

// solveThroughput is Lemma 5.3: one n-server job completes in a cycle of
//
//	1/mun + q^n/(p n mu1) + Σ_{i=1}^{n-1} q^i/(i mu1),
//
// the times with it in service, with n small jobs in service, and with the
// small jobs draining before it; 1/p jobs complete in a cycle. The differences
// 1 - x and 1 - x/n are formed before rounding can spoil them.
func (s *System) solveThroughput() {
	n := float64(s.N)
	rest := geometricSum(s.logQ, s.N-1, func(t, _ float64) float64 {
		if t == 1 {
			return 0
		}
		return 1 / t
	})
	drain := s.q + rest // Σ q^i/i
	s.denominator = s.P*s.big + s.small*(s.qN/n+s.P*drain)
	s.x = s.small / s.denominator
	rate, longer := s.MuN, (s.Mu1-s.MuN)/s.Mu1 // of the longer class; big - small
	if s.small == 1 {
		rate, longer = s.Mu1, (s.Mu1-s.MuN)/s.MuN
	}
	s.Throughput = rate / s.denominator
	s.oneLessX = (s.P*longer + s.small*(s.P*rest-s.q*s.q+s.qN/n)) / s.denominator
	// Σ_{i<n} (n/i - 1) q^i has positive terms only.
	geometric := -s.q * math.Expm1((n-1)*s.logQ) / s.P
	s.lastGap = (n*s.big + s.small*(n*drain-geometric-1)) / (n * s.denominator)
	s.gap = s.P * s.lastGap
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
func (s *System) solveCompletions() {
	squares := geometricSum(s.logQ, s.N-1, func(t, h float64) float64 {
		step, fromZero := s.step(t), s.fromZero(t, h)
		return s.P * (step*step + s.P*fromZero*fromZero)
	})
	n := float64(s.N)
	below := n - 1 // state n-1
	s.top = s.fromZero(below, harmonic(below)) + s.lastGap
	s.Completions = (squares + s.qN*(s.gap*s.lastGap+s.P*s.top*s.top)) / 2
	s.offset = s.x*s.P*geometricSum(s.logQ, s.N-1, func(t, h float64) float64 {
		return s.fromZero(t, h) / t
	}) + s.x*s.qN/n*s.top
}

// step is Δ(t) - Δ(t-1) for 1 <= t < n.
func (s *System) step(t float64) float64 {
	if t == 1 {
		return s.oneLessX
	}
	return 1 - s.x/t
}

// fromZero is Δ(t) - Δ(0) for 0 <= t < n, where h = H_t.
func (s *System) fromZero(t, h float64) float64 {
	if t == 1 {
		return s.oneLessX
	}
	return t - s.x*h
}
