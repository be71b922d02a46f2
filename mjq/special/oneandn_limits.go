package special

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
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
func (o OneAndN) SmallShare() float64 {
	s := o.solved()
	// The ratio of the loads, formed so that it does not underflow.
	return 1 / (1 + float64(s.n)*(s.p/(1-s.p))*(s.mu1/s.mun))
}

// Regime places the parameters: BigDominated if SmallShare is below 1/10,
// SmallDominated if it is above 9/10, else Balanced. At one n the border is a
// convention, since the paper's regimes are limits; for invalid parameters it
// is -1.
func (o OneAndN) Regime() Regime {
	switch share := o.SmallShare(); {
	case share < 0.1:
		return BigDominated
	case share > 0.9:
		return SmallDominated
	case share >= 0.1:
		return Balanced
	}
	return -1
}

// AsymptoticThroughput returns the growth of the throughput in a regime. It is mu1 / (p
// ln(1/p)) where n-server jobs dominate and in balance, p much larger than 1/n or of its order
// (Theorems 4.1 and 4.2). It is n mu1 where 1-server jobs dominate, p = n^-a with a > 1
// (Theorem 4.3). The ratio to Throughput goes to 1 only as 1 - c/ln n. We derived the formulas
// again, because the text at hand lost those of the paper. NaN for a regime that is none.
func (o OneAndN) AsymptoticThroughput(r Regime) float64 {
	s := o.solved()
	switch r {
	case BigDominated, Balanced:
		return s.mu1 / (s.p * -math.Log(s.p))
	case SmallDominated:
		return float64(s.n) * s.mu1
	}
	return math.NaN()
}

// AsymptoticRelativeCompletions is the growth of E[Δ(Y_d)] in a regime: 1/(2p)
// where n-server jobs dominate and in balance, n² p (ln n)²/2 where 1-server
// jobs dominate, which is n^(2-a) (ln n)²/2 for p = n^-a; as for
// AsymptoticThroughput.
func (o OneAndN) AsymptoticRelativeCompletions(r Regime) float64 {
	s := o.solved()
	switch r {
	case BigDominated, Balanced:
		return 1 / (2 * s.p)
	case SmallDominated:
		m, l := float64(s.n), math.Log(float64(s.n))
		return (m * s.p) * (m * (l * l / 2))
	}
	return math.NaN()
}

// RefinedThroughput returns AsymptoticThroughput with the terms that decay as a power of the
// logarithm. It is mu1 / (p (ln(1/p) + mu1/mun)), which lacks only terms of order q^n and is
// exact to rounding where n p exceeds 40. It is n mu1 / (1 + n p (ln n + γ + mu1/mun - 1))
// where 1-server jobs dominate, off by a fraction of (n p)²/2. In balance it is the first form,
// and no better than the asymptotic one, since q^n does not vanish. Ours, not the paper's.
func (o OneAndN) RefinedThroughput(r Regime) float64 {
	s := o.solved()
	switch r {
	case BigDominated, Balanced:
		return s.mu1 * s.manyBig() / s.p
	case SmallDominated:
		_, x := s.fewBig()
		return s.mu1 * x
	}
	return math.NaN()
}

// RefinedRelativeCompletions is AsymptoticRelativeCompletions with the next
// terms: exact to rounding where n p exceeds 40, off by a fraction of the order
// of n p where 1-server jobs dominate; as for RefinedThroughput. There it is, with
// r = mu1/mun, κ = n p (ln n + γ + r - 1) and x = n/(1+κ),
//
//	p x²/2 (π²/6 + (κ/(n p))² + (r+κ)²).
func (o OneAndN) RefinedRelativeCompletions(r Regime) float64 {
	s := o.solved()
	switch r {
	case BigDominated, Balanced:
		px, q, l := s.manyBig(), 1-s.p, -math.Log(s.p)
		li2 := real(mathext.Li2(complex(q, 0)))
		return (q - px*(q+l) + px*px*(li2+l*l/2)) / s.p
	case SmallDominated:
		step, x := s.fewBig()
		last := s.mu1/s.mun + float64(s.n)*s.p*step // r + κ
		return (s.p * x) * (x * (math.Pi*math.Pi/6 + step*step + last*last) / 2)
	}
	return math.NaN()
}

// manyBig is p X̄/mu1 for n → ∞: the sums over all i < ∞ are known.
func (s *solvedOneAndN) manyBig() float64 { return 1 / (-math.Log(s.p) + s.mu1/s.mun) }

// fewBig takes q^i = 1 in the sums over i: (Δ(n) - Δ(n-1))/x, and x = X̄/mu1.
func (s *solvedOneAndN) fewBig() (step, x float64) {
	m := float64(s.n)
	step = math.Log(m) + eulerGamma + s.mu1/s.mun - 1
	kappa := m * s.p * step
	return step, m / (1 + kappa)
}
