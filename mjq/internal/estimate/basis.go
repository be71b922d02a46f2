package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// basis is what the regressions of all values on the controls have in common: with a
// thousand classes of jobs there are thousands of them.
type basis struct {
	controls int
	n        float64
	joined   []joined
	size     []float64 // of each control
	root     []float64 // corr = rootᵀ root; its first k rows and columns are those of k controls
}

// joined is one of the sets of observations that are joined, after those before it.
type joined struct {
	*moments
	n, between float64   // with those before it; what the difference of two means counts
	lead       []float64 // by control: that times the difference of its means
}

// newBasis joins observations. It has no root where their controls cannot be told apart.
func newBasis(q int, of []*moments) basis {
	s := basis{controls: q, size: make([]float64, q)}
	mean, cross := make([]float64, q), make([]float64, q*q)
	for _, m := range of {
		n := s.n + m.n
		j := joined{m, n, s.n * m.n / n, make([]float64, q)}
		for i := range q {
			j.lead[i] = j.between * (m.mean[i] - mean[i])
			for k := range q {
				cross[i*q+k] += m.cross[i*len(m.mean)+k] + j.lead[i]*(m.mean[k]-mean[k])
			}
		}
		for i := range mean {
			mean[i] += (m.mean[i] - mean[i]) * m.n / n
		}
		s.joined, s.n = append(s.joined, j), n
	}
	if q == 0 || s.n < 4 { // fewer have no two degrees of freedom left
		return s
	}
	for i := range s.size {
		s.size[i] = math.Sqrt(cross[i*q+i])
		if s.size[i] <= 1e-12*math.Abs(mean[i])*math.Sqrt(s.n) {
			s.size[i] = math.Inf(1) // it has not varied: no coefficient
		}
	}
	corr := mat.NewSymDense(q, nil)
	for i := range q {
		for j := i; j < q; j++ {
			corr.SetSym(i, j, cross[i*q+j]/s.size[i]/s.size[j])
		}
		corr.SetSym(i, i, 1+1/s.n)
	}
	var c mat.Cholesky
	if c.Factorize(corr) {
		var root mat.TriDense
		c.UTo(&root)
		s.root = root.RawTriangular().Data
	}
	return s
}

// against is what the regression of a weighted sum z of the values from an index on needs:
// the sums of products of z with each control, and with itself.
func (s *basis) against(at int, weights []float64) (cross []float64, square float64) {
	cross = make([]float64, s.controls)
	mean := 0.0
	for _, j := range s.joined {
		its, squares := j.weighted(at, weights)
		off := its - mean
		for i := range cross {
			cross[i] += j.withControl(i, at, weights) + j.lead[i]*off
		}
		square += squares + j.between*off*off
		mean += off * j.moments.n / j.n
	}
	return cross, square
}

// fit is β: of the first k controls, at most so many, k chosen for the least variance of
// what they leave, with what fitting them to so few observations costs; 0 of the others.
// It is drawn a little to 0, as if one more observation had shown that the controls
// tell nothing.
func (s *basis) fit(most, at int, weights []float64) []float64 {
	q := s.controls
	beta := make([]float64, q)
	if s.root == nil {
		return beta
	}
	cross, square := s.against(at, weights)
	u := cross // of z along the controls, one after another made orthogonal
	left, least, best := square, square/(s.n-1), 0
	for i := range min(q, most) {
		u[i] = cross[i] / s.size[i]
		for j := range i {
			u[i] -= s.root[j*q+i] * u[j]
		}
		u[i] /= s.root[i*q+i]
		left -= u[i] * u[i]
		degrees := s.n - float64(i) - 2
		if degrees < 2 { // with one, what is left is at least a (n-1)th of all: no control is as good
			break
		}
		if v := left / degrees * (1 + float64(i+1)/degrees); v < least {
			least, best = v, i+1
		}
	}
	for i := best - 1; i >= 0; i-- {
		beta[i] = u[i]
		for j := i + 1; j < best; j++ {
			beta[i] -= s.root[i*q+j] * beta[j]
		}
		beta[i] /= s.root[i*q+i]
	}
	for i := range beta {
		beta[i] /= s.size[i]
	}
	return beta
}

// weighted is the mean of a weighted sum of values, and the centred sum of its squares.
func (m *moments) weighted(at int, weights []float64) (mean, square float64) {
	for k, a := range weights {
		mean += a * m.mean[m.controls+at+k]
		square += a * a * m.square[near*(at+k)]
		for j := k + 1; j < len(weights); j++ {
			square += 2 * a * weights[j] * m.square[near*(at+k)+j-k]
		}
	}
	return mean, square
}

// withControl is the sum of products of a weighted sum of values with a control.
func (m *moments) withControl(i, at int, weights []float64) (c float64) {
	row := m.cross[i*len(m.mean)+m.controls+at:]
	for k, a := range weights {
		c += a * row[k]
	}
	return c
}

// less is the mean of z - βc and the sum of squares around it.
func (m *moments) less(beta []float64, at int, weights []float64) (level, squares float64) {
	level, squares = m.weighted(at, weights)
	for i, b := range beta {
		level -= b * m.mean[i]
		squares -= 2 * b * m.withControl(i, at, weights)
		for j, c := range beta {
			squares += b * c * m.cross[i*len(m.mean)+j]
		}
	}
	return level, squares
}
