package estimate

import "math"

// Batch is the number, the sum and the sum of squares of what was observed in
// one batch or replication.
type Batch struct{ N, X, X2 float64 }

// OfBatches estimates mean and variance as ratios of sums over batches whose
// numbers of observations are random, with Student intervals by the delta
// method. effective is the number of independent observations that would give
// the mean the same error. One batch has no interval; without observations all
// is unknown.
func OfBatches(batches []Batch, level float64, method string) (mean, variance Estimate, effective float64) {
	var sum Batch
	for _, b := range batches {
		sum.N += b.N
		sum.X += b.X
		sum.X2 += b.X2
	}
	if sum.N == 0 {
		return Unknown(), Unknown(), math.NaN()
	}
	m, second := sum.X/sum.N, sum.X2/sum.N
	var ofMean, ofVariance float64 // squared influences
	for _, b := range batches {
		dm := b.X - m*b.N
		dv := b.X2 - second*b.N - 2*m*dm
		ofMean += dm * dm
		ofVariance += dv * dv
	}
	n := len(batches)
	se := func(squares float64) float64 { return math.Sqrt(squares*float64(n)/float64(n-1)) / sum.N }
	student := T(level, n-1)
	mean = Estimate{Value: m, HalfWidth: student * se(ofMean), Level: level, N: n, Method: method}
	variance = Estimate{Value: max(0, second-m*m), HalfWidth: student * se(ofVariance), Level: level, N: n, Method: method}
	return mean, variance, variance.Value / (se(ofMean) * se(ofMean))
}
