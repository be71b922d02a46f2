package mam

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// quadratic is the real roots of a x^2 + b x + c, without cancellation.
func quadratic(a, b, c float64) []float64 {
	d := b*b - 4*a*c
	if d < 0 {
		return nil
	}
	q := -(b + math.Copysign(math.Sqrt(d), b)) / 2
	switch {
	case q == 0:
		return []float64{0}
	case a == 0:
		return []float64{c / q}
	}
	return []float64{c / q, q / a}
}

// roots is the real roots of the polynomial with the coefficients p, lowest
// first: eigenvalues of the companion matrix, polished by Newton's method.
func roots(p []float64) (found []float64) {
	n := len(p) - 1
	for math.Abs(p[n]) < 1e-14*math.Abs(p[0]) { // false at n = 0
		n--
	}
	if n == 0 {
		return nil
	}
	m := mat.NewDense(n, n, nil)
	for i := range n {
		if i > 0 {
			m.Set(i, i-1, 1)
		}
		m.Set(i, n-1, -p[i]/p[n])
	}
	var e mat.Eigen
	if !e.Factorize(m, mat.EigenNone) {
		return nil
	}
	for _, z := range e.Values(nil) {
		if math.Abs(imag(z)) > 1e-6*(1+math.Abs(real(z))) {
			continue
		}
		x := real(z)
		for range 4 {
			f, slope := p[n], 0.0
			for i := n - 1; i >= 0; i-- {
				slope = slope*x + f
				f = f*x + p[i]
			}
			if slope == 0 {
				break
			}
			x -= f / slope
		}
		found = append(found, x)
	}
	return found
}

// times is the product of two polynomials, lowest coefficients first.
func times(p, q []float64) []float64 {
	r := make([]float64, len(p)+len(q)-1)
	for i, a := range p {
		for j, b := range q {
			r[i+j] += a * b
		}
	}
	return r
}

// plus is the sum of two polynomials of one length.
func plus(p, q []float64) []float64 {
	r := make([]float64, len(p))
	for i := range r {
		r[i] = p[i] + q[i]
	}
	return r
}
