package nodes

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
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
	graph, err := chain.Explore(ctx, c.queue(queue.System{}).Saturated(), most, queue.Behind(c.full(), 0))
	if err != nil {
		return nil, err
	}
	law, err := graph.Stationary(ctx, most)
	if err != nil {
		return nil, err
	}
	jobs := 0.0
	graph.Each(law, func(s queue.State, p, _, _ float64) { jobs += p * float64(c.Jobs(s.At())) })
	return &Saturated{Rate: jobs / c.plan.MeanService(), States: len(law.P), Residual: law.Residual}, nil
}

// full is the cluster filled with jobs of the largest need in the first of their phases. A job
// of this need fits nowhere where some job does not, so that from every state of the saturated
// system a run of such jobs leads there.
func (c *cluster) full() int32 {
	at, k := c.Empty(), len(c.kinds)-1
	for c.configs[at].fits[k] {
		at = c.Starts(at, k)[0].To
	}
	return at
}
