package chain

import "gonum.org/v1/gonum/mat"

// LevelLaw is a stationary law.
type LevelLaw struct {
	Levels [][]float64 // by level and state; those above go on by the tail
	Decay  float64     // far out each level is so many times the one before
	Mean   float64     // level
	Error  float64     // of Mean, relative: a bound in practice; see bound.go
	Tail   float64     // what the levels above the last listed contribute to Error
	Sweeps int
	tail   *tail
}

// Beyond is the probabilities of so many levels above those listed.
func (l *LevelLaw) Beyond(most int) []float64 {
	out := make([]float64, max(most, 0))
	z, sums := l.tail.coefficients(l.Levels[len(l.Levels)-1]), l.tail.sums()
	for j := range out {
		z = l.tail.next(z)
		out[j] = dot(z, sums)
	}
	return out
}

// Tails are Σ_j j(j-1)...(j-k+1) π_{top+j}, j from 1, for k below the given number, top
// being the last level listed.
func (l *LevelLaw) Tails(most int) ([][]float64, error) {
	n := len(l.tail.basis)
	rest := mat.NewDense(n, n, nil)
	for i := range n {
		rest.Set(i, i, 1)
	}
	rest.Sub(rest, l.tail.r)
	var lu mat.LU
	lu.Factorize(rest)
	top := l.Levels[len(l.Levels)-1]
	z := l.tail.next(l.tail.coefficients(top))
	out := make([][]float64, most)
	for k := range out { // k! R^max(k,1) (1-R)^{-k-1}
		if k > 1 {
			z = l.tail.next(z)
			scale(z, float64(k))
		}
		sum := mat.NewVecDense(n, nil)
		if err := lu.SolveVecTo(sum, true, mat.NewVecDense(n, z)); singular(err) {
			return nil, err
		}
		z = sum.RawVector().Data
		out[k] = make([]float64, len(top))
		l.tail.combine(z, out[k])
	}
	return out, nil
}
