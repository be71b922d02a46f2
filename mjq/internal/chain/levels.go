package chain

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// Repeat says that layers from one on are alike, and that moves lead from them one layer up
// or down at most. A chain is listed up to that layer, which stands for all above it.
type Repeat[S any] struct {
	From int
	// Shift is the state of the next layer, or with -1 of the one before, that a state of
	// the layers alike is like.
	Shift func(s S, by int) S
}

// repeat finds what follows a state of the layer that stands for all above it.
func (g *Graph[S, K]) repeat(ctx context.Context, from int32, enter func(next S, rate float64)) {
	r := g.rule.Repeat
	var up, same []Move
	g.rule.Moves(ctx, g.States[from], func(next S, rate float64) {
		switch g.rule.Layer(next) - r.From {
		case 1:
			up = append(up, Move{g.place(r.Shift(next, -1)), rate})
		case -1:
			same = append(same, Move{g.place(r.Shift(next, 1)), rate})
			enter(next, rate)
		default:
			enter(next, rate)
		}
	})
	g.up[from], g.same[from] = up, same
}

// QBD is the blocks of the layers that repeat, and of those below. The states of a layer
// stand in the order of layers.
func (g *Graph[S, K]) QBD() (mam.QBD, mam.Boundary) {
	l := g.ByLayer()
	n := g.rule.Repeat.From
	far := mam.QBD{Up: l.matrix(n, n, func(i int32) []Move { return g.up[i] }), Down: l.matrix(n, n, func(i int32) []Move { return g.same[i] }), Local: l.block(n, n)}
	Balance(far.Local, far.Up, far.Down)
	return far, mam.Boundary{Levels: n, At: func(k int) mam.Level {
		if k == n {
			return mam.Level{Down: l.block(k, k-1)}
		}
		b := mam.Level{Up: l.block(k, k+1), Local: l.block(k, k)}
		if k > 0 {
			b.Down = l.block(k, k-1)
		}
		Balance(b.Local, b.Up, b.Down)
		return b
	}}
}

// Balance sets the diagonal of a block so that the rows of all blocks sum to 0.
func Balance(local *mat.Dense, others ...*mat.Dense) *mat.Dense {
	for i := range local.RawMatrix().Rows {
		local.Set(i, i, 0)
		out := 0.0
		for _, m := range append(others, local) {
			if m != nil {
				out += mat.Sum(m.Slice(i, i+1, 0, m.RawMatrix().Cols))
			}
		}
		local.Set(i, i, -out)
	}
	return local
}
