package chain

import "gonum.org/v1/gonum/mat"

// Directions are the levels above those listed, as the tail has them: the j-th of these
// has the coefficients First R^(j-1) of some directions.
type Directions struct {
	R     *mat.Dense
	First []float64
	Sums  []float64   // of the directions
	Down  [][]float64 // what each brings to the level below
}

// Directions are those of the law.
func (l *LevelLaw) Directions() Directions {
	first := l.tail.next(l.tail.coefficients(l.Levels[len(l.Levels)-1]))
	return Directions{R: l.tail.r, First: first, Sums: l.tail.sums(), Down: l.tail.down}
}
