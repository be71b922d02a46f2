package replicate

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Ratio estimates E[num]/E[den], a number of some kind, from batches of paths that are worth so
// much; unknown if the denominators are 0. Shares and events have Student's interval, which
// estimate.FewEvents replaces where they are few.
func Ratio(kind estimate.Kind, num, den []float64, worth estimate.Worth, level float64, method string) result.Estimate {
	total := sum(den)
	if total == 0 {
		return result.Unknown()
	}
	value := sum(num) / total
	if value == 0 && len(num) > 1 && !slices.ContainsFunc(num, func(x float64) bool { return x != 0 }) {
		return result.Estimate{Level: level, N: len(num), Method: method} // as of killed jobs, with thousands of classes
	}
	var buffer [64]float64 // on the stack: lists of thousands of classes would be collected
	influence := buffer[:0]
	for b := range num {
		influence = append(influence, num[b]-value*den[b])
	}
	if kind == estimate.Amount {
		return estimate.Interval(value, influence, total, level, estimate.OfMean, worth, method)
	}
	return estimate.Plain(value, influence, total, level, method)
}

// RatioOf is Ratio of what num and den find in each batch.
func RatioOf[B any](kind estimate.Kind, batches []B, num, den func(b *B) float64, worth estimate.Worth, level float64, method string) result.Estimate {
	x, y := make([]float64, len(batches)), make([]float64, len(batches))
	for b := range batches {
		x[b], y[b] = num(&batches[b]), den(&batches[b])
	}
	return Ratio(kind, x, y, worth, level, method)
}

// Lag1 is the correlation of the means of successive batches, which hold the same
// number of observations; NaN if they are too few or all the same.
func Lag1(means []float64) float64 {
	var mean, both, squares float64
	for _, x := range means {
		mean += x / float64(len(means))
	}
	for i, x := range means {
		d := x - mean
		squares += d * d
		if i > 0 {
			both += d * (means[i-1] - mean)
		}
	}
	return both / squares
}

// Join makes one batch of every two, of which there must be an even number. Batches of
// a run that goes on so get longer and less correlated, and their number stays
// bounded (Law and Carson, Operations Research 27, 1979).
func Join[B any](batches []B, join func(one *B, two *B)) []B {
	n := len(batches) / 2
	for i := range n {
		one := batches[2*i]
		join(&one, &batches[2*i+1])
		batches[i] = one
	}
	return batches[:n]
}

func sum(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += x
	}
	return total
}
