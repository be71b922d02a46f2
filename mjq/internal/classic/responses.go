package classic

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// responses are the curves of response times by class from P(T > x), tilted by theta, the rate
// of their tails; 0 where these are no exponentials. They may have kinks at the ends of service
// times, and at others that are given.
func responses(q *Queue, after func(class int, x float64) float64, theta float64, others ...float64) ([]result.Curve, error) {
	n := len(q.Services)
	atoms, rates := make([]float64, n), make([]float64, n)
	scale, kinks := math.Inf(1), others
	for i, s := range q.Services {
		scale = min(scale, s.Mean())
		atoms[i], rates[i] = 1-after(i, 0), theta
		ends := []float64{s.Quantile(0), s.Quantile(1)}
		if theta == 0 { // and where nothing is left to tell
			ends = append(ends, s.Quantile(1-tolerance))
			rates[i] = 1 / s.Mean()
		}
		kinks = append(kinks, ends...)
	}
	kinks = ascending(kinks)
	curves, whole := estimate.FitCurves(func(x []float64) [][]float64 {
		out := make([][]float64, n)
		for i := range out {
			for _, x := range x {
				out[i] = append(out[i], math.Exp(theta*x)*after(i, x))
			}
		}
		return out
	}, theta, atoms, rates, scale, tolerance, kinks...)
	if !whole {
		return nil, errRough
	}
	return curves, nil
}
