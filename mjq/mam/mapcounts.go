package mam

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// AtArrivals is the stationary vector of the phases just after an arrival,
// pi D1 over the rate, of which P = (-D0)^-1 D1 is the transition matrix. Where
// Phases weighs a phase by the time spent in it, this weighs it by what a
// customer meets.
func (m MAP) AtArrivals() ([]float64, error) {
	p, err := m.Interarrival()
	return p.Alpha, err
}

// Dispersion is the limit of the index of dispersion for counts, Var N(t)/E N(t)
// as t grows: 1 for a Poisson process, the squared coefficient of variation for a
// renewal process. It is 1 + 2 pi D1 Z D1 1/rate with the deviation matrix Z of
// the phases (Neuts, "Algorithmic Probability", 1995, section 5.4; for two phases
// Heffes and Lucantoni, IEEE JSAC 4, 1986, equation (9)). It takes 2 n^3
// operations, and loses a digit with every factor of ten by which the phases
// change more slowly than the fastest rate.
func (m MAP) Dispersion() float64 {
	return m.counts(func(c *counts) float64 { return 1 + 2*dot(c.left, c.right)/c.rate })
}

// DispersionAt is the index of dispersion for counts over a time t > 0 in
// equilibrium, Var N(t)/E N(t), which tends to 1 as t falls and to Dispersion as
// it grows. With D = D0 + D1 the variance is
//
//	rate t + 2 pi D1 G(t) (D1 1 - rate 1), G(t) the integral of (t-u) exp(D u) for u from 0 to t
//
// (the references of Dispersion), and G(t) a block of a matrix exponential (Van
// Loan, IEEE Transactions on Automatic Control 23, 1978). It takes some ten times
// 2 n^3 operations. It is NaN for a t that is not positive and finite.
func (m MAP) DispersionAt(t float64) float64 {
	if !(t > 0) || math.IsInf(t, 1) {
		return math.NaN()
	}
	return m.counts(func(c *counts) float64 {
		n := len(c.left)
		a := mat.NewDense(n+2, n+2, nil)
		place(a, 0, 0, c.generator)
		for i, x := range c.arrivals {
			a.Set(i, n, x-c.rate)
		}
		a.Set(n, n+1, 1)
		a.Scale(t, a)
		a.Exp(a)
		late := mat.Col(nil, n+1, a)[:n]
		return 1 + 2*dot(c.left, late)/(c.rate*t)
	})
}

// IntervalDispersion is the index of dispersion for intervals, k Var S_k/(E S_k)^2
// of the time S_k of k gaps in a row from an arrival on: the squared coefficient
// of variation at k = 1, and Dispersion as k grows. It is NaN for k < 1. The cost
// is that of LagCorrelations(k-1).
func (m MAP) IntervalDispersion(k int) float64 {
	if k < 1 {
		return math.NaN()
	}
	sum := 1.0
	for j, rho := range m.LagCorrelations(k - 1) {
		sum += 2 * (1 - float64(j+1)/float64(k)) * rho
	}
	return m.SCV() * sum
}

// counts is what variances of counts are made of.
type counts struct {
	generator, deviation *mat.Dense
	rate                 float64
	left, arrivals       []float64 // pi D1 and D1 1
	right                []float64 // Z D1 1
}

// counts is NaN if Validate fails or the phases are too nearly decomposable.
func (m MAP) counts(value func(c *counts) float64) float64 {
	if m.Validate() != nil {
		return math.NaN()
	}
	pi, _ := m.Phases()
	n := len(pi)
	c := &counts{generator: new(mat.Dense), rate: m.rate(pi), arrivals: make([]float64, n)}
	c.generator.Add(m.D0, m.D1)
	if c.deviation = deviation(c.generator, pi); c.deviation == nil {
		return math.NaN()
	}
	addRowSums(c.arrivals, 1, m.D1)
	var left, right mat.VecDense
	left.MulVec(m.D1.T(), mat.NewVecDense(n, pi))
	right.MulVec(c.deviation, mat.NewVecDense(n, c.arrivals))
	c.left, c.right = left.RawVector().Data, right.RawVector().Data
	return value(c)
}

// deviation is the deviation matrix of a generator q with stationary vector pi,
// the integral of exp(q t) - 1 pi over t: (c 1 pi - q)^-1 - 1 pi/c for any c > 0
// (Coolen-Schrijner and van Doorn, Probability in the Engineering and
// Informational Sciences 16, 2002). nil if it cannot be inverted.
func deviation(q *mat.Dense, pi []float64) *mat.Dense {
	n := len(pi)
	c := 0.0
	for i := range n {
		c = max(c, -q.At(i, i))
	}
	if c == 0 {
		return mat.NewDense(n, n, nil) // one phase
	}
	z := mat.NewDense(n, n, nil)
	z.Apply(func(i, j int, rate float64) float64 { return c*pi[j] - rate }, q)
	if z.Inverse(z) != nil {
		return nil
	}
	z.Apply(func(i, j int, x float64) float64 { return x - pi[j]/c }, z)
	return z
}
