package special

import (
	"context"
	"fmt"
)

// The solvers of Divisible, in this file and those that begin with its name:
// waitingSpace holds the states of the queue while jobs wait. It is solved by
// elimination in saturation, and for any arrival rate by the note's fixed point and by
// root finding on an eigenvalue. openQueue is the queue with all its levels.

// resource is a total amount of a divisible resource and its users.
type resource struct {
	total   float64 // B
	classes []user
}

// user is a class of jobs with exponential services.
type user struct {
	need float64 // b_ℓ, the amount of the resource held in service, in (0, total]
	prob float64 // p_ℓ, positive; the probabilities sum to 1
	rate float64 // μ_ℓ, one over the mean service time
}

// slack is how much of the total a sum of needs may exceed it by and still fit:
// needs such as 1/3 and 0.1 have no exact binary form, and three thirds are to
// fill the whole. Sums are formed class by class from the counts, so whether
// jobs fit does not depend on the order in which they came.
const slack = 1e-9

// maxStates is how many states are accepted. Elimination takes a time of
// order maxStates³/3, some ten seconds, and 8 maxStates² bytes.
const maxStates = 3000

// tooLarge is the error of a resource with more than maxStates states.
type tooLarge struct{ jobs int }

func (e *tooLarge) Error() string {
	return fmt.Sprintf("more than %d states while jobs wait (up to %d jobs in service at once); join classes of like needs, or simulate",
		maxStates, e.jobs)
}

// used is Σ m_ℓ b_ℓ.
func (r *resource) used(counts []int32) float64 {
	sum := 0.0
	for l, m := range counts {
		sum += float64(m) * r.classes[l].need
	}
	return sum
}

// fits reports whether one more job of class l can be in service beside counts.
func (r *resource) fits(counts []int32, l int) bool {
	counts[l]++
	ok := r.used(counts) <= r.total*(1+slack)
	counts[l]--
	return ok
}

// rate is the total rate of completions, Σ m_ℓ μ_ℓ.
func (r *resource) rate(counts []int32) float64 {
	sum := 0.0
	for l, m := range counts {
		sum += float64(m) * r.classes[l].rate
	}
	return sum
}

// most is how many jobs can be in service at once, M: those of the smallest need.
func (r *resource) most() int {
	m := 0
	for _, c := range r.classes {
		m = max(m, int(r.total*(1+slack)/c.need))
	}
	return m
}

// stopped is why a computation must end now, or nil.
func stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
