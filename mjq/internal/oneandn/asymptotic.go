package oneandn

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Asymptotic is the growth of the throughput and of E[Δ(Y_d)]. With p much
// larger than 1/n, or of its order (Theorems 4.1 and 4.2), it is
//
//	X̄ ~ mu1 / (p ln(1/p)),  E[Δ(Y_d)] ~ 1/(2p);
//
// with p = n^-a, 1 < a (Theorem 4.3), where few jobs need all servers, it is
//
//	X̄ ~ n mu1,  E[Δ(Y_d)] ~ n² p (ln n)²/2 = n^(2-a) (ln n)²/2.
func Asymptotic(fewBig bool, n int, p, mu1 float64) (throughput, completions float64) {
	if fewBig {
		m, l := float64(n), math.Log(float64(n))
		return m * mu1, (m * p) * (m * (l * l / 2))
	}
	return mu1 / (p * -math.Log(p)), 1 / (2 * p)
}

// Refined is Asymptotic with the terms that decay as a power of the logarithm.
// For many n-server jobs it sums over all i < ∞ exactly, with an error of the
// order of q^n. For few it takes q^i = 1 in all sums: with κ = n p (ln n + γ +
// r - 1), r = mu1/mun, the throughput is n mu1/(1+κ), off by (n p)²/2, and
// E[Δ(Y_d)] is
//
//	p x²/2 (π²/6 + (κ/(n p))² + (r+κ)²),  x = n/(1+κ),
//
// off by an order of n p. Both were derived for this package from the sum of
// squares in solveCompletions; the paper does not have them.
func Refined(fewBig bool, n int, p, mu1, mun float64) (throughput, completions float64) {
	r := mu1 / mun
	if fewBig {
		m := float64(n)
		step := math.Log(m) + eulerGamma + r - 1 // (Δ(n) - Δ(n-1)) / x
		kappa := m * p * step
		x := m / (1 + kappa)
		return mu1 * x, (p * x) * (x * (math.Pi*math.Pi/6 + step*step + (r+kappa)*(r+kappa)) / 2)
	}
	q, l := 1-p, -math.Log(p)
	px := 1 / (l + r) // p X̄ / mu1, in the limit n → ∞
	li2 := real(mathext.Li2(complex(q, 0)))
	return mu1 * px / p, (q - px*(q+l) + px*px*(li2+l*l/2)) / p
}
