package chain

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Layers is a chain with its states in the order of their layers.
type Layers struct {
	*Chain
	Order  []int32 // states
	Starts []int   // by layer, the place of its first state, and one more
	place  []int32 // by state
}

// ByLayer puts the states in the order of their layers, and else in that of their numbers.
func (c *Chain) ByLayer() *Layers {
	n := len(c.Moves)
	l := &Layers{Chain: c, Order: make([]int32, n), place: make([]int32, n)}
	for i := range l.Order {
		l.Order[i] = int32(i)
	}
	if c.Layers != nil && !slices.IsSorted(c.Layers) {
		slices.SortStableFunc(l.Order, func(a, b int32) int { return int(c.Layers[a] - c.Layers[b]) })
	}
	for at, i := range l.Order {
		l.place[i] = int32(at)
		for len(l.Starts) <= l.layer(at) {
			l.Starts = append(l.Starts, at)
		}
	}
	l.Starts = append(l.Starts, n)
	return l
}

// layer is that of the state at a place.
func (l *Layers) layer(at int) int {
	if l.Layers == nil {
		return 0
	}
	return int(l.Layers[l.Order[at]])
}

// Layer is the states of a layer.
func (l *Layers) Layer(n int) []int32 { return l.Order[l.Starts[n]:l.Starts[n+1]] }

// reach is how many layers a move goes up and down at most.
func (l *Layers) reach() (up, down int) {
	for i, moves := range l.Moves {
		from := l.layer(int(l.place[i]))
		for _, m := range moves {
			d := l.layer(int(l.place[m.To])) - from
			up, down = max(up, d), max(down, -d)
		}
	}
	return up, down
}

// block is the rates from a layer to another.
func (l *Layers) block(from, to int) *mat.Dense {
	return l.matrix(from, to, func(i int32) []Move { return l.Moves[i] })
}

// matrix is rates from the states of a layer to those of another.
func (l *Layers) matrix(from, to int, of func(i int32) []Move) *mat.Dense {
	lo, hi := l.Starts[to], l.Starts[to+1]
	m := mat.NewDense(l.Starts[from+1]-l.Starts[from], hi-lo, nil)
	for at, i := range l.Layer(from) {
		for _, e := range of(i) {
			if j := int(l.place[e.To]); j >= lo && j < hi {
				m.Set(at, j-lo, m.At(at, j-lo)+e.Rate)
			}
		}
	}
	return m
}
