package mam

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// PH is a phase-type law: the time to absorption of a Markov chain. A is the generator of its
// transient phases. The chain starts in phase i with probability Alpha[i], and is absorbed at
// once with the rest to 1 (Neuts, "Matrix-Geometric Solutions in Stochastic Models", 1981,
// chapter 2). Its methods return NaN if Validate fails. Times are in the unit of one over the
// rates of A.
type PH struct {
	Alpha []float64
	A     *mat.Dense
}

// leftover is the part of a rate below which the difference of it and others is
// rounding and no exit.
const leftover = 1e-12

// Exponential is the exponential law with the given mean.
func Exponential(mean float64) PH {
	return PH{[]float64{1}, mat.NewDense(1, 1, []float64{-1 / mean})}
}

// Erlang is the law of a sum of k exponential times, k >= 1, with the given mean
// of the sum.
func Erlang(k int, mean float64) PH {
	p := PH{make([]float64, max(1, k)), mat.NewDense(max(1, k), max(1, k), nil)}
	p.Alpha[0] = 1
	p.chain(0, k, float64(k)/mean)
	return p
}

// chain sets phases i to j-1 to follow one another at the given rate.
func (p PH) chain(i, j int, rate float64) {
	for ; i < j; i++ {
		p.A.Set(i, i, -rate)
		if i+1 < j {
			p.A.Set(i, i+1, rate)
		}
	}
}

// Validate names every fault: shape, initial probabilities that are negative or
// sum to more than 1, rates, rows that sum to more than 0, and phases without a
// way to absorption.
func (p PH) Validate() error {
	n := len(p.Alpha)
	if p.A == nil || n == 0 {
		return errors.New("mam: a phase-type law needs Alpha and A of at least one phase")
	}
	if r, c := p.A.Dims(); r != n || c != n {
		return fmt.Errorf("mam: A is %d by %d and Alpha has %d phases; make them equal", r, c, n)
	}
	var faults []error
	total := 0.0
	for i, a := range p.Alpha {
		if !(a >= 0) {
			faults = append(faults, fmt.Errorf("mam: initial probability %d is %v; give one between 0 and 1", i, a))
		}
		total += a
	}
	if !(total <= 1+slack) {
		faults = append(faults, fmt.Errorf("mam: the initial probabilities sum to %v; they may sum to 1 at most", total))
	}
	for i := range n {
		sum := 0.0
		for j, x := range p.A.RawRowView(i) {
			if !(x >= 0) && i != j || math.IsNaN(x) || math.IsInf(x, 0) {
				faults = append(faults, fmt.Errorf("mam: A(%d,%d) is %v; rates must be finite and not negative", i, j, x))
			}
			sum += x
		}
		if !(sum <= -slack*p.A.At(i, i)) {
			faults = append(faults, fmt.Errorf("mam: row %d of A sums to %v; take the excess from its diagonal", i, sum))
		}
	}
	if len(faults) == 0 {
		faults = p.trapped()
	}
	return errors.Join(faults...)
}

// trapped names the phases that never lead to absorption.
func (p PH) trapped() (faults []error) {
	n := len(p.Alpha)
	exits := p.exits()
	seen := make([]bool, n+1)
	reach(seen, n, func(to, from int) bool {
		if to == n {
			return exits[from] > 0
		}
		return p.A.At(from, to) > 0
	})
	for i, ok := range seen[:n] {
		if !ok {
			faults = append(faults, fmt.Errorf("mam: phase %d never leads to absorption; give it or a phase after it an exit", i))
		}
	}
	return faults
}

// exits is the rate of absorption from every phase.
func (p PH) exits() []float64 {
	x := make([]float64, len(p.Alpha))
	addRowSums(x, -1, p.A)
	for i := range x {
		if x[i] <= -leftover*p.A.At(i, i) {
			x[i] = 0
		}
	}
	return x
}

// atom is the probability of the time 0.
func (p PH) atom() float64 {
	if rest := 1 - sum(p.Alpha); rest > leftover {
		return rest
	}
	return 0
}

// Moment is the k-th moment, k! Alpha (-A)^-1 ... (-A)^-1 1. It takes 2/3 n^3
// operations and has a small relative error.
func (p PH) Moment(k int) float64 {
	if k < 0 || p.Validate() != nil {
		return math.NaN()
	}
	s := startSteps()
	t := newTriplet(len(p.Alpha))
	t.rates(p.A)
	copy(t.sums, p.exits())
	t.factor(s)
	x := ones(len(p.Alpha))
	for i := 1; i <= k; i++ {
		t.solve(s, mat.NewDense(len(x), 1, x))
		for j := range x {
			x[j] *= float64(i)
		}
	}
	if s.err != nil {
		return math.NaN()
	}
	total := dot(p.Alpha, x)
	if k == 0 {
		total += p.atom()
	}
	return total
}

// Mean is the first moment.
func (p PH) Mean() float64 { return p.Moment(1) }

// Variance is the second moment less the square of the first.
func (p PH) Variance() float64 {
	m := p.Moment(1)
	return p.Moment(2) - m*m
}

// SCV is the squared coefficient of variation, the variance over the square of
// the mean.
func (p PH) SCV() float64 {
	m := p.Moment(1)
	return p.Moment(2)/m/m - 1
}

// LST is the Laplace-Stieltjes transform E[exp(-s X)], Alpha (sI-A)^-1 (-A 1)
// and the probability of 0, for s to the right of the largest eigenvalue of A,
// which is negative. It takes 16/3 n^3 operations.
func (p PH) LST(s complex128) complex128 {
	if p.Validate() != nil {
		return complex(math.NaN(), 0)
	}
	// (sI - A)(x + iy) = exits, by its real and imaginary parts.
	n := len(p.Alpha)
	m := mat.NewDense(2*n, 2*n, nil)
	b := mat.NewVecDense(2*n, nil)
	for i, exit := range p.exits() {
		for j := range n {
			m.Set(i, j, -p.A.At(i, j))
			m.Set(n+i, n+j, -p.A.At(i, j))
		}
		m.Set(i, i, real(s)-p.A.At(i, i))
		m.Set(n+i, n+i, real(s)-p.A.At(i, i))
		m.Set(i, n+i, -imag(s))
		m.Set(n+i, i, imag(s))
		b.SetVec(i, exit)
	}
	var x mat.VecDense
	if err := x.SolveVec(m, b); err != nil && !errors.As(err, new(mat.Condition)) {
		return complex(math.NaN(), 0)
	}
	re, im := p.atom(), 0.0
	for i, a := range p.Alpha {
		re += a * x.AtVec(i)
		im += a * x.AtVec(n+i)
	}
	return complex(re, im)
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

func dot(a, b []float64) (total float64) {
	for i, x := range a {
		total += x * b[i]
	}
	return total
}
