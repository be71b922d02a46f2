package stream

import (
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

// many takes so many words for each value, and counts them.
type many struct{ each, taken *int }

func (m many) Sample(rng rand.Source) float64 {
	for range *m.each {
		*m.taken++
		rng.Uint64()
	}
	return 1
}

// TestWordiness: it takes no more than four values to know that all take more than one word.
func TestWordiness(t *testing.T) {
	for each, want := range map[int]float64{0: 0, 1: 0, 2: 1, 100_000: 1} {
		taken := 0
		if got, long := wordiness(many{&each, &taken}); !oracle.SameBits(got, want) || taken > max(64, 4*each) || long != (each > 100) {
			t.Errorf("%d words a value: %v, after %d words; long: %v", each, got, taken, long)
		}
	}
	if got, long := wordiness(law.Prepare(law.ExpMean(1))); got > 0 || long {
		t.Errorf("exponential values: %v", got)
	}
}
