package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Optimum returns the scheduling policy of a small queue with the smallest mean number of jobs
// in the system, and so the smallest mean wait, among those that know how many jobs of each
// class run and wait. The policy of the model does not count. By default jobs that have begun go
// on. The result shows how far any other policy is from the best (result.Optimum.Excess), and
// the decision in every state (plots.Decisions).
//
// It assumes Poisson arrivals, exponential service times, up to three classes and identical
// servers. The chain is truncated at a number of jobs that grows until the optimum no longer
// moves; every level proves a lower bound. Cost: seconds for two classes on four servers at two
// thirds of the capacity; more with the number of sets of jobs that fit together, and near the
// capacity.
//
// If no policy is stable at the rate, the result has Stable false. When ctx ends it is the
// result of the last level, along with the error of ctx. It fails, naming all errors, on queues
// that it is not for or that are too large.
//
// Options: PolicyIteration; RelErr is the allowed error relative to the optimum, 10⁻⁶ by
// default.
//
// Source: Howard, Dynamic Programming and Markov Processes (1960); Puterman, Markov Decision
// Processes (1994), chapters 8 and 11; bounds: Odoni, Operations Research 17 (1969).
func (m Model) Optimum(ctx context.Context, opts ...Option) (*result.Optimum, error) {
	a, p, err := m.request(ctx, "Optimum", opts)
	if err != nil {
		return nil, err
	}
	how, _ := a.method.(PolicyIteration)
	r, err := exact.Optimum(ctx, p, exact.Iteration(how), a.o)
	return labelled(r, func(o *result.Optimum) *result.Unit { return &o.Unit }, p.Unit), prefixed(err)
}

// PolicyIteration is how Optimum finds the best policy, and among which.
type PolicyIteration struct {
	// Preemptive allows policies to stop jobs and resume them later, without loss.
	Preemptive bool
	// Weights are the weights of the classes in the mean number of jobs, by name. A missing
	// class has weight 1; weight 0 ignores the class. With the weights 1/E[σ] the optimum is
	// that of the mean slowdown in which responses are divided by the mean service of their
	// class.
	Weights map[string]float64
	// MaxBytes is the memory limit; above it the question returns an error with the size. The
	// default is 10^9.
	MaxBytes float64
}

func (x PolicyIteration) set(a *asked)       { a.by(x) }
func (x PolicyIteration) engine() run.Method { return nil }

// OptimalPolicy is the policy that was found, to be simulated, compared or asked for its
// unbiased means. It is for the servers and needs of its queue, whose classes must need
// different numbers of servers.
func OptimalPolicy(o *result.Optimum) Policy { return exact.OptimalPolicy(o) }
