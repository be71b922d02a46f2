package mam

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSpectralRadius: known matrices, those that fall apart among them, and
// random ones against gonum's eigenvalues.
func TestSpectralRadius(t *testing.T) {
	s := &steps{ctx: context.Background()}
	for _, c := range []struct {
		m    *mat.Dense
		want float64
	}{
		{scalar(0), 0},
		{mat.NewDense(2, 2, []float64{0, 1, 0, 0}), 0},
		{mat.NewDense(2, 2, []float64{0.5, 0, 0, 0.3}), 0.5},
		{mat.NewDense(2, 2, []float64{0, 2, 8, 0}), 4},
		{mat.NewDense(3, 3, []float64{0.5, 0.1, 0, 0, 0.9, 1, 0, 0, 0.2}), 0.9},
		{mat.NewDense(3, 3, []float64{1, 2, 3, 0, 0, 0, 1, 1, 1}), 2.7320508075688772},
	} {
		low, high := spectralRadius(s, c.m)
		near(t, "spectral radius", high, c.want, 1e-14)
		if low > c.want*(1+1e-14) {
			t.Errorf("lower bound %v above %v", low, c.want)
		}
	}
	low, _ := spectralRadius(s, mat.NewDense(3, 3, []float64{1, 2, 3, 0, 0, 0, 1, 1, 1}))
	near(t, "lower bound without the row of zeros", low, 1+math.Sqrt(3), 2e-14)
	for _, unit := range []float64{0x1p-120, 0x1p120} { // squares and cubes would leave the range
		m := mat.NewDense(3, 3, []float64{0.5, 0.1, 0.3, 0.2, 0.9, 1, 0.1, 0.4, 0.2})
		low, high := spectralRadius(s, m)
		m.Scale(unit, m)
		if l, h := spectralRadius(s, m); l != unit*low || h != unit*high {
			t.Errorf("in units of %v the bracket is %v to %v, not %v to %v", unit, l/unit, h/unit, low, high)
		}
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 50 {
		n := 2 + rng.IntN(30)
		m := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				if rng.Float64() < 0.2 {
					m.Set(i, j, rng.ExpFloat64())
				}
			}
			m.Set(i, (i+1)%n, 0.1)
		}
		low, high := spectralRadius(s, m)
		want := largestEigenvalue(t, m)
		near(t, "spectral radius", high, want, 1e-12)
		near(t, "lower bound", low, want, 1e-12)
	}
}

// TestSpectralRadiusWork: a bracket that is closed to rounding takes no step,
// and rank one takes one.
func TestSpectralRadiusWork(t *testing.T) {
	for _, c := range []struct {
		m      []float64
		radius float64
		looks  int64
	}{
		{[]float64{0x1p100, 0x1p100, 0x1p100, 0x1p100 * (1 + 0x1p-51)}, 0x1p101, 0},
		{[]float64{0x1p-100, 0x1p-100, 0x1p-100, 0x1p-100 * (1 + 0x1p-51)}, 0x1p-99, 0},
		{[]float64{2, 4, 1, 2}, 4, 1},
	} {
		l := &looks{Context: context.Background()}
		l.last.Store(math.MaxInt64)
		_, high := spectralRadius(&steps{ctx: l}, mat.NewDense(2, 2, c.m))
		near(t, "spectral radius", high, c.radius, 1e-15)
		if n := l.asked.Load(); n != c.looks {
			t.Errorf("%v: %d looks at the context, want %d", c.m, n, c.looks)
		}
	}
}

// TestSpectralRadiusEnds: with entries over fourteen decades the bracket still
// closes to twelve digits, in few steps.
func TestSpectralRadiusEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		n := 2 + rng.IntN(25)
		m := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				if rng.Float64() < 0.4 {
					m.Set(i, j, math.Pow(10, -14*rng.Float64()))
				}
			}
			m.Set(i, (i+1)%n, math.Pow(10, -10*rng.Float64()))
		}
		l := &looks{Context: context.Background()}
		l.last.Store(1000)
		s := &steps{ctx: l}
		low, high := spectralRadius(s, m)
		if s.err != nil || !(low <= high) || !(high-low <= 1e-12*high) {
			t.Errorf("%d rows: %v to %v: %v", n, low, high, s.err)
		}
	}
}

// TestPerron: the vector belongs to the radius, which slow and periodic chains do
// not spoil, and what has none is named.
func TestPerron(t *testing.T) {
	for _, m := range []*mat.Dense{
		mat.NewDense(2, 2, []float64{0.3, 0.7, 0.6, 0.4}),
		mat.NewDense(2, 2, []float64{1 - 1e-9, 1e-9, 2e-9, 0.9}),
		mat.NewDense(3, 3, []float64{0, 2, 0, 0, 0, 0.5, 3, 0, 0}),
		mat.NewDense(1, 1, []float64{7}),
	} {
		radius, x, err := Perron(m)
		if err != nil {
			t.Error(err)
			continue
		}
		n, _ := m.Dims()
		y := mat.NewVecDense(n, nil)
		y.MulVec(m, mat.NewVecDense(n, x))
		for i := range x {
			near(t, "an entry of R x", y.AtVec(i), radius*x[i], 1e-12)
		}
		near(t, "the largest entry", mat.Max(mat.NewVecDense(n, x)), 1, 0)
	}
	if radius, _, _ := Perron(mat.NewDense(3, 3, []float64{0, 2, 0, 0, 0, 0.5, 3, 0, 0})); math.Abs(radius-math.Cbrt(3)) > 1e-13 {
		t.Errorf("the radius of a cycle is %v, want the cube root of 3", radius)
	}
	for _, m := range []*mat.Dense{
		mat.NewDense(1, 2, nil), mat.NewDense(2, 2, []float64{1, 1, 0, 0}), mat.NewDense(1, 1, []float64{-1}), mat.NewDense(1, 1, []float64{math.Inf(1)}),
	} {
		if _, _, err := Perron(m); err == nil {
			t.Errorf("%v has a Perron vector", mat.Formatted(m))
		}
	}
}
