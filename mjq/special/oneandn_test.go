package special

import (
	"math"
	"math/big"
	"testing"
)

// byLemmas is X̄ by Lemma 5.3 and E[Δ(Y_d)] by Lemma 5.5 of the paper, as plain
// sums of n terms in arithmetic of a given number of bits.
func byLemmas(bits uint, n int, p, mu1, mun float64) (throughput, completions float64) {
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	mul := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Mul(a, b) }
	div := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Quo(a, b) }
	add := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Add(a, b) }
	sub := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Sub(a, b) }
	one, bp, bn := num(1), num(p), num(float64(n))
	q := sub(one, bp)
	drain, power := num(0), num(1)
	for i := 1; i < n; i++ {
		power = mul(power, q)
		drain = add(drain, div(power, num(float64(i))))
	}
	qn := mul(power, q)
	cycle := add(div(num(mu1), num(mun)), add(div(qn, mul(bp, bn)), drain)) // times mu1
	x := div(one, mul(bp, cycle))
	sum, power, h := num(0), num(1), num(0)
	for i := 1; i < n; i++ {
		power = mul(power, q)
		bi := num(float64(i))
		h = add(h, div(one, bi))
		term := mul(sub(one, div(x, bi)), sub(bi, mul(x, h)))
		sum = add(sum, mul(mul(bp, power), term))
	}
	gap := sub(one, div(x, bn))
	last := add(sub(num(float64(n-1)), mul(x, h)), div(gap, bp))
	sum = add(sum, mul(qn, mul(gap, last)))
	throughput, _ = mul(num(mu1), x).Float64()
	completions, _ = sum.Float64()
	return throughput, completions
}

// TestAgainstLemmas compares with the paper's own formulas in long arithmetic,
// over moderate and extreme probabilities and rates.
func TestAgainstLemmas(t *testing.T) {
	worstX, worstD := 0.0, 0.0
	check := func(bits uint, n int, p, mu1, mun float64) {
		t.Helper()
		s := OneAndN{N: n, BigProb: p, SmallRate: mu1, BigRate: mun}
		x, d := byLemmas(bits, n, p, mu1, mun)
		ex, ed := off(s.Throughput(), x), off(s.RelativeCompletions(), d)
		worstX, worstD = max(worstX, ex), max(worstD, ed)
		if !(ex < 1e-12) || !(ed < 1e-12) {
			t.Errorf("n=%d p=%g rates %g, %g: throughput %.17g want %.17g (%.1e), completions %.17g want %.17g (%.1e)",
				n, p, mu1, mun, s.Throughput(), x, ex, s.RelativeCompletions(), d, ed)
		}
	}
	nearOne := math.Nextafter(1, 0)
	for _, n := range []int{2, 3, 7, 100, 2048, 2049, 2050, 3000} {
		for _, p := range []float64{1e-9, 1e-4, 0.003, 0.02, 0.3, 0.5, 0.9, 0.999999} {
			for _, mun := range []float64{1e-3, 0.3, 1, 1.5, 40} {
				check(256, n, p, 1, mun)
			}
		}
	}
	for _, n := range []int{2, 3, 20} {
		for _, p := range []float64{1e-300, 1e-30, 1e-16, 1 - 1e-8, nearOne} {
			for _, mun := range []float64{1e-300, 1e-20, 1e-8, 0.5, 1 - 1e-9, 1, 1 + 1e-7, 2, 1e8, 1e20, 1e300} {
				check(3000, n, p, 1, mun)
			}
		}
	}
	for _, excess := range []float64{1e-9, 3e-8, 1e-7, 1e-6, 1e-4} { // nearly equal rates: 1 - x is small
		check(500, 3, nearOne, 0.7, 0.7*(1+excess))
		check(500, 3, nearOne, 0.3, 0.3*(1-excess))
	}
	t.Logf("worst relative errors: throughput %.1e, completions %.1e", worstX, worstD)
}

// TestManyServers compares with the lemmas in 120 bits beyond the terms taken
// one by one.
func TestManyServers(t *testing.T) {
	for _, c := range []struct{ p, mu1, mun float64 }{
		{1e-9, 1, 1}, {1e-5, 10, 1}, {1e-3, 1, 10}, {3e-2, 1, 0.01}, {4e-5, 1, 1e4},
	} {
		const n = 60_000
		s := OneAndN{N: n, BigProb: c.p, SmallRate: c.mu1, BigRate: c.mun}
		x, d := byLemmas(120, n, c.p, c.mu1, c.mun)
		if ex, ed := off(s.Throughput(), x), off(s.RelativeCompletions(), d); !(ex < 2e-14) || !(ed < 1e-13) {
			t.Errorf("p=%g rates %g, %g: throughput off by %.1e, completions by %.1e", c.p, c.mu1, c.mun, ex, ed)
		}
	}
}
