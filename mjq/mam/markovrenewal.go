package mam

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// MarkovRenewal is a sequence of interarrival times that depend on a Markov chain. The chain
// goes from state i to k with probability Move(i,k) at every arrival, and the time until then
// is X (Çınlar, "Markov renewal theory", Advances in Applied Probability 1, 1969). MAPs,
// renewal processes and arrivals in batches (times of 0) are of this kind; their second-order
// properties need no more than two moments of X.
type MarkovRenewal struct {
	Move   *mat.Dense
	Mean   *mat.Dense // E[X; next state is k | state is i]
	Square []float64  // E[X^2 | state is i], which may be infinite
}

// MarkovRenewal is the sequence of gaps of m, by the phase after an arrival.
func (m MAP) MarkovRenewal() (MarkovRenewal, error) {
	if err := m.Validate(); err != nil {
		return MarkovRenewal{}, err
	}
	move, mean, square, err := Absorption(m.D0, m.D1)
	return MarkovRenewal{move, mean, square}, err
}

// Absorption returns where and when a chain with transient generator a ends, if it is absorbed
// from phase i into state k at rate into(i,k). It returns the probabilities (-a)^-1 into, the
// mean times on ending there (-a)^-2 into, and the second moments of the time, 2 (-a)^-2 1. The
// row sums of a and into together are 0, and every phase leads to absorption. It only adds; 2/3
// n^3 operations and 4 n^2 a state.
func Absorption(a, into *mat.Dense) (ends, mean *mat.Dense, square []float64, err error) {
	n, _ := a.Dims()
	s, t := startSteps(), newTriplet(n)
	t.rates(a)
	addRowSums(t.sums, 1, into)
	t.factor(s)
	ends = mat.DenseCopyOf(into)
	t.solve(s, ends)
	mean = mat.DenseCopyOf(ends)
	t.solve(s, mean)
	x := mat.NewDense(n, 1, ones(n))
	t.solve(s, x)
	t.solve(s, x)
	x.Scale(2, x)
	return ends, mean, x.RawMatrix().Data, s.err
}

// Validate names every fault: shapes, probabilities, negative means, more than
// one closed class of states.
func (m MarkovRenewal) Validate() error {
	if m.Move == nil || m.Mean == nil {
		return errors.New("mam: a Markov renewal process needs Move and Mean")
	}
	n, columns := m.Move.Dims()
	var faults []error
	if r, c := m.Mean.Dims(); n != columns || r != n || c != n || len(m.Square) != n {
		return fmt.Errorf("mam: Move is %d by %d, Mean %d by %d and Square has %d numbers; give as many of each as there are states", n, columns, r, c, len(m.Square))
	}
	for i := range n {
		for j, x := range m.Mean.RawRowView(i) {
			if !(x >= 0) || math.IsInf(x, 1) {
				faults = append(faults, fmt.Errorf("mam: Mean(%d,%d) is %v; give a finite time", i, j, x))
			}
		}
		if !(m.Square[i] >= 0) {
			faults = append(faults, fmt.Errorf("mam: Square[%d] is %v; give a second moment", i, m.Square[i]))
		}
	}
	_, err := GTH(m.Move)
	return errors.Join(append(faults, err)...)
}

// moments are the stationary states, the mean time, and the squared coefficient
// of variation.
func (m MarkovRenewal) moments() (pi []float64, mean, scv float64, err error) {
	if err := m.Validate(); err != nil {
		return nil, math.NaN(), math.NaN(), err
	}
	pi, err = GTH(m.Move)
	means := make([]float64, len(pi))
	addRowSums(means, 1, m.Mean)
	mean = dot(pi, means)
	square := 0.0
	for i, p := range pi {
		if p > 0 {
			square += p * m.Square[i]
		}
	}
	return pi, mean, max(0, square/mean/mean-1), err
}

// Interval is the stationary mean of a time between arrivals.
func (m MarkovRenewal) Interval() float64 {
	_, mean, _, _ := m.moments()
	return mean
}

// SCV is the squared coefficient of variation of a time between arrivals.
func (m MarkovRenewal) SCV() float64 {
	_, _, scv, _ := m.moments()
	return scv
}

// LagCorrelations are the correlations of a time with those 1 to k later:
// pi M P^(j-1) M 1 is the mean product at lag j. NaN where the variance is 0 or
// infinite.
func (m MarkovRenewal) LagCorrelations(k int) []float64 {
	found := make([]float64, max(0, k))
	pi, mean, scv, err := m.moments()
	if err != nil || !(scv > 0) || math.IsInf(scv, 1) {
		for j := range found {
			found[j] = math.NaN()
		}
		return found
	}
	left, right := m.sides(pi, mean)
	next := mat.NewVecDense(len(pi), nil)
	for j := range found {
		found[j] = (mat.Dot(left, right) - 1) / scv
		next.MulVec(m.Move, right)
		right, next = next, right
	}
	return found
}

// sides are pi M and M 1 over the mean.
func (m MarkovRenewal) sides(pi []float64, mean float64) (left, right *mat.VecDense) {
	n := len(pi)
	left, right = mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	left.MulVec(m.Mean.T(), mat.NewVecDense(n, pi))
	addRowSums(right.RawVector().Data, 1, m.Mean)
	left.ScaleVec(1/mean, left)
	right.ScaleVec(1/mean, right)
	return left, right
}

// Dispersion returns the limit of k Var S_k/(E S_k)^2 for the time S_k of k arrivals, which is
// also that of Var N(t)/E N(t) for counts. It is the squared coefficient of variation plus
// twice the sum of all lag covariances over the squared mean, by the deviation matrix of the
// chain. It takes 2 n^3 operations, and loses a digit with every factor of ten by which the
// chain is slow to forget.
func (m MarkovRenewal) Dispersion() float64 {
	pi, mean, scv, err := m.moments()
	if err != nil || math.IsInf(scv, 1) {
		return scv
	}
	q := mat.DenseCopyOf(m.Move)
	closeRows(q) // Move - I
	z := deviation(q, pi)
	if z == nil {
		return math.NaN()
	}
	left, right := m.sides(pi, mean)
	right.MulVec(z, right)
	return scv + 2*mat.Dot(left, right)
}
