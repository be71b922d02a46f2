package mam

import "math"

// CDF is the probability of a time of at most x; see [Transient], as Survival and Density.
func (p PH) CDF(x float64) float64 {
	if x < 0 {
		return 0
	}
	_, absorbed := p.at(x)
	return min(1, absorbed)
}

// Survival is the probability of a time above x.
func (p PH) Survival(x float64) float64 {
	if x < 0 {
		return 1
	}
	phases, _ := p.at(x)
	return min(1, sum(phases))
}

// Density is the density at x >= 0, without the probability of the time 0.
func (p PH) Density(x float64) float64 {
	if x < 0 {
		return 0
	}
	phases, _ := p.at(x)
	return dot(phases, p.exits())
}

// at is the probability of being in each phase at time x, and of absorption by then.
func (p PH) at(x float64) (phases []float64, absorbed float64) {
	if math.IsNaN(x) || p.Validate() != nil {
		return []float64{math.NaN()}, math.NaN()
	}
	rows := make([][]float64, len(p.Alpha))
	for i := range rows {
		rows[i] = p.A.RawRowView(i)
	}
	phases, absorbed = Transient(p.Alpha, rows, p.exits(), x)
	return phases, p.atom() + absorbed
}
