package mam

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Counts is a number N(t) that grows with the jumps of a Markov chain, such as the number of
// jobs that arrive in batches. With a jump from phase i to j, or without a change of phase if i
// = j, it grows by X at some rate.
type Counts struct {
	Generator *mat.Dense // of the phases
	First     *mat.Dense // rate of the growth times E[X], by jump
	Second    []float64  // rate of the growth times E[X^2], by phase
}

// Validate names every fault: shapes, entries that are negative, and those of the
// generator.
func (c Counts) Validate() error {
	if c.Generator == nil || c.First == nil {
		return errors.New("mam: counts need a Generator and First")
	}
	n, err := validChain(c.Generator)
	if err != nil {
		return err
	}
	if r, k := c.First.Dims(); r != n || k != n || len(c.Second) != n {
		return fmt.Errorf("mam: there are %d phases, but First is %d by %d and Second has %d numbers; make them equal", n, r, k, len(c.Second))
	}
	var faults []error
	for i := range n {
		for j, x := range c.First.RawRowView(i) {
			if !(x >= 0) || math.IsInf(x, 1) {
				faults = append(faults, fmt.Errorf("mam: First[%d][%d] is %v; give a finite rate", i, j, x))
			}
		}
		if x := c.Second[i]; !(x >= 0) || math.IsInf(x, 1) {
			faults = append(faults, fmt.Errorf("mam: Second[%d] is %v; give a finite rate", i, x))
		}
	}
	_, err = GTH(c.Generator)
	return errors.Join(append(faults, err)...)
}

// growth is what means and variances are made of.
type growth struct {
	pi          []float64
	rate        float64   // pi First 1
	left, right []float64 // pi First and First 1 - rate 1
}

func (c Counts) growth() (g growth, ok bool) {
	if c.Validate() != nil {
		return g, false
	}
	g.pi, _ = GTH(c.Generator)
	n := len(g.pi)
	g.right = make([]float64, n)
	addRowSums(g.right, 1, c.First)
	g.rate = dot(g.pi, g.right)
	for i := range g.right {
		g.right[i] -= g.rate
	}
	left := mat.NewVecDense(n, nil)
	left.MulVec(c.First.T(), mat.NewVecDense(n, g.pi))
	g.left = left.RawVector().Data
	return g, true
}

// Rate is E N(t)/t in equilibrium; NaN if Validate fails.
func (c Counts) Rate() float64 {
	g, ok := c.growth()
	if !ok {
		return math.NaN()
	}
	return g.rate
}

// Dispersion is the limit of the index of dispersion for counts, Var N(t)/E N(t)
// as t grows: 1 for a Poisson process, the squared coefficient of variation for a
// renewal process. With the deviation matrix Z of the phases and their law pi it
// is (pi Second + 2 pi First Z First 1)/rate (Neuts, "Algorithmic Probability",
// 1995, section 5.4; for two phases Heffes and Lucantoni, IEEE JSAC 4, 1986,
// equation (9)). It takes 2 n^3 operations, and loses a digit with every factor of
// ten by which the phases change more slowly than the fastest rate. NaN if
// Validate fails.
func (c Counts) Dispersion() float64 {
	g, ok := c.growth()
	if !ok {
		return math.NaN()
	}
	z := deviation(c.Generator, g.pi)
	if z == nil {
		return math.NaN()
	}
	var late mat.VecDense
	late.MulVec(z, mat.NewVecDense(len(g.right), g.right))
	return (dot(g.pi, c.Second) + 2*dot(g.left, late.RawVector().Data)) / g.rate
}

// DispersionAt is the index of dispersion for counts over a time t > 0 in
// equilibrium, Var N(t)/E N(t), which tends to Dispersion as t grows. With the
// generator D the variance is
//
//	t pi Second + 2 pi First G(t) (First 1 - rate 1), G(t) the integral of (t-u) exp(D u) for u from 0 to t
//
// (the references of Dispersion), and G(t) a block of a matrix exponential (Van
// Loan, IEEE Transactions on Automatic Control 23, 1978). It takes some ten times
// 2 n^3 operations. It is NaN for a t that is not positive and finite, and if
// Validate fails.
func (c Counts) DispersionAt(t float64) float64 {
	g, ok := c.growth()
	if !ok || !(t > 0) || math.IsInf(t, 1) {
		return math.NaN()
	}
	n := len(g.pi)
	a := mat.NewDense(n+2, n+2, nil)
	place(a, 0, 0, c.Generator)
	most := 0.0 // rates of growth are far above those of the phases, often
	for _, x := range g.right {
		most = max(most, math.Abs(x))
	}
	for i, x := range g.right {
		a.Set(i, n, x/max(most, math.SmallestNonzeroFloat64))
	}
	a.Set(n, n+1, 1)
	a.Scale(t, a)
	a.Exp(a)
	late := mat.Col(nil, n+1, a)[:n]
	return (dot(g.pi, c.Second) + 2*most*dot(g.left, late)/t) / g.rate
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
