package result

import "math"

// Count describes a random number of jobs at a random time. It is empty where a
// method does not give it.
type Count struct {
	Factorial []float64 // E[N], E[N(N-1)], E[N(N-1)(N-2)], ...
	P         []float64 // P(N = 0), P(N = 1), ...
	Decay     float64   // P(N = n+1) / P(N = n) in the limit of large n
}

// Moment is E[N^k] for k from 1 to len(Factorial); NaN otherwise.
func (c Count) Moment(k int) float64 {
	if k < 1 || k > len(c.Factorial) {
		return math.NaN()
	}
	// Stirling numbers of the second kind, S(k, j), row by row.
	row := []float64{1}
	for n := 1; n <= k; n++ {
		next := make([]float64, n+1)
		for j := 1; j <= n; j++ {
			next[j] = row[j-1]
			if j < len(row) {
				next[j] += float64(j) * row[j]
			}
		}
		row = next
	}
	sum := 0.0
	for j := 1; j <= k; j++ {
		sum += row[j] * c.Factorial[j-1]
	}
	return sum
}

// Variance is Var[N].
func (c Count) Variance() float64 { return c.Moment(2) - c.Moment(1)*c.Moment(1) }

// Probability is P(N = n): from the list, and beyond it by the decay, which is
// then only approximate.
func (c Count) Probability(n int) float64 {
	last := len(c.P) - 1
	switch {
	case last < 0:
		return math.NaN()
	case n < 0:
		return 0
	case n <= last:
		return c.P[n]
	}
	return c.P[last] * math.Pow(c.Decay, float64(n-last))
}
