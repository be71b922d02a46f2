package ring

import (
	"math/rand/v2"
	"testing"
)

// TestLine plays random pushes and pops against a list, across several doublings.
func TestLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var l Line[int]
	var list []int
	for step := range 20_000 {
		if len(list) == 0 || rng.IntN(1000) < 510 {
			l.Push(step)
			list = append(list, step)
		} else {
			l.Pop()
			list = list[1:]
		}
		if l.Len() != len(list) {
			t.Fatalf("%d values of %d", l.Len(), len(list))
		}
		if n := len(list); n > 0 && (*l.Head() != list[0] || *l.At(n - 1) != list[n-1] || *l.At(n / 2) != list[n/2]) {
			t.Fatalf("step %d: head %d, middle %d and end %d, want %d, %d and %d", step, *l.Head(), *l.At(n / 2), *l.At(n - 1), list[0], list[n/2], list[n-1])
		}
	}
	if l.Clear(); l.Len() != 0 {
		t.Error("not empty after Clear")
	}
}
