package nodes

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// queue is a queue in front of the cluster, whose classes are the kinds.
func (c *cluster) queue(q queue.System) *queue.System {
	q.Place, q.Servers, q.Classes = c, c.Nodes*c.Units, nil
	for _, k := range c.kinds {
		q.Classes = append(q.Classes, queue.Class{Class: states.Class{Need: k.units, Prob: k.Prob, Alpha: []float64{1}}})
	}
	return &q
}

// Room is a solved queue that lets in a limited number of jobs, or whose jobs give up.
type Room struct {
	*Measures
	Left []float64 // share of the jobs that gives up
	x    *queue.Solution
	of   []int // kinds, by class; -1 if none comes
}

// Rooms solves a first come first served queue in front of the cluster, as q has it but for what
// serves: room for some jobs, with none of which every job that does not fit is turned away, and a
// rate at which those that wait give up. Arrivals are Poisson.
func (s *System) Rooms(ctx context.Context, q queue.System, most chain.Limits) (*Room, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	x, err := c.queue(q).Solve(ctx, most)
	if err != nil {
		return nil, err
	}
	m := c.newMeasures(q.Rate)
	x.Each(func(s queue.State, p float64) { m.count(c.configs[s.At()], p, s.Drawn(), q.Room) })
	m.States = x.States
	r := &Room{Measures: m.finish(), x: x, of: c.plan.Of}
	for _, k := range r.of {
		left := 0.0
		if k >= 0 {
			left = x.Left[k]
		}
		r.Left = append(r.Left, left)
	}
	return r, nil
}

// Wait is the wait of the jobs of a class that join the queue.
func (r *Room) Wait(ctx context.Context, class int, bytes float64) (*queue.Wait, error) {
	if r.of[class] < 0 {
		return new(queue.Wait), nil
	}
	return r.x.Wait(ctx, r.of[class], bytes)
}
