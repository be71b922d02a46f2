package nodes

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// spot is a state of a chain: a configuration and how many jobs wait.
type spot struct{ at, waiting int32 }

// explore lists the states of a chain, whose layers are the numbers of jobs in the system.
func (c *cluster) explore(ctx context.Context, first []spot, alike *chain.Repeat[spot], most chain.Limits, moves func(s spot, to func(spot, float64))) (*chain.Graph[spot, spot], error) {
	return chain.Explore(ctx, chain.Rule[spot, spot]{Key: func(s spot) spot { return s },
		Repeat: alike,
		Layer:  func(s spot) int { return c.configs[s.at].jobs + int(s.waiting) },
		Moves:  func(_ context.Context, s spot, to func(spot, float64)) { moves(s, to) }}, most, first...)
}

// Rooms solves a first come first served queue that lets in so many jobs that wait; with none
// every job that does not fit is turned away. Arrivals are Poisson of a rate.
func (s *System) Rooms(ctx context.Context, rate float64, room int, most chain.Limits) (*Measures, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	graph, err := c.explore(ctx, []spot{{at: c.nothing()}}, nil, most, func(s spot, to func(spot, float64)) { c.moves(s, rate, room, to) })
	if err != nil {
		return nil, err
	}
	law, err := graph.Stationary(ctx, most)
	if err != nil {
		return nil, err
	}
	m := c.newMeasures(rate)
	graph.Each(law, func(s spot, p float64) { m.count(c.configs[s.at], p, int(s.waiting), room) })
	m.States = len(law.P)
	return m.finish(), nil
}

// moves calls to with what follows a state of a queue with a room.
func (c *cluster) moves(s spot, rate float64, room int, to func(spot, float64)) {
	all := c.configs[s.at].jobs + int(s.waiting)
	ends, moves := c.services(s.at)
	for _, m := range moves {
		to(spot{m.to, s.waiting}, m.rate)
	}
	for _, e := range ends {
		c.follow(s.at, e.to, int(s.waiting), e.rate, func(next int32, rate float64) {
			to(spot{next, int32(all - 1 - c.configs[next].jobs)}, rate)
		})
	}
	c.arrivals(s.at, int(s.waiting), room, rate, func(next int32, waiting int, rate float64) { to(spot{next, int32(waiting)}, rate) })
}

// arrivals calls to with what follows when a job comes that is let in.
func (c *cluster) arrivals(at int32, waiting, room int, rate float64, to func(next int32, waiting int, rate float64)) {
	if waiting > 0 {
		if waiting < room {
			to(at, waiting+1, rate)
		}
		return
	}
	x := c.configs[at]
	for k, fits := range x.fits {
		if fits {
			for _, p := range c.placements(at, k) {
				to(p.to, 0, rate*c.kinds[k].Prob*p.rate)
			}
		}
	}
	if room > 0 && x.refused > 0 {
		to(at, 1, rate*x.refused)
	}
}
