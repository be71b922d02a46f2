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
	sum, m, worth := summed(batches)
	if sum.N == 0 {
		return result.Unknown(), result.Unknown(), Worth{math.NaN(), math.NaN()}
	}
	second := sum.X2 / sum.N
	var buffer [2][usualBatches]float64 // on the stack: lists of thousands of classes would be collected
	onMean, onVariance := buffer[0][:0], buffer[1][:0]
	for _, b := range batches {
		x := b.X - m*b.N
		onMean, onVariance = append(onMean, x), append(onVariance, b.X2-second*b.N-2*m*x)
	}
	mean = Interval(m, onMean, sum.N, level, OfMean, worth, method)
	variance = Interval(max(0, second-m*m), onVariance, sum.N, level, OfVariance, worth, method)
	return mean, variance, worth
}

// OfBatches estimates the mean of a number of the kind as the function of that name does; shares and
// events have Student's interval, for FewEvents.
func (k Kind) OfBatches(batches []Batch, level float64, method string) result.Estimate {
	if k == Amount {
		mean, _, _ := OfBatches(batches, level, method)
		return mean
	}
	sum, m, _ := summed(batches)
	if sum.N == 0 {
		return result.Unknown()
	}
	var influence []float64
	for _, b := range batches {
		influence = append(influence, b.X-m*b.N)
	}
	return Plain(m, influence, sum.N, level, method)
}

// summed returns the sums over all batches, their mean, and what the batches tell of it. Mean and
// worth are NaN without observations.
func summed(batches []Batch) (sum Batch, mean float64, of Worth) {
	for _, b := range batches {
		sum.N += b.N
		sum.X += b.X
		sum.X2 += b.X2
	}
	mean = sum.X / sum.N
	squares, n := 0.0, float64(len(batches))
	for _, b := range batches {
		x := b.X - mean*b.N
		squares += x * x
	}
	return sum, mean, worth(mean, max(0, sum.X2/sum.N-mean*mean), squares*n/(n-1)/(sum.N*sum.N))
}
