// Package heap orders what is numbered by IDs, the least key first: a binary heap.
package heap

import "math"

// Item is a member of a heap: the least Key comes first, of equal keys the least Tie. Of
// two that are equal in both either may. Ties are the last bits of numbers that differ by
// less than 2^31, and in their order.
type Item struct {
	Key float64
	Tie int32
	ID  int32
}

// Before reports whether a comes before b.
func (a *Item) Before(b *Item) bool { return a.Key < b.Key || a.Key == b.Key && a.Tie-b.Tie < 0 }

// Heap is a heap of items, the first at 0. Its zero value is empty.
type Heap []Item

// Least is the key of the first item, +Inf without one.
func (h Heap) Least() float64 {
	if len(h) == 0 {
		return math.Inf(1)
	}
	return h[0].Key
}

// Push puts an item in.
func (h *Heap) Push(x Item) {
	s := append(*h, x)
	at := len(s) - 1
	for ; at > 0 && x.Before(&s[(at-1)/2]); at = (at - 1) / 2 {
		s[at] = s[(at-1)/2]
	}
	s[at] = x
	*h = s
}

// Pop takes the first item out; there must be one.
func (h *Heap) Pop() Item {
	s := *h
	first, n := s[0], len(s)-1
	x := s[n]
	s = s[:n]
	*h = s
	at := 0
	for child := 1; child < n; child = 2*at + 1 {
		if child+1 < n && s[child+1].Before(&s[child]) {
			child++
		}
		if !s[child].Before(&x) {
			break
		}
		s[at], at = s[child], child
	}
	if n > 0 {
		s[at] = x
	}
	return first
}
