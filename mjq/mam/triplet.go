package mam

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// triplet is a non-singular M-matrix given by its off-diagonal entries and its
// row sums, both without error, and factored as LU with additions only: no
// digits are lost however close the matrix is to a singular one. This is the
// elimination of Grassmann, Taksar and Heyman (Operations Research 33, 1985) in
// the form of Alfa, Xue and Ye (Mathematics of Computation 71, 2002), here by
// blocks.
type triplet struct {
	lu   *mat.Dense
	sums []float64
	// diagonal says that the diagonal is given in place of the row sums, which
	// may then be negative; pivots come from subtractions.
	diagonal bool
}

func newTriplet(n int) *triplet {
	return &triplet{lu: mat.NewDense(n, n, nil), sums: make([]float64, n)}
}

// rates makes the matrix minus the generator m, whose diagonal is not read; the
// row sums are for the caller to set.
func (t *triplet) rates(m *mat.Dense) {
	t.lu.Scale(-1, m)
	clear(t.sums)
}

// factor replaces the off-diagonal entries in lu by the factors. A pivot is the
// sum of what is left to its right in its row and of the row sum. The columns
// behind the block enter the pivots of a block by their total alone, which the
// elimination changes as it changes each of them.
func (t *triplet) factor(s *steps) {
	a := t.lu.RawMatrix()
	n := a.Rows
	behind := make([]float64, block)
	for k := 0; !s.ended(); k += block {
		l := min(n, k+block)
		for i := k; i < l; i++ {
			behind[i-k] = t.sums[i]
			for _, x := range a.Data[i*a.Stride+l : i*a.Stride+n] {
				behind[i-k] -= x
			}
		}
		if bad := t.pivots(k, l, behind); bad >= 0 && (bad < n-1 || t.diagonal) {
			s.err = fmt.Errorf("phase %d and those before it cannot be left; give them a way out or remove them", bad)
			return
		}
		if l == n {
			return
		}
		corner, below, right := part(a, k, l, k, l), part(a, l, n, k, l), part(a, k, l, l, n)
		blas64.Trsm(blas.Right, blas.NoTrans, 1, upper(corner), below)
		blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(corner), right)
		blas64.Gemv(blas.NoTrans, -1, below, vector(t.sums[k:l]), 1, vector(t.sums[l:]))
		s.gemm(-1, below, right, 1, part(a, l, n, l, n))
	}
}

// pivots factors the diagonal block of rows k to l and says which pivot is 0,
// or -1.
func (t *triplet) pivots(k, l int, behind []float64) (bad int) {
	a := t.lu.RawMatrix()
	bad = -1
	for p := k; p < l; p++ {
		row := a.Data[p*a.Stride+p : p*a.Stride+l]
		if !t.diagonal {
			row[0] = behind[p-k]
			for _, x := range row[1:] {
				row[0] -= x
			}
		}
		pivot := row[0]
		if !(pivot > 0) {
			return p
		}
		for i := p + 1; i < l; i++ {
			below := a.Data[i*a.Stride+p : i*a.Stride+l]
			below[0] /= pivot
			f := below[0]
			if f == 0 {
				continue
			}
			for j, x := range row[1:] {
				below[1+j] -= f * x
			}
			behind[i-k] -= f * behind[p-k]
			t.sums[i] -= f * t.sums[p]
		}
	}
	return bad
}

// solve makes b the solution x of M x = b; for b >= 0 it only adds.
func (t *triplet) solve(s *steps, b *mat.Dense) {
	a, x := t.lu.RawMatrix(), b.RawMatrix()
	n := a.Rows
	for k := 0; k < n && !s.ended(); k += block {
		l := min(n, k+block)
		rows := part(x, k, l, 0, x.Cols)
		if k > 0 {
			s.gemm(-1, part(a, k, l, 0, k), part(x, 0, k, 0, x.Cols), 1, rows)
		}
		blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(part(a, k, l, k, l)), rows)
	}
	for k := (n - 1) / block * block; k >= 0 && !s.ended(); k -= block {
		l := min(n, k+block)
		rows := part(x, k, l, 0, x.Cols)
		if l < n {
			s.gemm(-1, part(a, k, l, l, n), part(x, l, n, 0, x.Cols), 1, rows)
		}
		blas64.Trsm(blas.Left, blas.NoTrans, 1, upper(part(a, k, l, k, l)), rows)
	}
}

// solveLeft makes b the solution x of x M = b; for b >= 0 it only adds.
func (t *triplet) solveLeft(s *steps, b *mat.Dense) {
	a, x := t.lu.RawMatrix(), b.RawMatrix()
	n, m := a.Rows, x.Rows
	for k := 0; k < n && !s.ended(); k += block {
		l := min(n, k+block)
		columns := part(x, 0, m, k, l)
		if k > 0 {
			s.gemm(-1, part(x, 0, m, 0, k), part(a, 0, k, k, l), 1, columns)
		}
		blas64.Trsm(blas.Right, blas.NoTrans, 1, upper(part(a, k, l, k, l)), columns)
	}
	for k := (n - 1) / block * block; k >= 0 && !s.ended(); k -= block {
		l := min(n, k+block)
		columns := part(x, 0, m, k, l)
		if l < n {
			s.gemm(-1, part(x, 0, m, l, n), part(a, l, n, k, l), 1, columns)
		}
		blas64.Trsm(blas.Right, blas.NoTrans, 1, lower(part(a, k, l, k, l)), columns)
	}
}

func upper(m blas64.General) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: m.Rows, Data: m.Data, Stride: m.Stride}
}

func lower(m blas64.General) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.Unit, N: m.Rows, Data: m.Data, Stride: m.Stride}
}
