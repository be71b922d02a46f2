package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Optimum finds the best scheduling policy of a small queue: the one of the least mean number
// of jobs in the system, and so of the least mean wait, among all that know how many jobs of
// each class run and wait. It shows how far any other is from the best possible
// (result.Optimum.Excess), and what the best does in every state (plots.Decisions). The policy
// of the model does not count. By default policies are not preemptive: jobs that have begun go
// on; servers may stay idle although a job waits that fits.
//
// It takes Poisson arrivals, exponential services, up to three classes and servers that are
// alike. The queue is cut at a number of jobs that grows until the optimum no longer moves;
// every cut proves a lower bound, since who turns jobs away at no cost cannot be worse. Cost:
// seconds for two classes on four servers at two thirds of the capacity; the chain grows with
// the number of sets of jobs that fit together and with the distance of the rate to the
// capacity.
//
// Where no policy carries the rate, the result has Stable false. When ctx ends it is what the
// last cut gave, if there is one, along with the error of the context. It fails, naming all
// faults, on queues that it is not for, and with the size on those that are too large.
//
// Options: PolicyIteration; RelErr is the error allowed as a part of the optimum, by default
// 10^-6.
//
// Source: policy iteration: Howard, Dynamic Programming and Markov Processes (1960); Puterman,
// Markov Decision Processes (1994), chapters 8 and 11; bounds: Odoni, Operations Research 17
// (1969).
func (m Model) Optimum(ctx context.Context, opts ...Option) (*result.Optimum, error) {
	a, p, err := m.request(ctx, "Optimum", opts, []string{"RelErr"}, []string{"PolicyIteration"})
	if err != nil {
		return nil, err
	}
	o := exact.OptimumOptions{Options: a.o, Preemptive: a.iterate.Preemptive, Weights: a.iterate.Weights}
	r, err := exact.Optimum(ctx, p, o)
	return r, prefixed(err)
}

// PolicyIteration is how Optimum finds the best policy, and among which.
type PolicyIteration struct {
	// Preemptive allows policies to stop jobs and resume them later, without loss.
	Preemptive bool
	// Weights have a job of a class count as so many in the mean number of jobs; a class that is
	// left out counts as 1, and 0 has the class not count. With the weights 1/E[σ] the optimum is
	// that of the mean slowdown in which responses are divided by the mean service of their
	// class.
	Weights map[string]float64
	// MaxBytes is the memory beyond which it refuses, with the size that it would take; the
	// default is 10^9.
	MaxBytes float64
}

func (x PolicyIteration) set(a *asked) {
	a.by(x)
	a.iterate = x
}
func (x PolicyIteration) engine() *run.Method { return nil }

// OptimalPolicy is the policy that was found, to be simulated, compared or asked for its
// unbiased means. It is for the servers and needs of its queue, whose classes must need
// different numbers of servers.
func OptimalPolicy(o *result.Optimum) Policy { return exact.OptimalPolicy(o) }
