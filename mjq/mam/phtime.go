package mam

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// CDF is the probability of a time of at most x. Like Survival and Density it
// takes about 2 n^3 operations times the binary logarithm of x and the fastest
// rate, plus 14, and adds only, so that small values keep their digits.
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

// at is the probability of being in each phase at time x, and of absorption by
// then. The chain with its absorbing state, made uniform at the fastest rate, is
// taken over a short time by its Taylor series and then over twice the time as
// often as needed.
func (p PH) at(x float64) (phases []float64, absorbed float64) {
	if math.IsNaN(x) || p.Validate() != nil {
		return []float64{math.NaN()}, math.NaN()
	}
	n := len(p.Alpha)
	fastest := 0.0
	for i := range n {
		fastest = max(fastest, -p.A.At(i, i))
	}
	y, doublings := min(fastest*x, math.MaxFloat64), 0
	if y > 0.25 {
		doublings = int(math.Ceil(math.Log2(y))) + 2
		y = math.Ldexp(y, -doublings)
	}
	s := startSteps()
	now := p.short(s, fastest, y)
	next := mat.NewDense(n+1, n+1, nil)
	for range doublings {
		s.product(1, now, now, 0, next)
		now, next = next, now
	}
	phases = make([]float64, n)
	absorbed = p.atom()
	for i, a := range p.Alpha {
		row := now.RawRowView(i)
		for j := range phases {
			phases[j] += a * row[j]
		}
		absorbed += a * row[n]
	}
	return phases, absorbed
}

// short is the matrix of transition probabilities over y mean times of the
// fastest rate, y <= 1/4, with the absorbing state last: exp(-y) times the
// series of y P, whose terms fall below 1e-18 after the fourteenth.
func (p PH) short(s *steps, fastest, y float64) *mat.Dense {
	n := len(p.Alpha)
	step := mat.NewDense(n+1, n+1, nil)
	for i, exit := range p.exits() {
		row := step.RawRowView(i)
		for j, rate := range p.A.RawRowView(i) {
			row[j] = rate / fastest
		}
		row[i] = max(0, 1+p.A.At(i, i)/fastest)
		row[n] = exit / fastest
	}
	step.Set(n, n, 1)
	now, next := mat.NewDense(n+1, n+1, nil), mat.NewDense(n+1, n+1, nil)
	for k := 14; k >= 0; k-- {
		if k < 14 {
			s.product(y/float64(k+1), step, now, 0, next)
			now, next = next, now
		}
		for i := range n + 1 {
			now.Set(i, i, now.At(i, i)+1)
		}
	}
	now.Scale(math.Exp(-y), now)
	return now
}
