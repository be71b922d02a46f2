package mam

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestGTHBirthDeath has stationary probabilities down to 1e-280, known in
// closed form; a method that subtracts loses them all.
func TestGTHBirthDeath(t *testing.T) {
	const n, ratio = 141, 0.01
	q := mat.NewDense(n, n, nil)
	for i := range n - 1 {
		q.Set(i, i+1, ratio)
		q.Set(i+1, i, 1)
	}
	for i := range n {
		q.Set(i, i, -mat.Sum(q.RowView(i)))
	}
	pi, err := GTH(q)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pi {
		near(t, "pi", p, (1-ratio)*math.Pow(ratio, float64(i)), 1e-13)
	}
}

// TestGTHCourtois is the nearly decomposable matrix of Courtois,
// "Decomposability", 1977, with the vector printed by Stewart, "Introduction to
// the Numerical Solution of Markov Chains", 1994.
func TestGTHCourtois(t *testing.T) {
	p := mat.NewDense(8, 8, []float64{
		0.85, 0, 0.149, 0.0009, 0, 0.00005, 0, 0.00005,
		0.1, 0.65, 0.249, 0, 0.0009, 0.00005, 0, 0.00005,
		0.1, 0.8, 0.0996, 0.0003, 0, 0, 0.0001, 0,
		0, 0.0004, 0, 0.7, 0.2995, 0, 0.0001, 0,
		0.0005, 0, 0.0004, 0.399, 0.6, 0.0001, 0, 0,
		0, 0.00005, 0, 0, 0.00005, 0.6, 0.2499, 0.15,
		0.00003, 0, 0.00003, 0.00004, 0, 0.1, 0.8, 0.0999,
		0, 0.00005, 0, 0, 0.00005, 0.1999, 0.25, 0.55,
	})
	pi, err := GTH(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.08928, 0.09276, 0.04049, 0.15853, 0.11894, 0.12039, 0.27780, 0.10182} {
		near(t, "pi", pi[i], want, 1e-4)
	}
	var left mat.VecDense
	left.MulVec(p.T(), mat.NewVecDense(8, pi))
	for i, want := range pi {
		near(t, "pi P", left.AtVec(i), want, 1e-14)
	}
}

// TestGTHBlocks: a chain larger than a block solves its equations, and keeps
// doing so with transient states in front, in the middle and behind.
func TestGTHBlocks(t *testing.T) {
	q := randomQBD(130, 0.5, 2)
	var m mat.Dense
	m.Add(q.Up, q.Local)
	m.Add(&m, q.Down)
	for _, i := range []int{0, 64, 129} {
		for j := range 130 {
			if j != i {
				m.Set(j, j, m.At(j, j)+m.At(j, i))
				m.Set(j, i, 0)
			}
		}
	}
	pi, err := GTH(&m)
	if err != nil {
		t.Fatal(err)
	}
	if pi[0] != 0 || pi[64] != 0 || pi[129] != 0 {
		t.Error("a transient state has a probability")
	}
	near(t, "total", sum(pi), 1, 1e-14)
	var left mat.VecDense
	left.MulVec(m.T(), mat.NewVecDense(130, pi))
	if x := mat.Norm(&left, 1); x > 1e-14 {
		t.Errorf("pi Q is %g", x)
	}
}

func TestGTHFaults(t *testing.T) {
	for _, c := range []struct {
		q    *mat.Dense
		want []string
	}{
		{mat.NewDense(1, 2, nil), []string{"1 by 2"}},
		{mat.NewDense(2, 2, []float64{-1, 1, 0, 0.1}), []string{"row 1 sums to 0.1"}},
		{mat.NewDense(2, 2, []float64{2, -1, 0.5, 0.4}), []string{"entry (0,1) is -1", "row 1 sums to 0.9"}},
		{mat.NewDense(2, 2, []float64{-1, 1, math.NaN(), 0}), []string{"entry (1,0) is NaN"}},
		{identity(2), []string{"never leads to state"}},
	} {
		_, err := GTH(c.q)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}
	}
	// The rounding that is allowed goes with the rates of the row.
	for rate, fault := range map[float64]bool{1e6: false, 1e-6: true} {
		_, err := GTH(mat.NewDense(2, 2, []float64{-rate, rate + 1e-7, rate, -rate}))
		if (err != nil) != fault {
			t.Errorf("a row of rates %v that sums to 1e-7: %v", rate, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := GTHContext(ctx, mat.NewDense(2, 2, []float64{-1, 1, 1, -1})); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
