package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Controlled is the mean of values with the help of control variates: other
// numbers of the same replications whose expectations are known. The part of
// the error that the controls explain linearly is taken away, and the interval
// is Student's with one degree of freedom less for every control (Lavenberg
// and Welch, Management Science 27, 1981). controls[k][r] is control k in
// replication r. Controls that do not vary are left out; with too few
// replications it is the plain mean.
func Controlled(values []float64, controls [][]float64, means []float64, level float64, method string) Estimate {
	n := len(values)
	var used [][]float64
	var centre []float64
	for k, c := range controls {
		var p Pair
		for _, v := range c {
			p.Add(v, 0)
		}
		if p.XX > 1e-24*(1+p.X*p.X)*float64(n) {
			used, centre = append(used, c), append(centre, means[k])
		}
	}
	k := len(used)
	if k == 0 || n < 2*(k+2) {
		return OfReplications(values, level, method)
	}
	// Regress the values on (1, c - E[c]): the intercept is the estimate.
	design := mat.NewDense(n, k+1, nil)
	for r := range n {
		design.Set(r, 0, 1)
		for j := range used {
			design.Set(r, j+1, used[j][r]-centre[j])
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
	if err := inverse.Inverse(&gram); err != nil {
		return OfReplications(values, level, method)
	}
	half := T(level, n-k-1) * math.Sqrt(rss/float64(n-k-1)*inverse.At(0, 0))
	return Estimate{Value: beta.AtVec(0), HalfWidth: half, Level: level, N: n, Method: method}
}
