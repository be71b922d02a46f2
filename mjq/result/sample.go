package result

import (
	"fmt"
	"math"
)

// Mean returns the mean of independent values with Student's 95 % interval, which is unknown for
// fewer than two of them. Without values the mean is unknown.
func Mean(values ...float64) Estimate {
	n := float64(len(values))
	if n == 0 {
		return Unknown()
	}
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	const level = 0.95
	return Estimate{Value: mean, HalfWidth: StudentT(level, len(values)-1) * math.Sqrt(squares/n/(n-1)), Level: level, N: len(values)}
}

// Times returns the estimate in another unit: both its value and its interval times c.
func (e Estimate) Times(c float64) Estimate {
	if e.Known() {
		e.Value, e.HalfWidth = c*e.Value, math.Abs(c)*e.HalfWidth
	}
	return e
}

// Times returns the measure in another unit, as Estimate.Times does: MeanWait("").Times(1./60) has
// minutes where the result has seconds.
func (of Measure) Times(c float64) Measure {
	return func(r *Result) Estimate { return of(r).Times(c) }
}

// Distance returns the largest difference between the distribution functions of two metrics, as
// Kolmogorov's test takes it, over 4000 equal steps up to the 0.9999-quantile of the second.
func (m *Metric) Distance(from *Metric) (d float64) {
	const steps = 4000
	top := from.Quantile(0.9999).Value
	for k := range steps + 1 {
		x := top * float64(k) / steps
		d = max(d, math.Abs(m.CDF(x).Value-from.CDF(x).Value))
	}
	return d
}

// Names returns what things call themselves, such as policies in the rows of a table.
func Names[T fmt.Stringer](things ...T) []string {
	names := make([]string, len(things))
	for i, x := range things {
		names[i] = x.String()
	}
	return names
}
