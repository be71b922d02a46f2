package mam

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// spectralRadius brackets the spectral radius of a non-negative matrix by the
// smallest and the largest ratio (R x)_i / x_i (Collatz and Wielandt), first
// under powers of R and then by the inverse iteration of Noda (Numerische
// Mathematik 17, 1971) and Elsner (Linear Algebra and its Applications 15,
// 1976), whose upper bound falls quadratically. Rows of zeros are left out: they
// add only eigenvalues 0. A step of the second kind takes 2/3 n^3 operations.
func spectralRadius(s *steps, r *mat.Dense) (low, high float64) {
	r = withoutZeroRows(r)
	if r == nil {
		return 0, 0
	}
	low, high, _ = perron(s, r)
	return low, high
}

// perron is spectralRadius of a matrix without rows of zeros, with the vector that
// it ends on. The two ratios are bounds for any positive vector, so that it needs no
// error: where it ends early, by the context, at a matrix that falls apart or when
// all its steps are taken, the bracket is wide and no less true.
func perron(s *steps, r *mat.Dense) (low, high float64, x []float64) {
	n, _ := r.Dims()
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	low, high = ratios(r, x, y)
	for range 30 {
		if high-low <= 1e-14*high || low == 0 || s.ended() {
			break
		}
		for i := range x {
			x[i] = y[i] / high
		}
		low, high = ratios(r, x, y)
	}
	t := newTriplet(n)
	const most = 100 // each about doubles the digits
	for k, last := 0, 2*high; k < most && high-low > 1e-14*high && high < last*(1-1e-15); k++ {
		last = high
		if !t.inverseStep(s, r, x, y, high) {
			break
		}
		l, h := ratios(r, x, y)
		if !(l <= h) {
			break
		}
		low, high = max(low, l), min(high, h)
	}
	return low, high, x
}

// Perron returns the spectral radius of an irreducible non-negative matrix, and a positive
// vector x with R x <= radius x in every entry, equal up to rounding. The radius is the largest
// ratio (Collatz and Wielandt), so R^n x <= radius^n x whether x has converged or not. The
// largest entry of x is 1. It takes some ten times 2/3 n^3 operations.
func Perron(r *mat.Dense) (radius float64, x []float64, err error) {
	n, columns := r.Dims()
	if n != columns {
		return 0, nil, fmt.Errorf("mam: the matrix is %d by %d; give a square one", n, columns)
	}
	for i := range n {
		for j, v := range r.RawRowView(i) {
			if !(v >= 0) || math.IsInf(v, 1) {
				return 0, nil, fmt.Errorf("mam: entry (%d,%d) is %v; give a finite number that is not negative", i, j, v)
			}
		}
	}
	if withoutZeroRows(r) != r {
		return 0, nil, errors.New("mam: the matrix has a row of zeros or leads to one; give an irreducible one")
	}
	_, _, x = perron(startSteps(), r)
	top := 0.0
	for _, v := range x {
		top = max(top, v)
	}
	for i := range x {
		x[i] /= top
		if !(x[i] > 0) {
			return 0, nil, errors.New("mam: the vector vanishes in some entry; give an irreducible matrix whose entries differ less")
		}
	}
	_, radius = ratios(r, x, make([]float64, n))
	return radius, x, nil
}

// inverseStep makes x proportional to (high I - R)^-1 x, given y = R x. It is
// false if that matrix is singular, as when R falls apart into classes.
func (t *triplet) inverseStep(s *steps, r *mat.Dense, x, y []float64, high float64) bool {
	t.around(r, x, y, high)
	own := steps{ctx: s.ctx}
	t.factor(&own)
	if s.ended() || own.err != nil {
		return false
	}
	for i := range y {
		y[i] = 1
	}
	t.solve(s, mat.NewDense(len(y), 1, y))
	top := 0.0
	for i := range x {
		x[i] *= y[i]
		top = max(top, x[i])
	}
	for i := range x {
		x[i] /= top
	}
	return !math.IsInf(top, 0) && !math.IsNaN(top)
}

// ratios sets y = R x and returns the smallest and largest y_i / x_i.
func ratios(r *mat.Dense, x, y []float64) (low, high float64) {
	mat.NewVecDense(len(y), y).MulVec(r, mat.NewVecDense(len(x), x))
	low = y[0] / x[0]
	for i := range y {
		low, high = min(low, y[i]/x[i]), max(high, y[i]/x[i])
	}
	return low, high
}

// around sets t to (high I - R) with row i divided by x_i and column j
// multiplied by x_j, given y = R x.
func (t *triplet) around(r *mat.Dense, x, y []float64, high float64) {
	for i := range x {
		row := t.lu.RawRowView(i)
		for j, v := range r.RawRowView(i) {
			row[j] = -v * (x[j] / x[i])
		}
		t.sums[i] = max(0, high-y[i]/x[i])
	}
}

// withoutZeroRows drops the rows of zeros of r and their columns until none is
// left; nil if nothing remains.
func withoutZeroRows(r *mat.Dense) *mat.Dense {
	n, _ := r.Dims()
	keep := make([]int, n)
	for i := range keep {
		keep[i] = i
	}
	for {
		var full []int
		for _, i := range keep {
			row, sum := r.RawRowView(i), 0.0
			for _, j := range keep {
				sum += row[j]
			}
			if sum > 0 {
				full = append(full, i)
			}
		}
		if len(full) == 0 {
			return nil
		}
		if len(full) == len(keep) {
			break
		}
		keep = full
	}
	if len(keep) == n {
		return r
	}
	m := mat.NewDense(len(keep), len(keep), nil)
	for a, i := range keep {
		for b, j := range keep {
			m.Set(a, b, r.At(i, j))
		}
	}
	return m
}
