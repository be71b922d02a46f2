package policychain

import (
	"context"
	"errors"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// explorer finds the states that can be reached with at most a number of jobs, and
// their transitions. If it is endless, the last level stands for all from it on; else
// arrivals there are lost.
type explorer struct {
	*Queue
	*chain.Graph[*state, name]
	endless bool
	most    int     // jobs
	limit   int     // most states of a level
	bytes   float64 // most memory
}

// A chain takes about bytesPerState for each state and bytesPerArrow for each transition while
// it is explored and solved. Under a policy that looks at all jobs states with many jobs have
// many transitions.
const bytesPerState, bytesPerArrow = 600, 40

// name tells states apart.
type name struct {
	line int
	key  string
}

func (s *state) name() name { return name{s.line, s.key()} }

// grow goes on to a larger number of jobs. It fails with *chain.TooLarge and with the cause of
// the end of ctx.
func (x *explorer) grow(ctx context.Context, most int) (err error) {
	old := x.most
	x.most = most
	limits := chain.Limits{InLayer: x.limit, Bytes: x.bytes, PerState: bytesPerState, PerMove: bytesPerArrow}
	if x.Graph == nil {
		x.Graph, err = chain.Explore(ctx, x.chain(), limits, x.empty())
	} else {
		// From there on a batch had no room.
		err = x.Grow(ctx, limits, func(s *state) bool { n := s.total(); return n <= old && n > old-x.input.largest() })
	}
	var e *chain.TooLarge
	switch {
	case !errors.As(err, &e):
		return err
	case e.Layer < 0:
		return large(e.States, e.Bytes, "there are more with up to %d jobs, and %.2g MB are allowed", most, x.bytes/1e6)
	case x.endless:
		e.Bytes = denseBytes(int(e.States))
	}
	return large(e.States, e.Bytes, "the policy tells more than %d states with %d jobs apart", x.limit, e.Layer)
}

// chain is what follows a state.
func (x *explorer) chain() chain.Rule[*state, name] {
	r := chain.Rule[*state, name]{Key: (*state).name, Layer: (*state).total,
		Moves: func(ctx context.Context, s *state, to func(*state, float64)) {
			down, local := x.services(ctx, s)
			room := mostBatch
			if !x.endless {
				room = x.most - s.total()
			}
			for _, list := range [][]flow{local, down, x.arrivals(ctx, s, room)} {
				for _, f := range list {
					to(f.to, f.rate)
				}
			}
		}}
	if x.endless {
		r.Repeat = &chain.Repeat[*state]{From: x.most, Shift: func(s *state, by int) *state {
			t := s.clone()
			t.line += by
			return t
		}}
	}
	return r
}

// level is how many states there are with a number of jobs, and how many transitions each has
// on average, those upward left out.
func (x *explorer) level(jobs int) (states, each float64) {
	moves := 0.0
	for i, l := range x.Layers {
		if int(l) != jobs {
			continue
		}
		states++
		for _, m := range x.Moves[i] {
			if x.Layers[m.To] <= l {
				moves++
			}
		}
	}
	return states, (moves + states) / math.Max(1, states)
}
