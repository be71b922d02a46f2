// Package divisible solves the multiserver-job queue whose resource is not
// counted in servers: a total of B, any positive real, and classes of jobs
// that each need some fraction of it, served first-come first-served with
// head-of-line blocking and exponential service times. It follows A. Brandwajn
// and T. Begin, "A Note on the Determination of the Processing Capacity in a
// Multiserver Job System as a Model of Cloud Datacenters" (CloudCom 2022),
// called the note in what follows; equation numbers are the note's.
//
// Space holds the states of the queue while jobs wait. Capacity solves it by
// elimination, Limit by the note's fixed point for any arrival rate, Perron by
// root finding on an eigenvalue. Open is the queue with all its levels.
package divisible

import (
	"context"
	"fmt"
)

// Class is a class of jobs.
type Class struct {
	Need float64 // b_ℓ, the amount of the resource held in service, in (0, Total]
	Prob float64 // p_ℓ, positive; the probabilities sum to 1
	Rate float64 // μ_ℓ, one over the mean service time
}

// Resource is a total amount of a divisible resource and its users.
type Resource struct {
	Total   float64 // B
	Classes []Class
}

// Slack is how much of Total a sum of needs may exceed it by and still fit:
// needs such as 1/3 and 0.1 have no exact binary form, and three thirds are to
// fill the whole. Sums are formed class by class from the counts, so whether
// jobs fit does not depend on the order in which they came.
const Slack = 1e-9

// MaxStates is how many states are accepted. Elimination takes a time of
// order MaxStates³/3, some ten seconds, and 8 MaxStates² bytes.
const MaxStates = 3000

// TooLarge is the error of a resource with more than MaxStates states.
type TooLarge struct{ Jobs int }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("more than %d states while jobs wait (up to %d jobs in service at once); join classes of like needs, or simulate",
		MaxStates, e.Jobs)
}

// used is Σ m_ℓ b_ℓ.
func (r *Resource) used(counts []int32) float64 {
	sum := 0.0
	for l, m := range counts {
		sum += float64(m) * r.Classes[l].Need
	}
	return sum
}

// fits tells whether one more job of class l can be in service beside counts.
func (r *Resource) fits(counts []int32, l int) bool {
	counts[l]++
	ok := r.used(counts) <= r.Total*(1+Slack)
	counts[l]--
	return ok
}

// rate is the total rate of completions, Σ m_ℓ μ_ℓ.
func (r *Resource) rate(counts []int32) float64 {
	sum := 0.0
	for l, m := range counts {
		sum += float64(m) * r.Classes[l].Rate
	}
	return sum
}

// most is how many jobs can be in service at once, M: those of the smallest need.
func (r *Resource) most() int {
	m := 0
	for _, c := range r.Classes {
		m = max(m, int(r.Total*(1+Slack)/c.Need))
	}
	return m
}

// stopped is the cause for which a computation must end now, or nil.
func stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
