package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/mjqueue/mjq/internal/check"
)

// weighed takes each of its ascending values with a probability of its own,
// upTo being the cumulative ones: a law tilted or spread.
type weighed struct{ values, upTo []float64 }

// Validate finds nothing in a law made of a valid one; a law that was read may
// lack order.
func (w weighed) Validate() error {
	f := check.Faults{Of: w}
	n := len(w.values)
	f.That(n > 0 && n == len(w.upTo), "there are %d values and %d probabilities up to them; give as many, and at least one", n, len(w.upTo))
	if f.None() {
		f.That(slices.IsSorted(w.values) && w.values[0] >= 0 && !math.IsInf(w.values[n-1], 1), "the values must be finite, not negative and ascending")
		f.That(slices.IsSorted(w.upTo) && w.upTo[0] >= 0 && w.upTo[n-1] == 1, "the probabilities up to the values must ascend to 1")
	}
	return f.Err("")
}

// moment is E[(X-c)^k].
func (w weighed) moment(k, c float64) float64 {
	sum, last := 0.0, 0.0
	for i, x := range w.values {
		sum += math.Pow(x-c, k) * (w.upTo[i] - last)
		last = w.upTo[i]
	}
	return sum
}

// Mean weighs the values.
func (w weighed) Mean() float64 { return w.moment(1, 0) }

// Variance weighs the squared distances to the mean.
func (w weighed) Variance() float64 { return w.moment(2, w.Mean()) }

// Survival is the weight of the values above x.
func (w weighed) Survival(x float64) float64 {
	n := sort.Search(len(w.values), func(i int) bool { return w.values[i] > x })
	if n == 0 {
		return 1
	}
	return 1 - w.upTo[n-1]
}

// Quantile is the first value up to which there is a weight of p.
func (w weighed) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return w.values[min(sort.SearchFloat64s(w.upTo, p), len(w.values)-1)]
}

// Laplace weighs exp(-sx).
func (w weighed) Laplace(s float64) float64 {
	sum, last := 0.0, 0.0
	for i, x := range w.values {
		sum += math.Exp(-s*x) * (w.upTo[i] - last)
		last = w.upTo[i]
	}
	return sum
}

// Sample inverts the cumulative probabilities; one word.
func (w weighed) Sample(rng rand.Source) float64 { return w.Quantile(1 - unit(rng)) }

// Scaled scales all values.
func (w weighed) Scaled(c float64) Law {
	values := slices.Clone(w.values)
	for i := range values {
		values[i] *= c
	}
	return weighed{values, w.upTo}
}

// String says how many values there are.
func (w weighed) String() string { return fmt.Sprintf("weighed law of %d values", len(w.values)) }

// Excess weighs what the values exceed x by.
func (w weighed) Excess(x float64) (sum float64) {
	for i := sort.SearchFloat64s(w.values, x); i < len(w.values); i++ {
		p := w.upTo[i]
		if i > 0 {
			p -= w.upTo[i-1]
		}
		sum += p * (w.values[i] - x)
	}
	return sum
}

// Form is "Weighed" of values and upTo.
func (w weighed) Form() Form {
	return Form{"Weighed", []Parameter{{"values", w.values}, {"upTo", w.upTo}}}
}

func init() {
	register(weighed{}.Form(), func(f Form) Law { return weighed{f.Floats("values"), f.Floats("upTo")} })
}
