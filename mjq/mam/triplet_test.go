package mam

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestTripletSolves puts the solutions for a random M-matrix back into its
// equations, by plain products, for sizes at and beside the ends of blocks.
func TestTripletSolves(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, n := range []int{1, 2, 63, 64, 65, 128, 150} {
		m := newTriplet(n)
		full := mat.NewDense(n, n, nil)
		for i := range n {
			m.sums[i] = 0.1 + rng.Float64()
			diagonal := m.sums[i]
			for j := range n {
				if j != i {
					x := rng.Float64() / float64(n)
					m.lu.Set(i, j, -x)
					full.Set(i, j, -x)
					diagonal += x
				}
			}
			full.Set(i, i, diagonal)
		}
		b := mat.NewDense(n, 3, nil)
		for i := range n {
			for j := range 3 {
				b.Set(i, j, rng.Float64())
			}
		}
		right, left := mat.DenseCopyOf(b), mat.DenseCopyOf(b.T())
		s := &steps{ctx: context.Background()}
		m.factor(s)
		m.solve(s, right)
		m.solveLeft(s, left)
		if s.err != nil {
			t.Fatal(s.err)
		}
		var x, y mat.Dense
		x.Mul(full, right)
		y.Mul(left, full)
		if !mat.EqualApprox(&x, b, 1e-13) || !mat.EqualApprox(&y, b.T(), 1e-13) {
			t.Errorf("%d phases: the solutions do not solve the equations", n)
		}
	}
}

// TestTripletTrap: a phase that cannot be left is named, the first and the last
// one of a block too.
func TestTripletTrap(t *testing.T) {
	for _, trap := range []int{0, 1, 63, 64} {
		m := newTriplet(66)
		for i := range m.sums {
			if i != trap {
				m.sums[i] = 1
			}
		}
		s := &steps{ctx: context.Background()}
		m.factor(s)
		if s.err == nil || !strings.HasPrefix(s.err.Error(), fmt.Sprintf("phase %d and", trap)) {
			t.Errorf("phase %d: %v", trap, s.err)
		}
	}
}

// TestProductsOfViews: a product into a view leaves what lies beside it.
func TestProductsOfViews(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	fill := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		for i := range r {
			for j := range c {
				if rng.Float64() < 0.5 {
					m.Set(i, j, rng.NormFloat64())
				}
			}
		}
		return m
	}
	for _, c := range [][3]int{{1, 1, 1}, {5, 3, 7}, {33, 32, 128}, {80, 65, 129}} {
		a, b, around := fill(c[0], c[1]), fill(c[1], c[2]), fill(c[0], c[2]+2)
		want := mat.DenseCopyOf(around)
		in := want.Slice(0, c[0], 1, c[2]+1).(*mat.Dense)
		in.Mul(a, b)
		in.Scale(-1, in)
		s := &steps{ctx: context.Background()}
		s.product(-1, a, b, 0, around.Slice(0, c[0], 1, c[2]+1).(*mat.Dense))
		if !mat.EqualApprox(around, want, 1e-13) {
			t.Errorf("%v: the product or what lies beside it is wrong", c)
		}
	}
}

// TestProductsAreShared counts by looks at the context, one for every piece of
// 128 numbers of the rows of the left factor and one for every panel of twelve columns
// of the right one there, one before and one after strips that run side by side, into
// how many strips a product falls: one for every processor, of four rows or
// nearly, but one alone if there is little to multiply.
func TestProductsAreShared(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct{ rows, inner, columns, looks int }{
		{64, 64, 64, 1 + (1 + 6)},
		{64, 65, 64, 1 + 4*(1+6) + 1},
		{5, 300, 300, 1 + 2*3*(1+25) + 1},
		{4, 300, 300, 1 + 3*(1+25)},
		{4, 32, 128, 1 + (1 + 11)},
	} {
		l := &looks{Context: context.Background()}
		l.last.Store(math.MaxInt64)
		a, b, d := mat.NewDense(c.rows, c.inner, nil), mat.NewDense(c.inner, c.columns, nil), mat.NewDense(c.rows, c.columns, nil)
		for i := range c.rows {
			for k := range c.inner {
				a.Set(i, k, 1)
			}
		}
		(&steps{ctx: l}).product(1, a, b, 0, d)
		if n := l.asked.Load(); n != int64(c.looks) {
			t.Errorf("%+v: %d looks", c, n)
		}
	}
}

// TestSparseRowsSkip: rows that few numbers of the left factor ask for are all
// that is read of the right one.
func TestSparseRowsSkip(t *testing.T) {
	b := mat.NewDense(4, 1, []float64{math.Inf(1), 3, math.Inf(1), math.Inf(1)})
	y := []float64{1}
	addRow(2, []float64{0, 5, 0, 0}, b.RawMatrix(), y)
	if y[0] != 31 {
		t.Errorf("1 + 2·5·3 is %v", y[0])
	}
}
