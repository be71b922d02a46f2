package nodes

import (
	"context"
	"encoding/binary"

	"github.com/mjqueue/mjq/mjq/internal/finite"
)

// Rooms solves a first come first served queue that lets in so many jobs that wait; with none
// every job that does not fit is turned away. Arrivals are Poisson of a rate.
func (s *System) Rooms(ctx context.Context, rate float64, room int, most finite.Limits) (*Measures, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	chain := finite.Chain{First: key(c.nothing(), 0),
		Layer: func(state string) int {
			at, waiting := read(state)
			return c.configs[at].jobs + waiting
		},
		Moves: func(state string, to func(string, float64)) { c.moves(state, rate, room, to) }}
	law, err := chain.Solve(ctx, most)
	if err != nil {
		return nil, err
	}
	m := c.newMeasures(rate)
	law.Each(func(state string, p float64) {
		at, waiting := read(state)
		m.count(c.configs[at], p, waiting, room)
	})
	m.States = len(law.States)
	return m.finish(), nil
}

// moves calls to with what follows a state of a queue with a room.
func (c *cluster) moves(state string, rate float64, room int, to func(string, float64)) {
	at, waiting := read(state)
	all := c.configs[at].jobs + waiting
	ends, moves := c.services(at)
	for _, m := range moves {
		to(key(m.to, waiting), m.rate)
	}
	for _, e := range ends {
		c.follow(at, e.to, waiting, e.rate, func(next int32, rate float64) {
			to(key(next, all-1-c.configs[next].jobs), rate)
		})
	}
	c.arrivals(at, waiting, room, rate, func(next int32, waiting int, rate float64) { to(key(next, waiting), rate) })
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

// key is a state of a chain: a configuration and how many jobs wait.
func key(at int32, waiting int) string {
	var b [8]byte
	binary.LittleEndian.PutUint32(b[:4], uint32(at))
	binary.LittleEndian.PutUint32(b[4:], uint32(waiting))
	return string(b[:])
}

// read is the state of a key.
func read(key string) (at int32, waiting int) {
	b := []byte(key)
	return int32(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
}
