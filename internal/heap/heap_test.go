package heap

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap plays random pushes and pops, with many equal keys, against a sorted list; ties
// tell equal keys apart.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var h Heap
		var list []Item
		first := int32(rng.Uint32()) // which wraps around
		for step := range 300 {
			if len(list) == 0 || rng.IntN(5) < 3 {
				x := Item{float64(rng.IntN(8)), first + int32(rng.IntN(1<<30)), int32(step)}
				h.Push(x)
				list = append(list, x)
			} else {
				slices.SortFunc(list, func(a, b Item) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Tie-first, b.Tie-first)) })
				if got := h.Pop(); got != list[0] {
					t.Fatalf("popped %v, want %v", got, list[0])
				}
				list = list[1:]
			}
			least := math.Inf(1)
			for _, x := range list {
				least = min(least, x.Key)
			}
			if h.Least() != least || len(h) != len(list) {
				t.Fatalf("least %v of %d, want %v of %d", h.Least(), len(h), least, len(list))
			}
		}
	}
}
