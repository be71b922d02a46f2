package open

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// resolvent solves x (s - M) = b for many complex s after an orthogonal
// reduction of M to Hessenberg form: 14n³/3 operations once, then 12n² each.
type resolvent struct {
	n int
	h [][]float64 // Hessenberg form of the transpose of M, by columns down to below the diagonal
	q []float64   // M' = Q H Q'
	b []float64   // Q' b
}

func newResolvent(m *mat.Dense, b []float64) *resolvent {
	n := len(b)
	a := mat.DenseCopyOf(m.T()).RawMatrix().Data
	tau := make([]float64, n-1)
	var impl lapack.Implementation
	work := make([]float64, 1)
	impl.Dgehrd(n, 0, n-1, a, n, tau, work, -1)
	work = make([]float64, max(n, int(work[0])))
	impl.Dgehrd(n, 0, n-1, a, n, tau, work, len(work))
	r := &resolvent{n: n, q: append([]float64(nil), a...), b: make([]float64, n)}
	for j := range n {
		column := make([]float64, min(n, j+2))
		for i := range column {
			column[i] = a[i*n+j]
		}
		r.h = append(r.h, column)
	}
	impl.Dorghr(n, 0, n-1, r.q, n, tau, work, len(work))
	blas64.Gemv(blas.Trans, 1, blas64.General{Rows: n, Cols: n, Stride: n, Data: r.q}, blas64.Vector{N: n, Inc: 1, Data: b},
		0, blas64.Vector{N: n, Inc: 1, Data: r.b})
	return r
}

// scratch is the memory of one goroutine.
type scratch struct {
	x []complex128
	// The column in the making, the right side and z, real and imaginary parts apart.
	column, right, z [2][]float64
	steps            []step
}

// step makes a column of the triangle: of a column of s - H and the one in the making,
// one is taken as it is, and the other becomes the next in the making, less factor times
// the first.
type step struct {
	factor, value complex128 // value is the coordinate of the solution
	swapped       bool       // the column of s - H was taken
}

func (r *resolvent) scratch() *scratch {
	w := &scratch{x: make([]complex128, r.n), steps: make([]step, r.n)}
	for part := range 2 {
		w.column[part], w.right[part], w.z[part] = make([]float64, r.n), make([]float64, r.n), make([]float64, r.n)
	}
	return w
}

// solve leaves x (s - M) = b in w.x. The columns of s - H are made a triangle from the
// last one on, and each has done its part before the next is begun, so that no matrix is
// ever written.
//
// Source: Henry, The Shifted Hessenberg System Solve Computation, Cornell (1994), with
// pivots in place of rotations.
func (r *resolvent) solve(s complex128, w *scratch) []complex128 {
	n := r.n
	for i, h := range r.h[n-1] {
		w.column[0][i], w.column[1][i] = -h, 0
	}
	w.column[0][n-1] += real(s)
	w.column[1][n-1] += imag(s)
	copy(w.right[0], r.b)
	clear(w.right[1])
	for k := n - 1; k > 0; k-- {
		w.steps[k] = w.eliminate(r.h[k-1], k, s)
	}
	at := complex(w.right[0][0], w.right[1][0]) / complex(w.column[0][0], w.column[1][0])
	for k := 1; k < n; k++ {
		t := &w.steps[k]
		other := t.value - t.factor*at
		if !t.swapped {
			other, at = at, other
		}
		w.z[0][k-1], w.z[1][k-1] = real(other), imag(other)
	}
	w.z[0][n-1], w.z[1][n-1] = real(at), imag(at)
	for i := range n {
		q := r.q[i*n : (i+1)*n]
		w.x[i] = complex(floats.Dot(q, w.z[0]), floats.Dot(q, w.z[1]))
	}
	return w.x
}

// eliminate takes the column before k of H, the one in the making having k+1 numbers.
func (w *scratch) eliminate(h []float64, k int, s complex128) (t step) {
	pivot, below := complex(w.column[0][k], w.column[1][k]), complex(-h[k], 0)
	t.swapped = norm1(pivot) < math.Abs(h[k])
	if t.swapped {
		pivot, below = below, pivot
	}
	t.factor, t.value = below/pivot, complex(w.right[0][k], w.right[1][k])/pivot
	f0, f1, v0, v1 := real(t.factor), imag(t.factor), real(t.value), imag(t.value)
	h = h[:k]
	c0, c1, r0, r1 := w.column[0][:k], w.column[1][:k], w.right[0][:k], w.right[1][:k]
	if t.swapped {
		for i, x := range h {
			c0[i] += f0 * x
			c1[i] += f1 * x
			r0[i] += v0 * x
			r1[i] += v1 * x
		}
		c0[k-1] -= real(t.factor * s)
		c1[k-1] -= imag(t.factor * s)
		r0[k-1] -= real(t.value * s)
		r1[k-1] -= imag(t.value * s)
		return t
	}
	for i, x := range h {
		y0, y1 := c0[i], c1[i]
		c0[i] = f1*y1 - f0*y0 - x
		c1[i] = -f0*y1 - f1*y0
		r0[i] -= v0*y0 - v1*y1
		r1[i] -= v0*y1 + v1*y0
	}
	c0[k-1] += real(s)
	c1[k-1] += imag(s)
	return t
}

func norm1(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }
