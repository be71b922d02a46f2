package papers

import (
	"fmt"
	"math"
)

// OneDuration is Formulation I of the paper on product forms, from the rules of service alone: there are always as many jobs as servers, listed from
// the oldest, and the oldest that fit together are in service. A completion removes a job and
// appends a new one. A state is the list of the classes of all jobs.
type OneDuration struct {
	Servers int
	Needs   []int     // by class
	Probs   []float64 // of a class
}

// States returns every list of classes.
func (c OneDuration) States() [][]int { return c.lists(c.Servers) }

func (c OneDuration) lists(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, head := range c.lists(n - 1) {
		for class := range c.Needs {
			all = append(all, append(append([]int(nil), head...), class))
		}
	}
	return all
}

// Serving returns σ(m), the number of jobs of a state that are in service.
func (c OneDuration) Serving(m []int) int {
	used := 0
	for i, class := range m {
		if used += c.Needs[class]; used > c.Servers {
			return i
		}
	}
	return len(m)
}

// Product returns the probability of a state by Theorem 1: that of independent draws.
func (c OneDuration) Product(m []int) float64 {
	pi := 1.0
	for _, class := range m {
		pi *= c.Probs[class]
	}
	return pi
}

// Imbalance returns the largest relative difference of the two sides of the balance equations for
// the product, where rates[c] is the rate at which a job of class c completes.
func (c OneDuration) Imbalance(rates []float64) (worst float64) {
	in := map[string]float64{}
	for _, m := range c.States() {
		c.leave(m, rates, in)
	}
	for _, m := range c.States() {
		worst = max(worst, math.Abs(in[fmt.Sprint(m)]/c.Product(m)-1))
	}
	return worst
}

// leave adds to in the probability that state m sends to others at a completion.
func (c OneDuration) leave(m []int, rates []float64, in map[string]float64) {
	serving, total := m[:c.Serving(m)], 0.0
	for _, class := range serving {
		total += rates[class]
	}
	for i, class := range serving {
		rest := append(append([]int(nil), m[:i]...), m[i+1:]...)
		for next, p := range c.Probs {
			in[fmt.Sprint(append(rest[:c.Servers-1:c.Servers-1], next))] += c.Product(m) * rates[class] / total * p
		}
	}
}
