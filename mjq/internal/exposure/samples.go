package exposure

import "math"

// Samples is what independent samples of the wait can know: its moments are about those of
// a single server that is held up by the same jobs (Takács).
type Samples struct {
	N     float64
	waits [9]float64 // E[W^k]
}

// Samples is what n independent samples can know. A sample falls into the time that a job
// holds up the queue as often as jobs come in that time.
func (e *Exposure) Samples(n float64) *Samples {
	var all moments
	e.held.each(func(size float64) float64 { return n * math.Max(1, size*e.busy()) }, func(size float64, c *cell) { all.add(size, &c.held) })
	s := &Samples{N: n}
	s.waits[0] = 1
	rate := 1 / (1 - e.load) // the unit of time is that between two arrivals
	for k := 1; k < len(s.waits); k++ {
		binomial := 1.0
		power := e.load
		for i := 1; i <= k; i++ {
			binomial *= float64(k-i+1) / float64(i)
			power *= e.load
			s.waits[k] += rate * binomial * all[len(all)-1][i+1] * power / float64(i+1) * s.waits[k-i]
		}
	}
	return s
}

// Effective is how many independent observations of the k-th power of the wait there are:
// n E[W^k]²/E[W^2k].
func (s *Samples) Effective(k int) float64 {
	if s.waits[2*k] == 0 {
		return math.Inf(1)
	}
	return s.N * s.waits[k] * s.waits[k] / s.waits[2*k]
}

// Shape is the squared skewness and the excess kurtosis of the average of the k-th power.
func (s *Samples) Shape(k int) (skewness2, kurtosis float64) {
	w := &s.waits
	if w[2*k] == 0 || 4*k >= len(w) {
		return 0, 0
	}
	return w[3*k] * w[3*k] / (w[2*k] * w[2*k] * w[2*k]) / s.N, w[4*k] / (w[2*k] * w[2*k]) / s.N
}
