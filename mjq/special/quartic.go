package special

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// quarticRoots are the roots of a quartic, the one of largest real part first.
// Eigenvalues of the companion matrix, then Newton's steps.
func quarticRoots(p poly) (largest complex128, others [3]complex128) {
	companion := mat.NewDense(4, 4, nil)
	for i := range 4 {
		companion.Set(i, 3, -p[i]/p[4])
		if i < 3 {
			companion.Set(i+1, i, 1)
		}
	}
	var eigen mat.Eigen
	eigen.Factorize(companion, mat.EigenNone)
	roots, slope := eigen.Values(nil), p.slope()
	for i := range roots {
		for range 3 {
			if d := slope.at(roots[i]); d != 0 {
				roots[i] -= p.at(roots[i]) / d
			}
		}
	}
	slices.SortFunc(roots, func(x, y complex128) int { return cmp.Compare(real(y), real(x)) })
	return roots[0], [3]complex128(roots[1:])
}

// poly has its coefficients in ascending order.
type poly []float64

func (p poly) at(s complex128) (v complex128) {
	for i := len(p) - 1; i >= 0; i-- {
		v = v*s + complex(p[i], 0)
	}
	return v
}

func (p poly) times(q poly) poly {
	r := make(poly, len(p)+len(q)-1)
	for i, a := range p {
		for j, b := range q {
			r[i+j] += a * b
		}
	}
	return r
}

// plus is p + c q.
func (p poly) plus(c float64, q poly) poly {
	r := make(poly, max(len(p), len(q)))
	copy(r, p)
	for i, b := range q {
		r[i] += c * b
	}
	return r
}

func (p poly) slope() poly {
	r := make(poly, len(p)-1)
	for i := range r {
		r[i] = float64(i+1) * p[i+1]
	}
	return r
}
