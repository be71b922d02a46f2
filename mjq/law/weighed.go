package law

import (
	"fmt"
	"math/rand/v2"
	"sort"
)

// weighed takes each of its ascending values with a probability of its own,
// upTo being the cumulative ones. It serves Tilt, and only draws and moments
// are right.
type weighed struct {
	Observed
	values, upTo []float64
}

// Mean weighs the values.
func (w weighed) Mean() float64 {
	sum, last := 0.0, 0.0
	for i, x := range w.values {
		sum += x * (w.upTo[i] - last)
		last = w.upTo[i]
	}
	return sum
}

// Sample inverts the cumulative probabilities; one word.
func (w weighed) Sample(rng rand.Source) float64 {
	u := 1 - Unit(rng.Uint64())
	return w.values[min(sort.SearchFloat64s(w.upTo, u), len(w.values)-1)]
}

// String says how many values there are.
func (w weighed) String() string { return fmt.Sprintf("tilted law of %d values", len(w.values)) }
