package special

import (
	"math"
	"testing"
)

// TestRefined: with n p large the refined form is exact but for q^n, up to
// numbers of servers that no sum reaches; with n p small the throughput is right
// to second order in it and the completions to first, also where n p ln n is not
// small.
func TestRefined(t *testing.T) {
	for _, c := range []struct {
		n           int
		p, mu1, mun float64
	}{{1e9, 1e-6, 1, 1}, {1e9, 1e-4, 10, 1}, {1e8, 1e-3, 1, 10}, {1e6, 1e-4, 1, 1e-4}, {300, 0.5, 1, 2}, {math.MaxInt, 1e-12, 1, 1}} {
		s := OneAndN{N: c.n, BigProb: c.p, SmallRate: c.mu1, BigRate: c.mun}
		x, d := s.RefinedThroughput(BigDominated), s.RefinedRelativeCompletions(BigDominated)
		if ex, ed := off(x, s.Throughput()), off(d, s.RelativeCompletions()); !(ex < 1e-13) || !(ed < 1e-12) {
			t.Errorf("%+v: throughput off by %.1e, completions by %.1e", c, ex, ed)
		}
	}
	for _, c := range []struct {
		n           int
		p, mu1, mun float64
	}{{1e9, 1e-14, 1, 1}, {1e9, 1e-16, 10, 1}, {1e6, 1e-15, 1, 10}, {1e9, 1e-300, 1, 1},
		{1e9, 1e-11, 1, 1}, {1e9, 1e-11, 5, 1}, {1e18, 1e-20, 1, 3}, {1e6, 1e-9, 1000, 1}} {
		s := OneAndN{N: c.n, BigProb: c.p, SmallRate: c.mu1, BigRate: c.mun}
		x, d := s.RefinedThroughput(SmallDominated), s.RefinedRelativeCompletions(SmallDominated)
		n := float64(c.n)
		np := n * c.p // and the harmonic sum is taken to order 1/n
		if ex, ed := off(x, s.Throughput()), off(d, s.RelativeCompletions()); !(ex < np*np+1/n) || !(ed < 2*np+1/n) {
			t.Errorf("%+v: n p = %g: throughput off by %.1e, completions by %.1e", c, np, ex, ed)
		}
	}
}

// TestAsymptoticLimit: each form wins in its regime and its ratio to the exact
// value tends to 1, as slowly as the logarithm.
func TestAsymptoticLimit(t *testing.T) {
	for _, c := range []struct {
		a            float64
		right, wrong Regime
	}{{0.5, BigDominated, SmallDominated}, {1, Balanced, SmallDominated}, {1.5, SmallDominated, BigDominated}} {
		last := math.Inf(1)
		for _, n := range []int{1e8, 1e10, 1e12, 1e15} {
			p := math.Pow(float64(n), -c.a)
			s := OneAndN{N: n, BigProb: p, SmallRate: 1, BigRate: 1}
			x, d := s.AsymptoticThroughput(c.right), s.AsymptoticRelativeCompletions(c.right)
			wrongX, wrongD := s.AsymptoticThroughput(c.wrong), s.AsymptoticRelativeCompletions(c.wrong)
			apart := max(off(s.Throughput(), x), off(s.RelativeCompletions(), d))
			if !(apart < last) || !(off(s.Throughput(), wrongX) > apart) || !(off(s.RelativeCompletions(), wrongD) > apart) {
				t.Errorf("a=%g n=%g: off by %g, at the smaller n by %g", c.a, float64(n), apart, last)
			}
			last = apart
		}
		if last > 0.11 {
			t.Errorf("a=%g: still %g off at n = 1e15", c.a, last)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
		p    float64
	}{{"n=100", 100, 0.1}, {"n=1e9,many", 1e9, 3e-5}, {"n=1e9,balanced", 1e9, 1e-9}, {"n=1e9,few", 1e9, 3e-14}} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				solveOneAndN(OneAndN{N: c.n, BigProb: c.p, SmallRate: 1, BigRate: 1})
			}
		})
	}
}
