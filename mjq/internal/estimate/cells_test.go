package estimate

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestSeenIsABatch holds the fast counts against the plain ones, with zeros and with
// times from the smallest that there are to the largest, and over several uses.
func TestSeenIsABatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, unit := range []float64{1, 0x1p-40, 0x1p300, 0x1p-1022, 0x1p500} {
		s := NewSeen(unit)
		draw := func(i int) float64 {
			switch i % 10 {
			case 0:
				return 0
			case 1:
				return math.Float64frombits(rng.Uint64N(0x7e<<56) >> 1)
			case 2:
				return unit * math.Ldexp(1, rng.IntN(2*around+4)-around-2)
			case 3:
				return unit * math.Ldexp(1-0x1p-53, rng.IntN(2*around+4)-around-2)
			}
			return unit * rng.ExpFloat64() * math.Ldexp(1, rng.IntN(80)-40)
		}
		for range 3 {
			var fast, plain [2]Histogram
			var batch Batch
			for range 20_000 {
				wait, service := draw(rng.IntN(100)), draw(rng.IntN(100))
				s.Add(wait, service)
				batch.N++
				batch.X += wait
				batch.X2 += wait * wait
				plain[0].Add(wait)
				plain[1].Add(wait + service)
			}
			if s.Flush(&fast[0], &fast[1]); s.Batch != batch {
				t.Fatalf("unit %v: sums %v, want %v", unit, s.Batch, batch)
			}
			s.Batch = Batch{}
			for i := range fast {
				if got, want := fast[i].Distribution(), plain[i].Distribution(); !reflect.DeepEqual(got, want) {
					t.Fatalf("unit %v: %d cells, %v zeros of %v; the histogram has %d, %v of %v",
						unit, len(got.Cells), got.Zero, got.Total, len(want.Cells), want.Zero, want.Total)
				}
			}
		}
	}
}
