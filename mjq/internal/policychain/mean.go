package policychain

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// mean is the mean service time, -α A⁻¹ 1.
func mean(c states.Class) float64 {
	n := len(c.Alpha)
	a, one := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for i, row := range c.A {
		for j, v := range row {
			a.Set(i, j, -v)
		}
		one.SetVec(i, 1)
	}
	var x mat.VecDense
	if x.SolveVec(a, one) != nil && x.Len() == 0 {
		return 0
	}
	return mat.Dot(mat.NewVecDense(n, c.Alpha), &x)
}
