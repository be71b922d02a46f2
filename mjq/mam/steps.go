package mam

import (
	"context"
	"runtime"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/panics"
)

const (
	// block is the width of the diagonal blocks of an elimination.
	block = 64
	// A product is shared out if it needs more than alone multiplications.
	alone = 64 * 64 * 64
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
// processors and each number is summed in one order, so that neither their number nor
// that of the rows that one gets changes a bit. Zeros of a cost nothing where most of it
// is zeros, so the sparse factor belongs on the left.
func (s *steps) gemm(alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	if s.ended() {
		return
	}
	workers := min(runtime.GOMAXPROCS(0), (c.Rows+tileRows-1)/tileRows)
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
