package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/result"
)

// CapacityQuery asks for the capacity. It is a value.
type CapacityQuery struct {
	m     *Model
	fresh bool
}

// Capacity asks for the largest arrival rate that any scheduling policy can carry,
// preemptive or not, with any knowledge of the jobs: a yardstick for the limits and loads
// of all of them. It does not depend on the policy of the model, nor on the arrivals and
// the laws of services but for their means. MaxWeight attains it. For servers that are
// alike and for several types of resources.
//
// It is the linear program over all sets of jobs that fit together: the least time in
// which mixtures of them do the work that a job brings. Sets are generated as needed, by a
// knapsack, so that there may be dozens of classes and thousands of servers; the result
// has the mixture that attains the rate, and the prices that prove that none does better.
// Cost: K³ operations a round and K (s+1) for the knapsack, for K different needs and some
// multiples of K rounds; of several types of resources K times the product of units+1,
// of which there may be ten million.
//
// Source: Tassiulas and Ephremides, IEEE Transactions on Automatic Control 37 (1992);
// column generation: Gilmore and Gomory, Operations Research 9 (1961).
func (m *Model) Capacity() CapacityQuery { return CapacityQuery{m: m} }

// Run finds the capacity. It fails if servers are asked for by number or drawn at random,
// if there are too many combinations of resources, and with the error of ctx.
func (q CapacityQuery) Run(ctx context.Context) (*result.Capacity, error) {
	c, err := q.m.p.FindCapacity(ctx, q.fresh)
	return c, prefixed(err)
}
