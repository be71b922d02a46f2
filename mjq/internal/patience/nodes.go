package patience

import "gonum.org/v1/gonum/integrate/quad"

// nodes and weights are of Gauss's formula of ten points on [-1, 1].
var nodes, weights = gaussian(10)

func gaussian(n int) (x, w []float64) {
	x, w = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(x, w, -1, 1)
	return x, w
}
