package estimate

import (
	"math"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/result"
)

// Difference is the mean of a less that of b, from batches that met the same jobs: the
// batches are paired, so that what both have in common does not widen the interval
// (common random numbers; Law, Simulation Modeling and Analysis, section 11.2). Of lists
// of different lengths it takes what both have.
func Difference(a, b []Batch, level float64, method string) result.Estimate {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	sumA, meanA, worthA := summed(a)
	sumB, meanB, worthB := summed(b)
	if sumA.N == 0 || sumB.N == 0 {
		return result.Unknown()
	}
	var buffer [usualBatches]float64 // on the stack: lists of thousands of classes would be collected
	influence := buffer[:0]
	for i := range a {
		influence = append(influence, (a[i].X-meanA*a[i].N)/sumA.N-(b[i].X-meanB*b[i].N)/sumB.N)
	}
	if worthB.Observations < worthA.Observations || math.IsNaN(worthA.Observations) {
		worthA = worthB
	}
	return Interval(meanA-meanB, influence, 1, level, OfMean, worthA, method)
}

// Observed is what jobs of one class met under one policy, by batch.
type Observed [Quantities][]Batch

// Observed is what a tally is made of.
func (t *Tally) Observed() (o Observed) {
	for q := range o {
		o[q] = t.Of(Quantity(q)).Observed
	}
	return o
}

// Less are the differences to what the same jobs met under another policy.
func (o *Observed) Less(q *Observed, name string, level float64, method string) result.Change {
	less := func(k Quantity) result.Estimate { return Difference(o[k], q[k], level, method) }
	return result.Change{Name: name, Waiting: less(Waiting), Response: less(Response), Slowdown: less(Slowdown)}
}

// Compare fills in the differences of all pairs: observed holds what every policy
// showed, class by class and last of all jobs. It is nil of a policy that has nothing
// to compare, which leaves its differences unknown. Where a mean has no interval its
// differences have none.
func Compare(c *result.Comparison, observed [][]Observed, method string) {
	for i := range c.Results {
		for k := i + 1; k < len(c.Results); k++ {
			d := result.Difference{Policy: c.Policies[i], Other: c.Policies[k]}
			a, b := classes(c.Results[i]), classes(c.Results[k])
			d.Classes = make([]result.Change, len(a))
			panics.Blocks(len(a), func(from, to int) {
				for class := from; class < to; class++ {
					change := result.Change{Name: a[class].Name, Waiting: result.Unknown(), Response: result.Unknown(), Slowdown: result.Unknown()}
					if observed[i] != nil && observed[k] != nil {
						change = observed[i][class].Less(&observed[k][class], change.Name, c.Level, method)
						Withhold(&change, a[class], b[class])
					}
					d.Classes[class] = change
				}
			})
			last := len(d.Classes) - 1
			d.Classes, d.All = d.Classes[:last], d.Classes[last]
			c.Differences = append(c.Differences, d)
		}
	}
}

// classes are all that a result tells of, the last being all jobs.
func classes(r *result.Result) (list []*result.ClassResult) {
	for i := range r.Classes {
		list = append(list, &r.Classes[i])
	}
	return append(list, &r.All)
}

// Withhold takes away from a change what the means of one side do not have either.
func Withhold(c *result.Change, a, b *result.ClassResult) {
	withhold(&c.Waiting, &a.Waiting, &b.Waiting)
	withhold(&c.Response, &a.Response, &b.Response)
	withhold(&c.Slowdown, &a.Slowdown, &b.Slowdown)
}

// withhold takes away what a mean does not have either.
func withhold(e *result.Estimate, a, b *result.Metric) {
	if math.IsInf(a.Mean.Value, 0) || math.IsInf(b.Mean.Value, 0) {
		*e = result.Unknown()
	}
	if math.IsNaN(a.Mean.HalfWidth) || math.IsNaN(b.Mean.HalfWidth) {
		e.HalfWidth = math.NaN()
	}
}
