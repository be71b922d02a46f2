package open

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestResolvent puts solutions back into x (s - M) = b, for matrices of every size up to
// 40 with entries of any sign and many that are 0, so that either column is the pivot.
func TestResolvent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var swapped, kept int
	for n := 1; n <= 40; n++ {
		m, b := mat.NewDense(n, n, nil), make([]float64, n)
		for i := range n {
			b[i] = random.NormFloat64()
			for j := range n {
				if random.IntN(3) == 0 {
					m.Set(i, j, random.NormFloat64())
				}
			}
		}
		r := newResolvent(m, b)
		w := r.scratch()
		for _, s := range []complex128{complex(0.3, 0.2), complex(-2, 5), complex(40, -7), complex(0, 1e-3)} {
			x := r.solve(s, w)
			for j := range n {
				left, size := s*x[j]-complex(b[j], 0), norm1(s*x[j])+1
				for i := range n {
					term := x[i] * complex(m.At(i, j), 0)
					left -= term
					size += norm1(term)
				}
				if !(norm1(left) <= 1e-11*size) {
					t.Errorf("%d by %d, s = %v: equation %d is off by %v of %v", n, n, s, j, left, size)
				}
			}
			for _, step := range w.steps[1:] {
				if step.swapped {
					swapped++
				} else {
					kept++
				}
			}
		}
	}
	if swapped < 500 || kept < 500 {
		t.Errorf("%d columns of the matrix and %d of those in the making were pivots", swapped, kept)
	}
}
