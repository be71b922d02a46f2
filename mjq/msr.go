package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// MSRQuery asks for the queue under a Markovian service rate policy. It is a value: each
// call returns a changed copy.
type MSRQuery struct {
	m     *Model
	s     method.Schedules
	fresh bool
}

// MSR asks for exact means under a Markovian service rate policy (Chen, Grosof and Berg,
// arXiv 2412.08915): a Markov chain that does not look at the queue chooses a schedule, how
// many jobs of each need may run, and stops and starts jobs as it turns; servers of a need
// that has too few jobs stay idle. Every need is then a queue of its own in a random
// environment, so that any number of needs is solved at the cost of one small
// quasi-birth-and-death process each, 200 m³ operations for m schedules.
//
// Without settings the chain draws the schedules of the Capacity with their shares, which
// carries all that any policy carries. A model at a load is at that fraction of what its
// own schedules carry. The policy of the model does not count. Arrivals must be Poisson,
// services exponential, of one mean for each need. A wait is the response less the
// service. [MSRQuery.Policy] is the policy itself, for WithPolicy.
func (m *Model) MSR() MSRQuery { return MSRQuery{m: m} }

// Schedules gives the schedules, each the number of jobs of every different need in
// ascending order of the needs, and the generator of the chain that turns from one to
// another. They are those of result.Capacity, whose Needs have the order.
func (q MSRQuery) Schedules(jobs [][]int, generator [][]float64) MSRQuery {
	q.s.Jobs, q.s.Generator = jobs, generator
	return q
}

// Switching sets the rate at which the chain of the default draws a schedule, per unit of
// time; the default is one a mean service. The faster, the shorter the queues, for nothing
// is lost by turning.
func (q MSRQuery) Switching(rate float64) MSRQuery {
	q.s.Switching = rate
	return q
}

// Run solves. It fails with all faults of model and schedules at once, and with the error
// of ctx. Beyond what the schedules carry it returns a result with Stable false.
func (q MSRQuery) Run(ctx context.Context) (*result.Result, error) {
	r, err := q.m.p.MSR(ctx, q.s, q.fresh)
	return r, prefixed(err)
}

// Policy is the policy of these settings, for WithPolicy and whatever is asked under it:
// simulation, comparison and unbiased means take any arrivals and services. It fails with
// the faults of the schedules and the error of ctx.
func (q MSRQuery) Policy(ctx context.Context) (Policy, error) {
	p, err := q.m.p.MSRPolicy(ctx, q.s)
	return p, prefixed(err)
}
