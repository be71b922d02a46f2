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
	*compiled
	*chain.Graph[string, string]
	begin            []float64 // probabilities of the states at the start, which have the first numbers
	line, jobs, idle []int     // by state: jobs that wait, and all; servers
}

// follow explores the chain from the start.
func (s *System) follow(ctx context.Context, start Start, jobs, most int) (*followed, error) {
	own := *s
	own.Room = math.MaxInt
	c := &followed{compiled: own.compile()}
	c.given = start.Line
	first := c.enter(start)
	c.begin = first.Weights
	var x state
	rule := chain.Rule[string, string]{Key: same,
		Moves: func(_ context.Context, key string, to func(string, float64)) {
			c.read(key, &x)
			c.services(&x, func(s *state, rate float64) { to(c.key(s), rate) })
		},
		Driven: func(_ context.Context, key string, to func(string, float64)) {
			if c.read(key, &x); x.jobs() < jobs {
				c.come(&x, 1, states.Open, 1, func(s *state, p float64) { to(c.key(s), p) }, nil, nil)
			}
		}}
	var err error
	c.Graph, err = chain.Explore(ctx, rule, chain.Limits{States: most}, first.States...)
	if large := new(chain.TooLarge); errors.As(err, &large) {
		return nil, chain.Large(large.States, 0, "the chain of up to %d jobs has more than %d states", jobs, most).Out("simulate, or allow more by MaxBytes")
	} else if err != nil {
		return nil, err
	}
	for _, key := range c.States {
		c.read(key, &x)
		c.line, c.jobs, c.idle = append(c.line, x.line()), append(c.jobs, x.jobs()), append(c.idle, c.free(&x))
	}
	return c, nil
}

// enter is the states at the start.
func (c *followed) enter(start Start) (out chain.Weighted[string, string]) {
	x := state{served: make([]int, len(c.phases)), known: c.given}
	key := c.compiled.key(&x)
	var now chain.Weighted[string, string]
	now.Add(key, key, 1)
	for _, r := range start.Running {
		var next chain.Weighted[string, string]
		now.Each(func(key string, weight float64) {
			c.read(key, &x)
			for p, alpha := range r.Alpha {
				if alpha > 0 {
					x.served[c.lo[r.Class]+p]++
					key := c.key(&x)
					next.Add(key, key, weight*alpha)
					x.served[c.lo[r.Class]+p]--
				}
			}
		})
		now = next
	}
	now.Each(func(key string, weight float64) {
		c.read(key, &x)
		c.fill(&x, c.free(&x), nothing, weight, func(s *state, weight float64) {
			key := c.key(s)
			out.Add(key, key, weight)
		})
	})
	return out
}

// law is that at the start.
func (c *followed) law() []float64 {
	return append(slices.Clone(c.begin), make([]float64, len(c.States)-len(c.begin))...)
}
