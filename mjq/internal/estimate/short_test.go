package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestShort: short counts come to what a Histogram counts, whatever the numbers: often
// the same, of any size, at the ends of the octaves, twice over.
func TestShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, unit := range []float64{1, 1e-300, 1e300, 0.75} {
		var s Short
		s.From(unit, ShortOctaves/2)
		for range 2 {
			var want, got Histogram
			for range 5000 {
				x := unit * math.Ldexp(1+rng.Float64(), rng.IntN(60)-30)
				switch rng.IntN(4) {
				case 0:
					x = []float64{0, unit, math.Ldexp(unit, 3), math.Nextafter(unit, 0), math.SmallestNonzeroFloat64, math.MaxFloat64, math.Inf(1)}[rng.IntN(7)]
				case 1:
					x = unit
				}
				want.Add(x)
				s.Add(x)
			}
			s.MoveTo(&got)
			if a, b := fmt.Sprintf("%#v", got.Distribution()), fmt.Sprintf("%#v", want.Distribution()); a != b {
				t.Errorf("unit %v: short counts differ from those of a histogram", unit)
			}
		}
	}
}
