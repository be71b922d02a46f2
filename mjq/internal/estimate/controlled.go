package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// each is how many replications there must be for every control variate. With
// fewer their coefficients cost more than they explain.
const each = 6

// unlikely is the probability at which controls are dismissed: if their averages
// lie so far from their expectations, something that matters has not been seen,
// and the line through what has been seen does not lead there.
const unlikely = 1e-6

// Controlled is the mean of values with the help of control variates: other
// numbers of the same replications whose expectations are known, those that
// explain most first. The part of the error that the controls explain linearly is
// taken away, and the interval is Student's with one degree of freedom less for
// every control (Lavenberg and Welch, Management Science 27, 1981). Controls that
// do not vary are left out, and so are those beyond one for every six
// replications. It is the plain mean if the averages of the controls are further
// from their expectations than chance lets them be once in a million times
// (Hotelling's T²), for then the coefficients would extrapolate.
func Controlled(values []float64, controls [][]float64, means []float64, level float64, method string) result.Estimate {
	n := len(values)
	var used [][]float64
	var centre, scale []float64
	for k, c := range controls {
		var p Pair
		for _, v := range c {
			p.Add(v, 0)
		}
		if len(used) < n/each && p.XX > 1e-24*p.X*p.X*float64(n) {
			used, centre = append(used, c), append(centre, means[k])
			_, e := math.Frexp(math.Sqrt(p.XX / float64(n)))
			scale = append(scale, math.Ldexp(1, -e)) // or the unit of time would decide what can be inverted
		}
	}
	k := len(used)
	if k == 0 {
		return OfReplications(values, level, method)
	}
	// Regress the values on (1, c - E[c]): the intercept is the estimate.
	design := mat.NewDense(n, k+1, nil)
	for r := range n {
		design.Set(r, 0, 1)
		for j := range used {
			design.Set(r, j+1, (used[j][r]-centre[j])*scale[j])
		}
	}
	y := mat.NewVecDense(n, append([]float64(nil), values...))
	var qr mat.QR
	qr.Factorize(design)
	var beta mat.VecDense
	if err := qr.SolveVecTo(&beta, false, y); err != nil {
		return OfReplications(values, level, method)
	}
	var fitted mat.VecDense
	fitted.MulVec(design, &beta)
	rss := 0.0
	for r := range n {
		e := values[r] - fitted.AtVec(r)
		rss += e * e
	}
	var gram, inverse mat.Dense
	gram.Mul(design.T(), design)
	if err := inverse.Inverse(&gram); err != nil || afar(inverse.At(0, 0), n, k) {
		return OfReplications(values, level, method)
	}
	half := result.StudentT(level, n-k-1) * math.Sqrt(rss/float64(n-k-1)*inverse.At(0, 0))
	return result.Estimate{Value: beta.AtVec(0), HalfWidth: half, Level: level, N: n, Method: method}
}

// afar reports whether the averages of k controls over n replications are unlikely
// to have the expectations that they are said to have, by Hotelling's test. The
// corner of the inverse of the regression is (1 + T²/(n-1))/n, by the formula for
// the inverse of a bordered matrix.
func afar(corner float64, n, k int) bool {
	ratio := (float64(n)*corner - 1) * float64(n-k) / float64(k)
	return distuv.F{D1: float64(k), D2: float64(n - k)}.Survival(ratio) < unlikely
}
