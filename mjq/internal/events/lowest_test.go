package events

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestLowest holds the lowest bits against taking them one by one.
func TestLowest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		set := rng.Uint64() | rng.Uint64()>>rng.IntN(64)
		for want, n := uint64(0), 1; n < bits.OnesCount64(set); n++ {
			rest := set &^ want
			want |= rest & -rest
			if got := lowest(set, n); got != want {
				t.Fatalf("the lowest %d of %x are %x, want %x", n, set, got, want)
			}
		}
	}
}
