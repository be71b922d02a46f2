package mam

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// MAP is a Markovian arrival process: D0 holds the rates of changing phase
// without an arrival, D1 those with one, and D0 + D1 is a generator (Lucantoni,
// Stochastic Models 7, 1991). Its numeric methods return NaN if Validate fails.
type MAP struct{ D0, D1 *mat.Dense }

// Poisson is the Poisson process of the given rate.
func Poisson(rate float64) MAP {
	return MAP{mat.NewDense(1, 1, []float64{-rate}), mat.NewDense(1, 1, []float64{rate})}
}

// MMPP2 is the Poisson process whose rate is first or second, changed at rate
// leave1 from the first and leave2 from the second.
func MMPP2(first, second, leave1, leave2 float64) MAP {
	return MAP{
		mat.NewDense(2, 2, []float64{-first - leave1, leave1, leave2, -second - leave2}),
		mat.NewDense(2, 2, []float64{first, 0, 0, second}),
	}
}

// Renewal is the process with independent interarrival times of law p, which
// must be positive: initial probabilities that sum to less than 1 are an error.
func Renewal(p PH) (MAP, error) {
	if err := p.Validate(); err != nil {
		return MAP{}, err
	}
	if p.atom() > 0 {
		return MAP{}, fmt.Errorf("mam: the initial probabilities sum to %v; interarrival times of 0 are not allowed, make it 1", sum(p.Alpha))
	}
	d1 := mat.NewDense(len(p.Alpha), len(p.Alpha), nil)
	d1.Mul(column(p.exits()), mat.NewDense(1, len(p.Alpha), p.Alpha))
	return MAP{mat.DenseCopyOf(p.A), d1}, nil
}

// Validate names every fault: shapes, rates, row sums, no arrivals, more than
// one closed class of phases.
func (m MAP) Validate() error {
	if m.D0 == nil || m.D1 == nil {
		return errors.New("mam: a MAP needs both D0 and D1")
	}
	n, _ := m.D0.Dims()
	var faults []error
	for i, d := range []*mat.Dense{m.D0, m.D1} {
		if r, c := d.Dims(); r != n || c != n || n == 0 {
			faults = append(faults, fmt.Errorf("mam: D%d is %d by %d; give square matrices of one size", i, r, c))
		}
	}
	if len(faults) == 0 {
		faults = levelFaults("(Local is D0, Up is D1) ", m.D1, m.D0, nil)
	}
	if len(faults) == 0 {
		if pi, err := m.Phases(); err != nil {
			faults = append(faults, err)
		} else if !(m.rate(pi) > 0) {
			faults = append(faults, errors.New("mam: D1 has no rate of arrival in the phases that last; give it one"))
		}
	}
	return errors.Join(faults...)
}

// Phases is the stationary vector of the phases in time.
func (m MAP) Phases() ([]float64, error) {
	return GTH(m.generator())
}

// generator is that of the phases. The diagonal follows from the other rates: the
// sum of those of D0 and D1 may be nothing but rounding, where arrivals are many
// and changes of phase few.
func (m MAP) generator() *mat.Dense {
	q := new(mat.Dense)
	q.Add(m.D0, m.D1)
	closeRows(q)
	return q
}

// closeRows makes the diagonal minus the sum of the rest of its row.
func closeRows(q *mat.Dense) {
	n, _ := q.Dims()
	for i := range n {
		sum := 0.0
		for j, rate := range q.RawRowView(i) {
			if j != i {
				sum += rate
			}
		}
		q.Set(i, i, -sum)
	}
}

func (m MAP) rate(pi []float64) float64 {
	arrivals := make([]float64, len(pi))
	addRowSums(arrivals, 1, m.D1)
	return dot(pi, arrivals)
}

// Rate is the mean number of arrivals per unit time.
func (m MAP) Rate() float64 {
	if m.Validate() != nil {
		return math.NaN()
	}
	pi, _ := m.Phases()
	return m.rate(pi)
}

// Interarrival is the law of the time between two arrivals in equilibrium: it
// starts from the phases after an arrival.
func (m MAP) Interarrival() (PH, error) {
	if err := m.Validate(); err != nil {
		return PH{}, err
	}
	pi, _ := m.Phases()
	n := len(pi)
	alpha := mat.NewVecDense(n, nil)
	alpha.MulVec(m.D1.T(), mat.NewVecDense(n, pi))
	alpha.ScaleVec(1/sum(alpha.RawVector().Data), alpha)
	return PH{alpha.RawVector().Data, mat.DenseCopyOf(m.D0)}, nil
}

// SCV is the squared coefficient of variation of the time between arrivals.
func (m MAP) SCV() float64 {
	p, err := m.Interarrival()
	if err != nil {
		return math.NaN()
	}
	return p.SCV()
}

// LagCorrelations are the correlations of the time between two arrivals with
// those 1 to k arrivals later; see [MarkovRenewal.LagCorrelations]. It takes 2/3 n^3 operations
// and 4 n^2 a phase and a lag.
func (m MAP) LagCorrelations(k int) []float64 {
	r, _ := m.MarkovRenewal() // of which nothing is known if Validate fails
	return r.LagCorrelations(k)
}
