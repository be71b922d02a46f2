package queue

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// flow is where the chain is: the probabilities of its states, and what has been lost
// beyond its bound. If it keeps, an arrival beyond the bound is turned away instead.
type flow struct {
	*followed
	*chain.Flow
	waited *chain.Flow // of a chain that is stopped where nobody waits; nil: not asked for
}

func newFlow(c *followed, keeps bool) *flow {
	f := &flow{followed: c, Flow: c.Flow(c.law())}
	f.Keeps, f.Area = keeps, make([]float64, len(c.States))
	return f
}

// watch follows how long somebody waits.
func (f *flow) watch() {
	f.waited = f.followed.Flow(f.law())
	f.waited.Only = make([]bool, len(f.States))
	for i, n := range f.waiting {
		if f.waited.Only[i] = n > 0; !f.waited.Only[i] {
			f.waited.Now[i] = 0
		}
	}
}

// pass lets time pass at an arrival rate, and adds to Area the time in each state.
func (f *flow) pass(ctx context.Context, rate, time float64) error {
	if f.waited != nil {
		if err := f.waited.Pass(ctx, rate, time); err != nil {
			return err
		}
	}
	return f.Pass(ctx, rate, time)
}
