package open

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// resolvent solves x (s - M) = b for many complex s after an orthogonal
// reduction of M to Hessenberg form: 10n³/3 operations once, then 3n² complex
// ones each.
type resolvent struct {
	n int
	h []float64 // Hessenberg form of the transpose of M, by rows
	q []float64 // M' = Q H Q'
	b []float64 // Q' b
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
	r := &resolvent{n: n, h: make([]float64, n*n), q: append([]float64(nil), a...), b: make([]float64, n)}
	for i := range n {
		for j := max(0, i-1); j < n; j++ {
			r.h[i*n+j] = a[i*n+j]
		}
	}
	impl.Dorghr(n, 0, n-1, r.q, n, tau, work, len(work))
	blas64.Gemv(blas.Trans, 1, blas64.General{Rows: n, Cols: n, Stride: n, Data: r.q}, blas64.Vector{N: n, Inc: 1, Data: b},
		0, blas64.Vector{N: n, Inc: 1, Data: r.b})
	return r
}

// scratch is the memory of one goroutine.
type scratch struct {
	a []complex128 // upper triangle in the making
	x []complex128
	z []complex128
}

func (r *resolvent) scratch() *scratch {
	return &scratch{make([]complex128, r.n*r.n), make([]complex128, r.n), make([]complex128, r.n)}
}

// solve leaves x (s - M) = b in w.x.
func (r *resolvent) solve(s complex128, w *scratch) []complex128 {
	n := r.n
	for i := range n {
		row, from := w.a[i*n:(i+1)*n], r.h[i*n:(i+1)*n]
		for j := max(0, i-1); j < n; j++ {
			row[j] = complex(-from[j], 0)
		}
		row[i] += s
		w.z[i] = complex(r.b[i], 0)
	}
	for i := 0; i+1 < n; i++ {
		at, next := w.a[i*n:(i+1)*n], w.a[(i+1)*n:(i+2)*n]
		if norm1(next[i]) > norm1(at[i]) {
			for j := i; j < n; j++ {
				at[j], next[j] = next[j], at[j]
			}
			w.z[i], w.z[i+1] = w.z[i+1], w.z[i]
		}
		if next[i] == 0 {
			continue
		}
		f := next[i] / at[i]
		right := next[i+1:]
		for j, v := range at[i+1:] {
			right[j] -= f * v
		}
		w.z[i+1] -= f * w.z[i]
	}
	for i := n - 1; i >= 0; i-- {
		row, known := w.a[i*n:(i+1)*n], w.z[i+1:n]
		v := w.z[i]
		for j, f := range row[i+1:] {
			v -= f * known[j]
		}
		w.z[i] = v / row[i]
	}
	for i := range n {
		z := w.z[:n]
		var re, im float64
		for j, q := range r.q[i*n : (i+1)*n] {
			re += q * real(z[j])
			im += q * imag(z[j])
		}
		w.x[i] = complex(re, im)
	}
	return w.x
}

func norm1(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }
