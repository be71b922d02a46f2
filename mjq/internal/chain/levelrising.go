package chain

import (
	"errors"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"
)

// rising is the solution R of up + R inside + R² down = 0 whose eigenvalues are those
// roots of the equation that are below a radius; nil where it is not found. The blocks
// need not be rates.
//
// Source: cyclic reduction, on the circle of that radius (Bini and Meini, SIAM J. Matrix
// Anal. Appl. 17, 1996).
func rising(up, inside, down *mat.Dense, radius float64) *mat.Dense {
	var a0, a1, a2, first, inverse, left, right, m mat.Dense
	a0.CloneFrom(up)
	a1.Scale(radius, inside)
	a2.Scale(radius*radius, down)
	first.CloneFrom(&a1)
	for range doublings {
		if singular(inverse.Inverse(&a1)) {
			return nil
		}
		left.Mul(&a0, &inverse)
		right.Mul(&a2, &inverse)
		m.Mul(&left, &a2)
		change := mat.Norm(&m, 1) / mat.Norm(&first, 1)
		first.Sub(&first, &m)
		a1.Sub(&a1, &m)
		m.Mul(&right, &a0)
		a1.Sub(&a1, &m)
		m.Mul(&left, &a0)
		a0.Scale(-1, &m)
		m.Mul(&right, &a2)
		a2.Scale(-1, &m)
		if math.IsNaN(change) || math.IsInf(change, 0) {
			return nil
		}
		if change < 1e-16 {
			break
		}
	}
	if singular(inverse.Inverse(&first)) {
		return nil
	}
	var r mat.Dense
	r.Mul(up, &inverse)
	r.Scale(-radius, &r)
	if !solves(&r, up, inside, down) || !(spectral(&r) < radius) {
		return nil
	}
	return &r
}

// doublings bounds the steps of the reduction, each of which sees twice as many levels.
const doublings = 60

// solves reports whether r is a solution, about: the error of the tail says how good.
func solves(r, up, inside, down *mat.Dense) bool {
	var m mat.Dense
	m.Mul(r, down)
	m.Add(&m, inside)
	m.Mul(r, &m)
	m.Add(&m, up)
	return mat.Norm(&m, 1) < 1e-8*mat.Norm(inside, 1)
}

// singular reports whether an inverse is not there at all.
func singular(err error) bool {
	var c mat.Condition
	return err != nil && !(errors.As(err, &c) && float64(c) <= math.MaxFloat64)
}

// spectral is the largest modulus of the eigenvalues, NaN if they are not found.
func spectral(m *mat.Dense) (most float64) {
	var e mat.Eigen
	if !e.Factorize(m, mat.EigenNone) {
		return math.NaN()
	}
	for _, z := range e.Values(nil) {
		most = max(most, cmplx.Abs(z))
	}
	return most
}
