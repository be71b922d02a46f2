package mam

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/lanes"
)

// sparseMatrix has a part of its numbers not 0, in some of its rows a tenth of that.
func sparseMatrix(r *rand.Rand, rows, cols int, part float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		p := part
		if r.IntN(3) == 0 {
			p /= 10
		}
		for j := range cols {
			if r.Float64() < p {
				m.Set(i, j, r.NormFloat64())
			}
		}
	}
	return m
}

// without runs f with the vector units switched off.
func without(f func()) {
	defer func(on bool) { lanes.On = on }(lanes.On)
	lanes.On = false
	f()
}

// TestProducts: against the sum as it is defined, and against the twin to the last bit, on
// shapes that fill tiles and that do not.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		n, m, k := 1+r.IntN(70), 1+r.IntN(70), 1+r.IntN(300)
		part := []float64{0.05, 0.5, 1}[r.IntN(3)]
		a, b, c := sparseMatrix(r, n, k, part), sparseMatrix(r, k, m, 1), sparseMatrix(r, n, m, 1)
		alpha, beta := []float64{1, -1, 0.3}[r.IntN(3)], float64(r.IntN(2))
		got, twin := mat.DenseCopyOf(c), mat.DenseCopyOf(c)
		startSteps().product(alpha, a, b, beta, got)
		without(func() { startSteps().product(alpha, a, b, beta, twin) })
		for i := range n {
			for j := range m {
				want, size := beta*c.At(i, j), math.Abs(c.At(i, j))
				for l := range k {
					want += alpha * a.At(i, l) * b.At(l, j)
					size += math.Abs(a.At(i, l) * b.At(l, j))
				}
				if math.Abs(got.At(i, j)-want) > 1e-15*float64(k)*size {
					t.Fatalf("%d by %d by %d: %v, want %v", n, k, m, got.At(i, j), want)
				}
				if math.Float64bits(got.At(i, j)) != math.Float64bits(twin.At(i, j)) {
					t.Fatalf("%d by %d by %d: %v by vectors, %v by the twin", n, k, m, got.At(i, j), twin.At(i, j))
				}
			}
		}
	}
}
