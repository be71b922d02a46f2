package special

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// steps is the generator of the saturated system and the completion rates of
// its states, written from the rules of the queue: after a completion jobs are
// drawn until one does not fit.
func steps(n int, p, mu1, mun float64) (generator *mat.Dense, rates []float64) {
	q := mat.NewDense(n+1, n+1, nil)
	rates = make([]float64, n+1)
	move := func(from, to int, rate float64) {
		q.Set(from, to, q.At(from, to)+rate)
		q.Set(from, from, q.At(from, from)-rate)
	}
	// fill admits to a system with i small jobs and none blocked.
	var fill func(from, i int, rate float64)
	fill = func(from, i int, rate float64) {
		if i == n {
			move(from, n, rate)
			return
		}
		move(from, i, rate*p)
		fill(from, i+1, rate*(1-p))
	}
	for i := range rates {
		switch {
		case i == 0:
			rates[0] = mun
			fill(0, 0, mun)
		case i == n:
			rates[n] = float64(n) * mu1
			fill(n, n-1, rates[n])
		default:
			rates[i] = float64(i) * mu1
			move(i, i-1, rates[i])
		}
	}
	return q, rates
}

// solve is x with a x = b.
func solve(t *testing.T, a mat.Matrix, b []float64) []float64 {
	t.Helper()
	var x mat.VecDense
	if err := x.SolveVec(a, mat.NewVecDense(len(b), b)); err != nil {
		t.Fatal(err)
	}
	return x.RawVector().Data
}

// TestAgainstChain solves the balance and the Poisson equations of the chain as
// linear systems and compares every probability and every Δ.
func TestAgainstChain(t *testing.T) {
	for _, c := range []struct {
		n           int
		p, mu1, mun float64
	}{{2, 0.5, 4, 4}, {3, 0.1, 1, 7}, {10, 0.1, 1, 1}, {40, 0.02, 2, 0.1}, {40, 0.7, 1, 3}} {
		s := OneAndN{N: c.n, BigProb: c.p, SmallRate: c.mu1, BigRate: c.mun}
		gen, rates := steps(c.n, c.p, c.mu1, c.mun)
		balance := mat.DenseCopyOf(gen.T())
		b := make([]float64, c.n+1)
		for i := range rates {
			balance.Set(0, i, 1)
		}
		b[0] = 1
		pi := solve(t, balance, b)
		throughput := 0.0
		for i, r := range rates {
			throughput += pi[i] * r
		}
		// G Δ = X̄ - rates, with the time average of Δ equal to 0 in one row.
		poisson := mat.DenseCopyOf(gen)
		right := make([]float64, c.n+1)
		for i, r := range rates {
			right[i] = throughput - r
		}
		poisson.SetRow(0, pi)
		right[0] = 0
		delta := solve(t, poisson, right)
		mean := 0.0
		for i, r := range rates {
			done := pi[i] * r / throughput
			mean += done * delta[i]
			absolute(t, "time average", s.TimeAverage(i), pi[i], 1e-12)
			absolute(t, "completion average", s.CompletionAverage(i), done, 1e-12)
			absolute(t, "Δ", s.Delta(i), delta[i], 1e-10*(1+s.solved().top))
		}
		absolute(t, "throughput", s.Throughput(), throughput, 1e-12*throughput)
		absolute(t, "E Δ", s.RelativeCompletions(), mean, 1e-10*mean)
	}
}

// TestTransitions checks the balance of the chain with its arrivals, one step
// at a time, and that completions are the completion-average law.
func TestTransitions(t *testing.T) {
	const n, p = 6, 0.3
	s := OneAndN{N: n, BigProb: p, SmallRate: 1, BigRate: 2}
	inflow := map[[2]int]float64{}
	total := 0.0
	for i := 0; i <= n; i++ {
		if w := s.TransitionAverage(i, false); i < n {
			inflow[[2]int{i + 1, 0}] += w * (1 - p)
			inflow[[2]int{i, 1}] += w * p
			total += w
		} else {
			inflow[[2]int{n - 1, 0}] += w
			total += w
			absolute(t, "completions in n", 2*w, s.CompletionAverage(n), 1e-15)
		}
		if i < n {
			w := s.TransitionAverage(i, true)
			inflow[[2]int{max(i-1, 0), min(i, 1)}] += w
			total += w
			absolute(t, "completions below n", 2*w, s.CompletionAverage(i), 1e-15)
		}
	}
	absolute(t, "total", total, 1, 1e-15)
	for i := 0; i <= n; i++ {
		absolute(t, "balance without a big job", s.TransitionAverage(i, false), inflow[[2]int{i, 0}], 1e-15)
		absolute(t, "balance with a big job", s.TransitionAverage(i, true), inflow[[2]int{i, 1}], 1e-15)
	}
	for _, w := range []float64{s.TransitionAverage(-1, false), s.TransitionAverage(n, true), s.TransitionAverage(n+1, false),
		s.TimeAverage(-1), s.TimeAverage(n + 1), s.CompletionAverage(-1), s.CompletionAverage(n + 1)} {
		absolute(t, "a state that does not occur", w, 0, 0)
	}
	if !math.IsNaN(s.Delta(-1)) || !math.IsNaN(s.Delta(n+1)) {
		t.Error("Δ outside the states is a number")
	}
}

// TestHugeLaws sums the laws over blocks for a large n by the identities
// Σ P_t Δ = 0 and Σ P_d Δ = E[Δ(Y_d)].
func TestHugeLaws(t *testing.T) {
	const n = 30_000
	s := OneAndN{N: n, BigProb: 1e-4, SmallRate: 3, BigRate: 1}
	var time, mass, completions float64
	for i := 0; i <= n; i++ {
		mass += s.TimeAverage(i)
		time += s.TimeAverage(i) * s.Delta(i)
		completions += s.CompletionAverage(i) * s.Delta(i)
	}
	absolute(t, "total time", mass, 1, 1e-12)
	absolute(t, "time average of Δ", time, 0, 1e-9*s.solved().top)
	absolute(t, "completion average of Δ", completions, s.RelativeCompletions(), 1e-9*s.RelativeCompletions())
}
