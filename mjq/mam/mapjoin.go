package mam

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// Superpose is the process of the arrivals of two independent processes; its
// phases are the pairs of theirs, those of y changing fastest, and its matrices
// their Kronecker sums.
func Superpose(x, y MAP) (MAP, error) {
	if err := errors.Join(x.Validate(), y.Validate()); err != nil {
		return MAP{}, err
	}
	return MAP{both(x.D0, y.D0), both(x.D1, y.D1)}, nil
}

// Reverse is the process seen backward in time: with pi the stationary phases,
// its D0 is diag(pi)^-1 D0^T diag(pi), and D1 likewise (Andersen, Neuts and
// Nielsen, "On the time reversal of Markovian arrival processes", Stochastic
// Models 20, 2004). Its phase just after an arrival is that of m just before one.
// It has the rate, the marginal law of the gaps and the correlations of m. All
// phases must be visited again and again: those of probability 0 are an error.
func (m MAP) Reverse() (MAP, error) {
	if err := m.Validate(); err != nil {
		return MAP{}, err
	}
	pi, err := m.Phases()
	if err != nil {
		return MAP{}, err
	}
	for _, p := range pi {
		if p == 0 {
			return MAP{}, errors.New("mam: a phase is left for good, and nothing leads there in reverse; remove it")
		}
	}
	back := func(d *mat.Dense) *mat.Dense {
		r := mat.DenseCopyOf(d.T())
		r.Apply(func(i, j int, rate float64) float64 { return rate * pi[j] / pi[i] }, r)
		return r
	}
	return MAP{back(m.D0), back(m.D1)}, nil
}
