package open

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

func blocksOf(t *testing.T, sys states.System) *Blocks {
	t.Helper()
	x, err := states.NewIndex(sys.Compile())
	if err != nil {
		t.Fatal(err)
	}
	b, ok := NewBlocks(x, sys.Servers)
	if !ok {
		t.Fatal("too large")
	}
	return b
}

func exponential(servers int, needs []int, probs, rates []float64) states.System {
	s := states.System{Servers: servers}
	for i := range needs {
		s.Classes = append(s.Classes, states.Class{Need: needs[i], Prob: probs[i], Alpha: []float64{1}, A: [][]float64{{-rates[i]}}})
	}
	return s
}

// TestBlockMoments are closed forms: on one server a sum, on k servers with k
// jobs the maximum, both of exponential times; and Erlang phases on one server.
func TestBlockMoments(t *testing.T) {
	ctx := context.Background()
	log := func(mu, theta float64) float64 { return math.Log(mu / (mu - theta)) }
	one := blocksOf(t, exponential(1, []int{1}, []float64{1}, []float64{2}))
	for _, size := range []int{1, 7, 100_000} {
		if got, want := one.LogMoment(ctx, 0.3, size), float64(size)*log(2, 0.3); math.Abs(got-want) > 1e-11*want {
			t.Errorf("%d jobs on one server: %.15g, want %.15g", size, got, want)
		}
	}
	three := blocksOf(t, exponential(3, []int{1}, []float64{1}, []float64{2}))
	if got, want := three.LogMoment(ctx, 0.3, 3), log(2, 0.3)+log(4, 0.3)+log(6, 0.3); math.Abs(got-want) > 1e-13 {
		t.Errorf("the longest of three: %.15g, want %.15g", got, want)
	}
	erlang := blocksOf(t, states.System{Servers: 1, Classes: []states.Class{{Need: 1, Prob: 1, Alpha: []float64{1, 0}, A: [][]float64{{-2, 2}, {0, -2}}}}})
	if got, want := erlang.LogMoment(ctx, 0.3, 5), 10*log(2, 0.3); math.Abs(got-want) > 1e-13 {
		t.Errorf("ten Erlang phases: %.15g, want %.15g", got, want)
	}
	if got := one.LogMoment(ctx, 2, 3); !math.IsInf(got, 1) {
		t.Errorf("at the rate itself: %v, want infinity", got)
	}
}

// TestBlockMomentsAgainstPiles grows piles of exponential jobs by the recurrence:
// the mean of exp(θH) within five standard errors.
func TestBlockMomentsAgainstPiles(t *testing.T) {
	needs, probs, rates := []int{1, 2, 4}, []float64{0.5, 0.3, 0.2}, []float64{1, 2, 0.8}
	const size, n, theta = 20, 40_000, 0.1
	rng := rand.New(rand.NewPCG(5, 6))
	var sum, squares float64
	runs := recurrence.NewRuns(5)
	for range n {
		runs.Reset(0)
		for range size {
			c, u := 0, rng.Float64()
			for u > probs[c] {
				u -= probs[c]
				c++
			}
			runs.Pile(int32(needs[c]), rng.ExpFloat64()/rates[c])
		}
		z := math.Exp(theta * runs.Top())
		sum += z
		squares += z * z
	}
	mean := sum / n
	se := math.Sqrt((squares/n - mean*mean) / n)
	want := math.Exp(blocksOf(t, exponential(5, needs, probs, rates)).LogMoment(context.Background(), theta, size))
	if math.Abs(mean-want) > 5*se {
		t.Errorf("E exp(θH) = %.6g by the chain, %.6g ± %.2g by piles", want, mean, se)
	}
}
