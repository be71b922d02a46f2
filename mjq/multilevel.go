package mjq

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/oneandn"
)

// Regime says which jobs bring most of the load to a 1-and-n queue. In the
// paper it is a limit: as n grows, the share of the load that 1-server jobs
// bring goes to 0 (n p → ∞), to a value between (n p → a constant), or to 1
// (n p → 0).
type Regime int

// The regimes of Theorems 4.1, 4.2 and 4.3.
const (
	BigDominated   Regime = iota // by n-server jobs: n p large
	Balanced                     // n p of the order of 1
	SmallDominated               // by 1-server jobs: n p small
)

// String is the name of the regime.
func (r Regime) String() string {
	switch r {
	case BigDominated:
		return "n-server dominated"
	case Balanced:
		return "balanced"
	case SmallDominated:
		return "1-server dominated"
	}
	return fmt.Sprintf("Regime(%d)", int(r))
}

// SmallShare is the share of the load, in servers times time, that 1-server
// jobs bring: (q/mu1) / (q/mu1 + n p/mun).
func (s *OneAndNSystem) SmallShare() float64 {
	if s.err != nil {
		return math.NaN()
	}
	// The ratio of the loads, formed so that it does not underflow.
	return 1 / (1 + float64(s.n)*(s.p/(1-s.p))*(s.mu1/s.mun))
}

// Regime places the parameters: BigDominated if SmallShare is below 1/10,
// SmallDominated if it is above 9/10, else Balanced. At one n the border is a
// convention, since the paper's regimes are limits; for invalid parameters it
// is -1.
func (s *OneAndNSystem) Regime() Regime {
	switch share := s.SmallShare(); {
	case share < 0.1:
		return BigDominated
	case share > 0.9:
		return SmallDominated
	case share >= 0.1:
		return Balanced
	}
	return -1
}

// AsymptoticThroughput is the growth of the throughput in a regime: mu1 /
// (p ln(1/p)) where n-server jobs dominate and in balance (Theorems 4.1 and
// 4.2), n mu1 where 1-server jobs dominate (Theorem 4.3). The ratio to
// Throughput goes to 1 only as 1 - c/ln n. The formulas were derived anew, for
// the text at hand lost the paper's.
func (s *OneAndNSystem) AsymptoticThroughput(r Regime) float64 {
	x, _ := s.asymptotic(r)
	return x
}

// AsymptoticRelativeCompletions is the growth of E[Δ(Y_d)] in a regime: 1/(2p)
// where n-server jobs dominate and in balance, n² p (ln n)²/2 where 1-server
// jobs dominate, which is n^(2-a) (ln n)²/2 for p = n^-a; as for
// AsymptoticThroughput.
func (s *OneAndNSystem) AsymptoticRelativeCompletions(r Regime) float64 {
	_, d := s.asymptotic(r)
	return d
}

func (s *OneAndNSystem) asymptotic(r Regime) (throughput, completions float64) {
	if s.err != nil || s.unknown(r) {
		return math.NaN(), math.NaN()
	}
	return oneandn.Asymptotic(r == SmallDominated, s.n, s.p, s.mu1)
}

// RefinedThroughput is AsymptoticThroughput with the next terms: mu1 /
// (p (ln(1/p) + mu1/mun)), which lacks only terms of order q^n, so that it is
// exact to rounding where n p exceeds 40; and n mu1 / (1 + n p (ln n + γ +
// mu1/mun - 1)) where 1-server jobs dominate, off by a fraction of (n p)²/2. In
// balance it is the first form, and no better than the asymptotic one, since
// q^n does not vanish. Ours, not the paper's.
func (s *OneAndNSystem) RefinedThroughput(r Regime) float64 {
	x, _ := s.refined(r)
	return x
}

// RefinedRelativeCompletions is AsymptoticRelativeCompletions with the next
// terms: exact to rounding where n p exceeds 40, off by a fraction of the order
// of n p where 1-server jobs dominate; as for RefinedThroughput.
func (s *OneAndNSystem) RefinedRelativeCompletions(r Regime) float64 {
	_, d := s.refined(r)
	return d
}

func (s *OneAndNSystem) refined(r Regime) (throughput, completions float64) {
	if s.err != nil || s.unknown(r) {
		return math.NaN(), math.NaN()
	}
	return oneandn.Refined(r == SmallDominated, s.n, s.p, s.mu1, s.mun)
}

func (s *OneAndNSystem) unknown(r Regime) bool { return r < BigDominated || r > SmallDominated }

// ScaledQueueLength is the heavy-traffic limit of the number of jobs in the
// system: (1-ρ) E[N] → E[Δ(Y_d)] + 1 as the load ρ, the arrival rate over
// Throughput, goes to 1 (equation (2) of the paper).
func (s *OneAndNSystem) ScaledQueueLength() float64 { return s.RelativeCompletions() + 1 }

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
func (s *OneAndNSystem) MeanResponse(rate float64) float64 {
	if s.err != nil || !(rate >= 0) {
		return math.NaN()
	}
	load := rate / s.Throughput()
	if load >= 1 {
		return math.Inf(1)
	}
	service := s.p/s.mun + (1-s.p)/s.mu1
	return service + load/(1-load)*s.ScaledQueueLength()/s.Throughput()
}

// Model is the queue at an arrival rate, with classes "small" and "big", for
// everything else that this package answers. The error is that of Err, or says
// what is wrong with the rate.
func (s *OneAndNSystem) Model(rate float64) (*Model, error) {
	if s.err != nil {
		return nil, s.err
	}
	return OneOrAll(s.n, s.p, s.mu1, s.mun).Poisson(rate).Build()
}
