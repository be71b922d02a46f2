package mam

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// block is the width of the blocks that a multiplication is cut into: the
// block of gonum's parallel product, and the span between two looks at ctx.
const block = 64

// steps runs matrix products until its context ends. Once err is set every
// further step does nothing, so that a method reads as its formulas.
type steps struct {
	ctx context.Context
	err error
}

// ended sets err once the context is over.
func (s *steps) ended() bool {
	if s.err == nil && s.ctx.Err() != nil {
		s.err = context.Cause(s.ctx)
	}
	return s.err != nil
}

// product makes c = alpha a b + beta c. A row of zeros or a sparse a costs only
// its non-zero entries, so the sparse factor belongs on the left.
func (s *steps) product(alpha float64, a, b *mat.Dense, beta float64, c *mat.Dense) {
	A, B, C := a.RawMatrix(), b.RawMatrix(), c.RawMatrix()
	for i := 0; i < C.Rows; i += block {
		if s.ended() {
			return
		}
		k := min(C.Rows, i+block)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, alpha, part(A, i, k, 0, A.Cols), B, beta, part(C, i, k, 0, C.Cols))
	}
}

// part is the view of rows i to k and columns j to l of m.
func part(m blas64.General, i, k, j, l int) blas64.General {
	v := blas64.General{Rows: k - i, Cols: l - j, Stride: m.Stride}
	if v.Rows > 0 && v.Cols > 0 {
		v.Data = m.Data[i*m.Stride+j : (k-1)*m.Stride+l]
	}
	return v
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
