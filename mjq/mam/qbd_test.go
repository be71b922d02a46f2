package mam

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1e-300, math.Abs(want))) {
		t.Errorf("%s is %.16g, want %.16g: relative error %.2g", what, got, want, math.Abs(got/want-1))
	}
}

// randomQBD has all rates positive and the given load, for any n.
func randomQBD(n int, load float64, seed uint64) QBD {
	rng := rand.New(rand.NewPCG(seed, 1))
	fill := func() *mat.Dense {
		m := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				if rng.Float64() < 10/float64(n) {
					m.Set(i, j, rng.ExpFloat64())
				}
			}
		}
		return m
	}
	q := QBD{fill(), fill(), fill()}
	for i := range n {
		q.Local.Set(i, (i+1)%n, 1)
	}
	balance(q)
	up, down, err := q.Drift()
	if err != nil {
		panic(err)
	}
	q.Up.Scale(load*down/up, q.Up)
	for range 60 {
		balance(q)
		if up, down, err = q.Drift(); err != nil {
			panic(err)
		}
		if math.Abs(up/down-load) < 1e-15 {
			break
		}
		q.Up.Scale(load*down/up, q.Up)
	}
	return q
}

// balance sets the diagonal of Local.
func balance(q QBD) {
	n, _ := q.Local.Dims()
	sums := make([]float64, n)
	for i := range n {
		q.Local.Set(i, i, 0)
	}
	addRowSums(sums, -1, q.Up)
	addRowSums(sums, -1, q.Down)
	addRowSums(sums, -1, q.Local)
	for i := range n {
		q.Local.Set(i, i, sums[i])
	}
}

func TestQBDOfOnePhaseIsMM1(t *testing.T) {
	for _, rho := range []float64{0.1, 0.5, 0.9, 0.999, 0.99999, 1 - 1e-9} {
		q := QBD{scalar(rho), scalar(-1 - rho), scalar(1)}
		for _, opt := range [][]Option{nil, {LogarithmicReduction()}} {
			s, err := q.Solve(context.Background(), opt...)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "R", s.R.At(0, 0), rho, 1e-15)
			near(t, "G", s.G.At(0, 0), 1, 1e-15)
			near(t, "caudal", s.Caudal, rho, 1e-15)
			near(t, "drift", s.Drift, rho-1, 1e-15)
		}
	}
}

func scalar(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }

func TestQBDReductionsAgree(t *testing.T) {
	for _, n := range []int{3, 63, 64, 65, 150} {
		for _, load := range []float64{0.3, 0.99, 0.99999} {
			q := randomQBD(n, load, uint64(n))
			a, err := q.Solve(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			b, err := q.Solve(context.Background(), LogarithmicReduction())
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i := range n {
				for j := range n {
					worst = max(worst, math.Abs(a.G.At(i, j)/b.G.At(i, j)-1))
				}
			}
			t.Logf("n %d load %g: steps %d %d, residual %.2g %.2g, worst ratio %.2g, caudal %.15g %.15g-", n, load, a.Iterations, b.Iterations, a.Residual, b.Residual, worst, a.Caudal, a.CaudalLow)
		}
	}
}

func TestQBDUnstable(t *testing.T) {
	_, err := QBD{scalar(2), scalar(-3), scalar(1)}.Solve(context.Background())
	var u *Unstable
	if !errors.As(err, &u) || u.Drift != 1 || u.Load != 2 {
		t.Errorf("got %v", err)
	}
}
