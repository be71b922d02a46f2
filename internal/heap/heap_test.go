package heap

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap plays random pushes, pops and removals, with many equal keys, against a sorted
// list; ties tell equal keys apart.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var h Heap
		var list []Item
		tracked := rng.IntN(2) == 0
		for step := range 300 {
			switch op := rng.IntN(5); {
			case op < 3:
				x := Item{float64(rng.IntN(8)), int64(step), int32(step)}
				if tracked {
					h.Track(x.ID)
				}
				h.Push(x)
				list = append(list, x)
			case len(list) == 0:
			case op == 3 || !tracked:
				slices.SortFunc(list, func(a, b Item) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Tie, b.Tie)) })
				if got := h.Pop(); got != list[0] {
					t.Fatalf("popped %v, want %v", got, list[0])
				}
				list = list[1:]
			default:
				i := rng.IntN(len(list))
				if h.Key(list[i].ID) != list[i].Key {
					t.Fatalf("the key of %v is told as %v", list[i], h.Key(list[i].ID))
				}
				h.Remove(list[i].ID)
				list = slices.Delete(list, i, i+1)
			}
			least := math.Inf(1)
			for _, x := range list {
				least = min(least, x.Key)
			}
			if h.Least() != least || len(h.Items) != len(list) {
				t.Fatalf("least %v of %d, want %v of %d", h.Least(), len(h.Items), least, len(list))
			}
		}
		h.Shift(3)
		for i := range list {
			list[i].Key -= 3
		}
		if slices.SortFunc(list, func(a, b Item) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Tie, b.Tie)) }); len(list) > 0 && h.Items[0] != list[0] {
			t.Fatalf("after a shift the first is %v, want %v", h.Items[0], list[0])
		}
		if h.Clear(); len(h.Items) != 0 {
			t.Fatal("not empty after Clear")
		}
	}
}
