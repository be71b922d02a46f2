package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// Batch is the number, the sum and the sum of squares of what was observed in
// one batch or replication.
type Batch struct{ N, X, X2 float64 }

// usualBatches is for how many lists need no memory of their own.
const usualBatches = 64

// OfBatches estimates mean and variance as ratios of sums over batches whose
// numbers of observations are random, with intervals by the delta method; see
// Interval. One batch has no interval; without observations all is unknown.
func OfBatches(batches []Batch, level float64, method string) (mean, variance result.Estimate, of Worth) {
	var sum Batch
	for _, b := range batches {
		sum.N += b.N
		sum.X += b.X
		sum.X2 += b.X2
	}
	if sum.N == 0 {
		return result.Unknown(), result.Unknown(), Worth{math.NaN(), math.NaN()}
	}
	m, second := sum.X/sum.N, sum.X2/sum.N
	var room [2][usualBatches]float64 // lists of thousands of classes would be collected
	onMean, onVariance := room[0][:0], room[1][:0]
	squares := 0.0
	for _, b := range batches {
		x := b.X - m*b.N
		onMean, onVariance = append(onMean, x), append(onVariance, b.X2-second*b.N-2*m*x)
		squares += x * x
	}
	v, n := max(0, second-m*m), float64(len(batches))
	worth := worth(m, v, squares*n/(n-1)/(sum.N*sum.N))
	mean = Interval(m, onMean, sum.N, level, OfMean, worth, method)
	variance = Interval(v, onVariance, sum.N, level, OfVariance, worth, method)
	return mean, variance, worth
}

// worthOf is the mean that OfBatches estimates, without its interval, and what it is worth.
func worthOf(batches []Batch) (mean float64, of Worth) {
	var sum Batch
	for _, b := range batches {
		sum.N += b.N
		sum.X += b.X
		sum.X2 += b.X2
	}
	m, squares, n := sum.X/sum.N, 0.0, float64(len(batches))
	for _, b := range batches {
		x := b.X - m*b.N
		squares += x * x
	}
	return m, worth(m, max(0, sum.X2/sum.N-m*m), squares*n/(n-1)/(sum.N*sum.N))
}
