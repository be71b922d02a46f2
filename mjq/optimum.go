package mjq

import (
	"context"
	"maps"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// OptimumQuery asks for the optimal policy. It is a value: each call returns a changed
// copy.
type OptimumQuery struct {
	m *Model
	o method.OptimumOptions
}

// Optimum asks for the best scheduling policy of a small queue: the one of the least mean
// number of jobs in the system, and so of the least mean wait, among all that know how many
// jobs of each class run and wait. It shows how far any other is from the best possible
// (result.Optimum.Excess), and what the best does in every state (plots.Decisions). The
// policy of the model does not count. By default policies are not preemptive: jobs that
// have begun go on; servers may stay idle although a job waits that fits.
//
// It takes Poisson arrivals, exponential services, up to three classes and servers that
// are alike. The queue is cut at a number of jobs that grows until the optimum no longer
// moves; every cut proves a lower bound, since who turns jobs away at no cost cannot be
// worse. Cost: seconds for two classes on four servers at two thirds of the capacity; the
// chain grows with the number of sets of jobs that fit together and with the distance of
// the rate to the capacity.
//
// Source: policy iteration: Howard, Dynamic Programming and Markov Processes (1960);
// Puterman, Markov Decision Processes (1994), chapters 8 and 11; bounds: Odoni, Operations
// Research 17 (1969).
func (m *Model) Optimum() OptimumQuery {
	return OptimumQuery{m, method.OptimumOptions{Options: method.Defaults()}}
}

// Preemptive allows policies to stop jobs and resume them later, without loss.
func (q OptimumQuery) Preemptive() OptimumQuery {
	q.o.Preemptive = true
	return q
}

// Weight has a job of a class count as so many in the mean number of jobs; the default
// is 1, and 0 has the class not count. With the weights 1/E[σ] the optimum is that of the mean slowdown
// in which responses are divided by the mean service of their class.
func (q OptimumQuery) Weight(class string, weight float64) OptimumQuery {
	weights := map[string]float64{}
	maps.Copy(weights, q.o.Weights)
	weights[class] = weight
	q.o.Weights = weights
	return q
}

// RelErr is the error allowed, as a part of the optimum; the default is 10^-6.
func (q OptimumQuery) RelErr(r float64) OptimumQuery {
	q.o.SetReal(method.RelErr, r)
	return q
}

// MaxBytes is the memory beyond which Run refuses, with the size that it would take; the
// default is 10^9.
func (q OptimumQuery) MaxBytes(bytes float64) OptimumQuery {
	q.o.SetReal(method.MaxBytes, bytes)
	return q
}

// Progress has f called after every cut, with the jobs at which it was and those of the
// next.
func (q OptimumQuery) Progress(f func(done, total float64)) OptimumQuery {
	q.o.Progress = f
	return q
}

// Run finds the optimum. Where no policy carries the rate, it has Stable false. When ctx
// ends it returns what the last cut gave, if there is one, along with the error of the
// context. It fails, naming all faults, on queues that it is not for, and with the size on
// those that are too large.
func (q OptimumQuery) Run(ctx context.Context) (*result.Optimum, error) {
	r, err := q.m.p.Optimum(ctx, q.o)
	return r, prefixed(err)
}

// OptimalPolicy is the policy that was found, to be simulated, compared or asked for its
// unbiased means. It is for the servers and needs of its queue, whose classes must need
// different numbers of servers.
func OptimalPolicy(o *result.Optimum) Policy { return method.OptimalPolicy(o) }
