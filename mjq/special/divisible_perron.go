package special

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// perron is fixedPoint by another route. At the solution p̃ is the left Perron
// vector of T(η) = -diag(r) + η A2 with η = λ/ũ, and its eigenvalue is
// χ(η) = λ - ũ; summing the equations gives χ(η) = -(1-η) S(η) with
// S(η) = Σ r_s p̃_η(s), so that ũ = S(η) and λ = η S(η) for every η > 0. The
// last is solved for η between λ/max r and λ/min r by the Illinois variant of
// false position. Cost some 20 factorisations of n³/3 multiplications for n
// states.
func (s *waitingSpace) perron(ctx context.Context, arrivals float64) (*limitLaw, error) {
	p := make([]float64, s.len())
	for i := range p {
		p[i] = 1
	}
	normalise(p)
	// excess is log(η S(η)/λ), which increases with x = log η.
	excess := func(x float64) (float64, error) {
		u, err := s.perronRate(ctx, math.Exp(x), p)
		return x + math.Log(u/arrivals), err
	}
	a, b := math.Log(arrivals/slices.Max(s.rate)), math.Log(arrivals/slices.Min(s.rate))
	if err := falsePosition(excess, a, b); err != nil {
		return nil, err
	}
	return &limitLaw{arrivals: arrivals, rate: s.throughput(p), p: p, settled: true}, nil
}

// falsePosition evaluates the increasing f last at its root in [a, b].
func falsePosition(f func(float64) (float64, error), a, b float64) error {
	fa, err := f(a)
	if err != nil {
		return err
	}
	fb, err := f(b)
	const most = 200 // halvings would do with 60
	for round := 0; err == nil && b-a > 1e-15*max(1, math.Abs(a)); round++ {
		if round == most {
			return fmt.Errorf("special: the root did not converge: it lies between %.12g and %.12g", a, b)
		}
		x := b
		if fb != fa {
			x = min(max((a*fb-b*fa)/(fb-fa), a), b)
		}
		var fx float64
		if fx, err = f(x); err != nil || math.Abs(fx) < 2e-15 || x == a || x == b {
			break
		}
		if fx > 0 {
			b, fb = x, fx
			fa /= 2
		} else {
			a, fa = x, fx
			fb /= 2
		}
	}
	return err
}

// perronRate turns p, any positive vector, into the left Perron vector of T(η)
// and returns S(η). It is Noda's inverse iteration: the shift ρ is an upper
// bound of the eigenvalue, so ρI - T(η) is an M-matrix, its inverse positive,
// and the bound falls to the eigenvalue quadratically.
func (s *waitingSpace) perronRate(ctx context.Context, eta float64, p []float64) (float64, error) {
	const steps = 200
	before := math.Inf(1)
	for range steps {
		shift := math.Inf(-1)
		for i, edges := range s.in {
			flow := 0.0
			for _, e := range edges {
				flow += p[e.state] * e.rate
			}
			shift = max(shift, eta*flow/p[i]-s.rate[i])
		}
		// A little above, so that the matrix never becomes singular.
		shift += 1e-13 * (math.Abs(shift) + s.rate[0])
		if err := s.solve(ctx, eta, shift, p); err != nil {
			return 0, err
		}
		for i := range p {
			p[i] = max(p[i], 1e-250) // what underflows must stay positive for the bound
		}
		normalise(p)
		u := s.throughput(p)
		if math.Abs(u/before-1) < 1e-15 {
			return u, nil
		}
		before = u
	}
	return before, nil
}

// solve replaces p by the row vector x with x (ρI - T(η)) = p, by elimination
// without pivoting, which is stable for M-matrices.
func (s *waitingSpace) solve(ctx context.Context, eta, rho float64, p []float64) error {
	n := s.len()
	k := make([][]float64, n) // the transpose, so that rows are equations
	for i, edges := range s.in {
		k[i] = make([]float64, n)
		k[i][i] = rho + s.rate[i]
		for _, e := range edges {
			k[i][e.state] -= eta * e.rate
		}
	}
	for j := range n {
		if err := stopped(ctx); err != nil {
			return err
		}
		for i := j + 1; i < n; i++ {
			f := k[i][j] / k[j][j]
			if f == 0 {
				continue
			}
			row, pivot := k[i][j+1:], k[j][j+1:]
			for c, x := range pivot {
				row[c] -= f * x
			}
			p[i] -= f * p[j]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			p[i] -= k[i][j] * p[j]
		}
		p[i] /= k[i][i]
	}
	return nil
}
