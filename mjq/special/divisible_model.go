package special

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq"
)

// maxUnits is the most servers that Model looks for.
const maxUnits = 100_000

// Model is the same queue with servers: the smallest number s of at most 100 000 of them for
// which every need is a whole number of s-ths of the total, to within rounding (5e-15 of the
// total). It has no arrivals. It is an error when there is no such number, as for a need of
// √2/2 of the total. Cost: of order s times the number of classes.
func (d Divisible) Model() (mjq.Model, error) {
	if err := d.Err(); err != nil {
		return mjq.Model{}, err
	}
	shares := d.Classes()
	for s := 1; s <= maxUnits; s++ {
		if classes, ok := d.whole(shares, s); ok {
			m := mjq.Servers(s).Classes(classes...)
			return m, m.Err()
		}
	}
	var needs []float64
	for _, c := range shares {
		needs = append(needs, c.Need)
	}
	return mjq.Model{}, fmt.Errorf("Divisible: the needs %v and the total %v are no whole multiples of a common unit (down to the total over %d); use fractions such as 1./3 at full precision, or the methods of the divisible resource itself",
		needs, d.total, maxUnits)
}

// whole is the classes in units of 1/s of the total, if they are whole.
func (d Divisible) whole(shares []DivisibleClass, s int) ([]mjq.Class, bool) {
	var classes []mjq.Class
	for _, c := range shares {
		x := c.Need / d.total
		k := math.Round(x * float64(s))
		if k < 1 || math.Abs(x-k/float64(s)) > 5e-15 {
			return nil, false
		}
		classes = append(classes, mjq.Class{Name: c.Name, Need: int(k), Prob: c.Prob, Service: c.Service})
	}
	return classes, true
}
