package mam

import "math"

// AtArrivals is the stationary vector of the phases just after an arrival,
// pi D1 over the rate, of which P = (-D0)^-1 D1 is the transition matrix. Where
// Phases weighs a phase by the time spent in it, this weighs it by what a
// customer meets.
func (m MAP) AtArrivals() ([]float64, error) {
	p, err := m.Interarrival()
	return p.Alpha, err
}

// Dispersion is the limit of the index of dispersion for counts; see
// [Counts.Dispersion].
func (m MAP) Dispersion() float64 { return m.counts().Dispersion() }

// DispersionAt is the index of dispersion for counts over a time t > 0 in
// equilibrium; see [Counts.DispersionAt].
func (m MAP) DispersionAt(t float64) float64 { return m.counts().DispersionAt(t) }

// counts are the arrivals; nothing if Validate fails.
func (m MAP) counts() Counts {
	if m.Validate() != nil {
		return Counts{}
	}
	n, _ := m.D0.Dims()
	c := Counts{m.generator(), m.D1, make([]float64, n)}
	addRowSums(c.Second, 1, m.D1)
	return c
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
