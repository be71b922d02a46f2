package law

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/mjqueue/mjq/internal/check"
)

// Empirical takes each of its values with equal probability. Build it with
// Empirical and leave the values alone: they are kept in ascending order.
type Empirical struct{ Values []float64 }

// NewEmpirical returns the law of a value picked from xs, which is copied.
func NewEmpirical(xs []float64) Empirical {
	values := slices.Clone(xs)
	slices.Sort(values)
	return Empirical{values}
}

// Validate wants at least one value, all finite, none negative, in ascending
// order.
func (l Empirical) Validate() error {
	f := check.Faults{Of: l}
	f.That(len(l.Values) > 0, "there is no value; give at least one")
	for i, x := range l.Values {
		if !(x >= 0 && x <= mostParameter) {
			f.Add("the value %v is not a finite time; leave it out or fix it", x)
			break
		}
		if i > 0 && x < l.Values[i-1] {
			f.Add("the value %v comes after %v; build the law with Empirical, which sorts", x, l.Values[i-1])
			break
		}
	}
	return f.Err("")
}

// Mean is the average.
func (l Empirical) Mean() float64 {
	sum := 0.0
	for _, x := range l.Values {
		sum += x
	}
	return sum / float64(len(l.Values))
}

// Variance is the mean squared distance to the average.
func (l Empirical) Variance() float64 {
	m, sum := l.Mean(), 0.0
	for _, x := range l.Values {
		sum += (x - m) * (x - m)
	}
	return sum / float64(len(l.Values))
}

// Survival is the fraction of values above x.
func (l Empirical) Survival(x float64) float64 {
	n := len(l.Values)
	above := n - sort.Search(n, func(i int) bool { return l.Values[i] > x })
	return float64(above) / float64(n)
}

// Quantile is the smallest value with at least a fraction p of them at or
// below it.
func (l Empirical) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	n := len(l.Values)
	i := int(math.Ceil(p*float64(n))) - 1
	if float64(i)/float64(n) >= p { // the product was rounded up past a whole number
		i--
	}
	return l.Values[max(i, 0)]
}

// Laplace averages exp(-sx).
func (l Empirical) Laplace(s float64) float64 {
	sum := 0.0
	for _, x := range l.Values {
		sum += math.Exp(-s * x)
	}
	return sum / float64(len(l.Values))
}

// Sample picks a value, falling in U; one word.
func (l Empirical) Sample(rng rand.Source) float64 {
	n := len(l.Values)
	return l.Values[int((1-unit(rng))*float64(n))] // 1-U ≤ 1-2^-53: the product is not rounded up to n
}

// Scaled scales all values.
func (l Empirical) Scaled(c float64) Law {
	values := slices.Clone(l.Values)
	for i := range values {
		values[i] *= c
	}
	return Empirical{values}
}

// String is "Empirical([]float64{…})" up to six values. More are summed up, with
// a checksum that tells traces apart.
func (l Empirical) String() string {
	n := len(l.Values)
	if n <= 6 {
		return "Empirical(" + vector(l.Values) + ")"
	}
	sum := fnv.New64a()
	for _, x := range l.Values {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], math.Float64bits(x))
		sum.Write(word[:])
	}
	return fmt.Sprintf("Empirical(%d values from %v to %v, checksum %016x)", n, l.Values[0], l.Values[n-1], sum.Sum64())
}

// Excess averages what the values exceed x by.
func (l Empirical) Excess(x float64) (sum float64) {
	for _, v := range l.Values[sort.SearchFloat64s(l.Values, x):] {
		sum += v - x
	}
	return sum / float64(len(l.Values))
}

// Spread weighs every value by itself.
func (l Empirical) Spread() Law {
	var w weighed
	total := 0.0
	for _, x := range l.Values {
		if x > 0 {
			total += x
			w.values, w.upTo = append(w.values, x), append(w.upTo, total)
		}
	}
	for i := range w.upTo {
		w.upTo[i] /= total
	}
	return w
}

// Form is "Empirical" of values.
func (l Empirical) Form() Form {
	return Form{"Empirical", []Parameter{{"values", l.Values}}}
}

func init() {
	register(NewEmpirical([]float64{1, 2}).Form(), func(f Form) Law { return NewEmpirical(f.Floats("values")) })
}
