package queue

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Start is a state, given in probabilities: of each job in service its class and the law
// of its phase.
type Start struct {
	Running []Running
	Line    []int // classes
}

// Running is a job in service.
type Running struct {
	Class int
	Alpha []float64
}

// followed is the chain of a queue without a room that is followed through time, with so many
// jobs at most. It is driven by the arrivals.
type followed struct {
	*chained
	*chain.Graph[State, State]
	pool                   *pool
	begin                  []float64 // probabilities of the states at the start, which have the first numbers
	waiting, present, idle []int     // by state: jobs that wait, and all; servers
}

// follow explores the chain from the start.
func (s *System) follow(ctx context.Context, start Start, jobs, most int) (*followed, error) {
	own := *s
	own.Room = math.MaxInt
	c := &followed{chained: own.compile()}
	c.pool = c.place.(*pool)
	first := c.enter(start)
	c.begin = first.Weights
	rule := chain.Rule[State, State]{Key: same,
		Moves: func(_ context.Context, s State, to func(State, float64)) { c.services(s, to) },
		Driven: func(_ context.Context, s State, to func(State, float64)) {
			if c.jobs(s) < jobs {
				c.come(s, 1, states.Open, 1, to, nil, nil)
			}
		}}
	var err error
	c.Graph, err = chain.Explore(ctx, rule, chain.Limits{States: most}, first.States...)
	if large := new(chain.TooLarge); errors.As(err, &large) {
		return nil, chain.Large(large.States, 0, "the chain of up to %d jobs has more than %d states", jobs, most).Out("simulate, or allow more by MaxBytes")
	} else if err != nil {
		return nil, err
	}
	for _, s := range c.States {
		c.waiting, c.present, c.idle = append(c.waiting, c.line(s)), append(c.present, c.jobs(s)), append(c.idle, c.place.Free(s.at))
	}
	return c, nil
}

// enter is the states at the start.
func (c *followed) enter(start Start) (out chain.Weighted[State, State]) {
	x := State{at: c.pool.Empty(), known: c.lines.given(start.Line)}
	var now chain.Weighted[State, State]
	now.Add(x, x, 1)
	for _, r := range start.Running {
		var next chain.Weighted[State, State]
		now.Each(func(x State, weight float64) {
			from := x.at
			for p, alpha := range r.Alpha {
				if alpha > 0 {
					x.at = c.pool.changed(from, -1, c.pool.lo[r.Class]+p)
					next.Add(x, x, weight*alpha)
				}
			}
		})
		now = next
	}
	now.Each(func(x State, weight float64) {
		c.fill(x, nothing, weight, func(s State, weight float64) { out.Add(s, s, weight) })
	})
	return out
}

// law is that at the start.
func (c *followed) law() []float64 {
	return append(slices.Clone(c.begin), make([]float64, len(c.States)-len(c.begin))...)
}
