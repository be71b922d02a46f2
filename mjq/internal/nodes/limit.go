package nodes

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// Saturated is the system when the queue never empties.
type Saturated struct {
	Rate     float64 // jobs that it serves in a unit of time: the stability limit
	States   int
	Residual float64 // relative; 0 of elimination
}

// Limit finds the stability limit, as the rate at which the cluster serves a queue that never
// empties (the saturation rule of Baccelli and Foss, Journal of Applied Probability 32, 1995).
func (s *System) Limit(ctx context.Context, most chain.Limits) (*Saturated, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	graph, err := c.explore(ctx, []spot{{at: c.full()}}, nil, most, func(s spot, to func(spot, float64)) {
		c.saturatedMoves(s.at, func(next int32, rate float64) { to(spot{at: next}, rate) })
	})
	if err != nil {
		return nil, err
	}
	law, err := graph.Stationary(ctx, most)
	if err != nil {
		return nil, err
	}
	jobs := 0.0
	graph.Each(law, func(s spot, p float64) { jobs += p * float64(c.configs[s.at].jobs) })
	return &Saturated{Rate: jobs / c.plan.MeanService(), States: len(law.P), Residual: law.Residual}, nil
}

// saturatedMoves calls to with what follows a configuration while the queue does not empty.
func (c *cluster) saturatedMoves(at int32, to func(int32, float64)) {
	ends, changes := c.services(at)
	for _, m := range changes {
		to(m.to, m.rate)
	}
	for _, e := range ends {
		c.follow(at, e.to, endless, e.rate, to)
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
