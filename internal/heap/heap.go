// Package heap orders what is numbered by small IDs, the least key first: a binary heap,
// which may know where each ID is, so that one can be taken out of the middle.
package heap

import "math"

// Item is a member of a heap: the least Key comes first, of equal keys the least Tie. Of
// two that are equal in both either may.
type Item struct {
	Key float64
	Tie int64
	ID  int32
}

// Before reports whether a comes before b.
func (a *Item) Before(b *Item) bool { return a.Key < b.Key || a.Key == b.Key && a.Tie < b.Tie }

// Heap is a heap of items. Its zero value is empty.
type Heap struct {
	Items []Item  // the first at 0, the others in the order of the heap
	at    []int32 // by ID; nil unless Track has been called
}

// Track has the heap know from now on where the items are whose ID is at most id, for
// Remove and Key. There must be no others.
func (h *Heap) Track(id int32) {
	for int(id) >= len(h.at) {
		h.at = append(h.at, 0)
	}
}

// Clear takes all items out.
func (h *Heap) Clear() { h.Items = h.Items[:0] }

// Least is the key of the first item, +Inf without one.
func (h *Heap) Least() float64 {
	if len(h.Items) == 0 {
		return math.Inf(1)
	}
	return h.Items[0].Key
}

// Key is that of a tracked item, which must be there.
func (h *Heap) Key(id int32) float64 { return h.Items[h.at[id]].Key }

// Push puts an item in.
func (h *Heap) Push(x Item) {
	h.Items = append(h.Items, x)
	h.up(len(h.Items)-1, x)
}

// Pop takes the first item out; there must be one.
func (h *Heap) Pop() Item {
	first := h.Items[0]
	h.fill(0)
	return first
}

// Remove takes a tracked item out, which must be there.
func (h *Heap) Remove(id int32) { h.fill(int(h.at[id])) }

// Shift takes by from all keys, of which rounding must keep the order.
func (h *Heap) Shift(by float64) {
	for i := range h.Items {
		h.Items[i].Key -= by
	}
}

// fill puts the last item into a place that has become empty.
func (h *Heap) fill(at int) {
	n := len(h.Items) - 1
	x := h.Items[n]
	h.Items = h.Items[:n]
	switch {
	case at == n:
	case at > 0 && x.Before(&h.Items[(at-1)/2]):
		h.up(at, x)
	default:
		h.down(at, x)
	}
}

// up puts x into an empty place or above it.
func (h *Heap) up(at int, x Item) {
	for at > 0 {
		parent := (at - 1) / 2
		if !x.Before(&h.Items[parent]) {
			break
		}
		h.put(at, h.Items[parent])
		at = parent
	}
	h.put(at, x)
}

// down puts x into an empty place or below it.
func (h *Heap) down(at int, x Item) {
	s := h.Items
	for child := 2*at + 1; child < len(s); child = 2*at + 1 {
		if child+1 < len(s) && s[child+1].Before(&s[child]) {
			child++
		}
		if !s[child].Before(&x) {
			break
		}
		h.put(at, s[child])
		at = child
	}
	h.put(at, x)
}

func (h *Heap) put(at int, x Item) {
	h.Items[at] = x
	if h.at != nil {
		h.at[x.ID] = int32(at)
	}
}
