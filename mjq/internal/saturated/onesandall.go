package saturated

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// onesAndAll is Theorem 2 where a job of class 2 runs alone, and up to n of class 1 do: the
// weights are p1^a for a < n and p1^n / p2 for a = n, and their sum is 1/p2. The mean time
// to a completion is then
//
//	p2 (1/μ2 + Σ p1^a / (a μ1)) + p1^n / (n μ1),   0 < a < n;
//
// see also Grosof and Ayhan, "Multiserver-job Response Time under Multilevel Scaling".
func onesAndAll(p *states.Plan) (throughput float64) {
	one, two := &p.Kinds[0], &p.Kinds[1]
	n, mu1, mu2 := float64(p.Servers/one.Need), p.Phases[one.Lo].Rate, p.Phases[two.Lo].Rate
	decay := -math.Log1p(-two.Prob)
	return 1 / (two.Prob*(1/mu2+powers(decay, n)/mu1) + math.Exp(-decay*n)/(n*mu1))
}

// powers is Σ e^(-ca)/a over 1 ≤ a < n: the first terms one by one and the rest by the
// formula of Euler and Maclaurin, whose next term is below 10^-15.
func powers(c, n float64) (sum float64) {
	const first = 2048
	f := func(a float64) float64 { return math.Exp(-c*a) / a }
	for a := 1.0; a < min(first, n); a++ {
		sum += f(a)
	}
	if n <= first {
		return sum
	}
	slope := func(a float64) float64 { return -f(a) * (c + 1/a) }
	sum += (f(first)-f(n))/2 + (slope(n)-slope(first))/12
	for from := float64(first); from < n && c*from < 100; from *= 2 {
		sum += quad.Fixed(f, from, min(n, 2*from), 32, nil, 0)
	}
	return sum
}
