package nodes

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/finite"
)

// Saturated is the system when the queue never empties.
type Saturated struct {
	Rate     float64 // jobs that it serves in a unit of time: the stability limit
	States   int
	Residual float64 // relative; 0 of elimination
}

// Limit finds the stability limit, as the rate at which the cluster serves a queue that never
// empties (the saturation rule of Baccelli and Foss, Journal of Applied Probability 32, 1995).
func (s *System) Limit(ctx context.Context, most finite.Limits) (*Saturated, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	chain := finite.Chain{First: key(c.full(), 0),
		Layer: func(state string) int {
			at, _ := read(state)
			return c.configs[at].jobs
		},
		Moves: func(state string, to func(string, float64)) {
			at, _ := read(state)
			c.saturatedMoves(at, func(next int32, rate float64) { to(key(next, 0), rate) }, nil)
		}}
	law, err := chain.Solve(ctx, most)
	if err != nil {
		return nil, err
	}
	jobs := 0.0
	law.Each(func(state string, p float64) {
		at, _ := read(state)
		jobs += p * float64(c.configs[at].jobs)
	})
	return &Saturated{Rate: jobs / c.plan.MeanService(), States: len(law.States), Residual: law.Residual}, nil
}

// saturatedMoves calls ends with what follows the end of a service while the queue does not
// empty, and moves with changes of phase, unless it is nil; then ends is told of both.
func (c *cluster) saturatedMoves(at int32, ends, moves func(int32, float64)) {
	if moves == nil {
		moves = ends
	}
	done, changes := c.services(at)
	for _, m := range changes {
		moves(m.to, m.rate)
	}
	for _, e := range done {
		c.follow(at, e.to, endless, e.rate, ends)
	}
}

// full is the cluster filled with jobs of the largest need in the first of their phases. A job
// of this need fits nowhere where some job does not, so that from every state of the saturated
// system a run of such jobs leads there.
func (c *cluster) full() int32 {
	at, k := c.nothing(), len(c.kinds)-1
	for c.configs[at].fits[k] {
		at = c.placements(at, k)[0].to
	}
	return at
}
