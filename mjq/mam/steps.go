package mam

import (
	"context"
	"runtime"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/panics"
)

const (
	// block is the width of the diagonal blocks of an elimination.
	block = 64
	// A product takes its right factor in pieces of deep by wide numbers, which
	// stay in the first cache, and is shared out if it needs more than alone
	// multiplications.
	deep, wide = 32, 128
	alone      = 64 * 64 * 64
)

// steps runs matrix products until its context ends. Once err is set every
// further step does nothing, so that a method reads as its formulas.
type steps struct {
	ctx context.Context
	err error
}

// startSteps is for what is short: nothing ends it.
func startSteps() *steps { return &steps{ctx: context.Background()} }

// ended sets err once the context is over.
func (s *steps) ended() bool {
	if s.err == nil && s.ctx.Err() != nil {
		s.err = context.Cause(s.ctx)
	}
	return s.err != nil
}

// product makes c = alpha a b + beta c.
func (s *steps) product(alpha float64, a, b *mat.Dense, beta float64, c *mat.Dense) {
	s.gemm(alpha, a.RawMatrix(), b.RawMatrix(), beta, c.RawMatrix())
}

// gemm makes c = alpha a b + beta c, beta 0 or 1. Rows of c are shared among the
// processors and each is summed in one order, so that their number does not
// change a bit. It runs at two to three times the speed of blas64.Gemm, which
// reads and writes a row of c for every row of b; the product with a transposed
// matrix does so for every four. Zeros of a cost nothing, so the sparse factor
// belongs on the left.
func (s *steps) gemm(alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	if s.ended() {
		return
	}
	workers := min(runtime.GOMAXPROCS(0), (c.Rows+3)/4)
	if workers == 1 || c.Rows*c.Cols*a.Cols <= alone {
		s.stripe(alpha, a, b, beta, c)
		return
	}
	var all panics.Group
	for w := range workers {
		i, k := w*c.Rows/workers, (w+1)*c.Rows/workers
		all.Go(func() {
			s.stripe(alpha, part(a, i, k, 0, a.Cols), b, beta, part(c, i, k, 0, c.Cols))
		})
	}
	all.Wait()
	s.ended()
}

// stripe is gemm on some rows; it leaves them unfinished once the context ends.
func (s *steps) stripe(alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	if beta == 0 {
		for i := range c.Rows {
			clear(c.Data[i*c.Stride : i*c.Stride+c.Cols])
		}
	}
	for k := 0; k < a.Cols; k += deep {
		l := min(a.Cols, k+deep)
		for j := 0; j < c.Cols && s.ctx.Err() == nil; j += wide {
			m := min(c.Cols, j+wide)
			piece := part(b, k, l, j, m)
			for i := range c.Rows {
				addRow(alpha, a.Data[i*a.Stride+k:i*a.Stride+l], piece, c.Data[i*c.Stride+j:i*c.Stride+m])
			}
		}
	}
}

// addRow adds alpha x b to y, by the rows of b that x does not skip if these are
// few.
func addRow(alpha float64, x []float64, b blas64.General, y []float64) {
	full := 0
	for _, v := range x {
		if v != 0 {
			full++
		}
	}
	if 3*full >= len(x) {
		blas64.Gemv(blas.Trans, alpha, b, vector(x), 1, vector(y))
		return
	}
	for k, v := range x {
		if v != 0 {
			blas64.Axpy(alpha*v, vector(b.Data[k*b.Stride:k*b.Stride+len(y)]), vector(y))
		}
	}
}

// part is the view of rows i to k and columns j to l of m, i < k and j < l.
func part(m blas64.General, i, k, j, l int) blas64.General {
	return blas64.General{Rows: k - i, Cols: l - j, Stride: m.Stride, Data: m.Data[i*m.Stride+j : (k-1)*m.Stride+l]}
}

func vector(x []float64) blas64.Vector {
	return blas64.Vector{N: len(x), Inc: 1, Data: x}
}

// addRowSums adds alpha times the row sums of m to v.
func addRowSums(v []float64, alpha float64, m *mat.Dense) {
	raw := m.RawMatrix()
	for i := range v {
		sum := 0.0
		for _, x := range raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols] {
			sum += x
		}
		v[i] += alpha * sum
	}
}
