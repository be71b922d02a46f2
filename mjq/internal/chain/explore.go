package chain

import (
	"context"
	"slices"
)

// Rule says what a chain does.
type Rule[S any, K comparable] struct {
	Key   func(s S) K   // tells states apart
	Layer func(s S) int // nil: all are in one
	// Moves calls to with every state that the chain goes to from a state, and the rate. A
	// state may come more than once; one that comes from itself is left out. Once ctx has
	// ended states may be missing.
	Moves func(ctx context.Context, s S, to func(next S, rate float64))
	// Driven does so with the probabilities of where an event leads whose rate is given
	// later; a state may come from itself. nil: there are none.
	Driven func(ctx context.Context, s S, to func(next S, p float64))
	Stop   func(s S) bool // whether the chain stops as it gets to a state, which is not listed; nil: it never does
	Repeat *Repeat[S]     // nil: no layers repeat
}

// Graph is a chain that was explored, with its states.
type Graph[S any, K comparable] struct {
	Chain
	States  []S
	rule    Rule[S, K]
	number  map[K]int32
	inLayer []int // states
	widest  int   // the layer with most states
	moves   int
	next    []Move // of the state at work

	up, same map[int32][]Move // of the layer that repeats: moves to the one above, and from the one above, as moves to states of its own
}

// Explore lists the states that a chain can reach from its first ones, which get the first
// numbers, in the order in which they are found. It fails with *TooLarge, and with the cause
// of the end of ctx.
func Explore[S any, K comparable](ctx context.Context, r Rule[S, K], most Limits, first ...S) (*Graph[S, K], error) {
	g := &Graph[S, K]{rule: r, number: map[K]int32{}, up: map[int32][]Move{}, same: map[int32][]Move{}}
	for _, s := range first {
		g.place(s)
	}
	return g, g.Grow(ctx, most, nil)
}

// Grow explores on, where the rule has changed for the states that changed names.
func (g *Graph[S, K]) Grow(ctx context.Context, most Limits, changed func(s S) bool) error {
	old := len(g.Moves)
	for i := 0; i < len(g.States); i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if i%1024 == 0 && most.ReportStates != nil {
			most.ReportStates(len(g.States))
		}
		switch {
		case i >= old:
			g.Moves = append(g.Moves, nil)
			if g.rule.Driven != nil {
				g.Driven = append(g.Driven, nil)
			}
			if g.rule.Stop != nil {
				g.Stop = append(g.Stop, 0)
			}
		case changed == nil || !changed(g.States[i]):
			continue
		}
		g.expand(ctx, i)
		if err := g.fits(most); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// Number is the number of a state; ok is false if the chain does not have it.
func (g *Graph[S, K]) Number(s S) (i int32, ok bool) {
	i, ok = g.number[g.rule.Key(s)]
	return i, ok
}

// Size is how many states and moves were found.
func (g *Graph[S, K]) Size() (states, moves int) { return len(g.States), g.moves }

// place is the number of a state, which is listed if it is new.
func (g *Graph[S, K]) place(s S) int32 {
	key := g.rule.Key(s)
	i, known := g.number[key]
	if known {
		return i
	}
	i = int32(len(g.States))
	g.number[key] = i
	g.States = append(g.States, s)
	if g.rule.Layer != nil {
		l := g.rule.Layer(s)
		g.Layers = append(g.Layers, int32(l))
		for len(g.inLayer) <= l {
			g.inLayer = append(g.inLayer, 0)
		}
		if g.inLayer[l]++; g.inLayer[l] > g.inLayer[g.widest] {
			g.widest = l
		}
	}
	return i
}

// expand finds what follows a state.
func (g *Graph[S, K]) expand(ctx context.Context, i int) {
	s := g.States[i]
	g.moves -= len(g.Moves[i])
	g.Moves[i] = g.list(int32(i), func(enter func(next S, rate float64)) {
		switch far := g.rule.Repeat; {
		case g.rule.Stop != nil:
			g.Stop[i] = 0
			g.rule.Moves(ctx, s, func(next S, rate float64) {
				if g.rule.Stop(next) {
					g.Stop[i] += rate
				} else {
					enter(next, rate)
				}
			})
		case far != nil && int(g.Layers[i]) == far.From:
			g.repeat(ctx, int32(i), enter)
		default:
			g.rule.Moves(ctx, s, enter)
		}
	})
	if g.rule.Driven != nil {
		g.moves -= len(g.Driven[i])
		g.Driven[i] = g.list(-1, func(enter func(next S, p float64)) { g.rule.Driven(ctx, s, enter) })
	}
}

// list is the moves that something enters, but for those to a state.
func (g *Graph[S, K]) list(but int32, of func(enter func(next S, rate float64))) []Move {
	g.next = g.next[:0]
	of(func(next S, rate float64) {
		if to := g.place(next); to != but && rate > 0 {
			g.next = append(g.next, Move{to, rate})
		}
	})
	g.moves += len(g.next)
	return slices.Clone(g.next)
}

// fits checks the limits.
func (g *Graph[S, K]) fits(most Limits) error {
	n := len(g.States)
	if most.States > 0 && n > most.States {
		return Large(float64(most.States), 0, "the chain has more than %.4g states", float64(most.States))
	}
	if bytes := most.PerState*float64(n) + most.PerMove*float64(g.moves); bytes > most.Bytes {
		return Sized(float64(n), bytes, float64(g.moves))
	}
	if most.InLayer > 0 && g.inLayer[g.widest] > most.InLayer {
		n := float64(g.inLayer[g.widest])
		e := Large(n, most.PerState*n, "the chain has %.4g states with as many jobs", n)
		e.Layer = g.widest
		return e
	}
	return nil
}
