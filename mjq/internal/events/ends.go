package events

import "math"

// end is that of the service of a job of a class. At has the bits of the time, which
// are in order as the times are, since none is negative.
type end struct {
	at          uint64
	class, need int32
}

// never has the bits of +Inf.
const never = 0x7ff << 52

// ends is a heap of the services that go on, the earliest end first, with four children
// to a node: it is half as deep as one with two, and four lie together. Behind the
// last there are always some that never end, so that no node lacks a child.
type ends struct {
	heap []end
	n    int
}

// clear forgets all.
func (e *ends) clear() {
	if e.n = 0; len(e.heap) == 0 {
		e.heap = make([]end, 8)
	}
	for i := range e.heap {
		e.heap[i].at = never
	}
}

// first is the earliest end, +Inf without one.
func (e *ends) first() float64 { return math.Float64frombits(e.heap[0].at) }

func (e *ends) push(at float64, class, need int32) {
	if e.n+4 >= len(e.heap) {
		for range len(e.heap) {
			e.heap = append(e.heap, end{at: never})
		}
	}
	e.up(e.n, end{math.Float64bits(at), class, need})
	e.n++
}

// up puts x into an empty place or above it.
func (e *ends) up(at int, x end) {
	h := e.heap
	for at > 0 {
		parent := (at - 1) / 4
		if h[parent].at <= x.at {
			break
		}
		h[at] = h[parent]
		at = parent
	}
	h[at] = x
}

// pop removes the earliest, of which there must be one, and returns it. The empty place
// moves to a leaf first, which takes one comparison less a level, and the last then
// mostly stays there.
func (e *ends) pop() (root end) {
	h := e.heap
	root = h[0]
	e.n--
	last := h[e.n]
	h[e.n].at = never
	if e.n == 0 {
		return root
	}
	hole := 0
	for child := 1; child < e.n; child = 4*hole + 1 {
		four := (*[4]end)(h[child:])
		left, right := four[0].at, four[2].at
		a, b := 0, 2
		if four[1].at < left {
			a = 1
		}
		left = min(left, four[1].at)
		if four[3].at < right {
			b = 3
		}
		if right = min(right, four[3].at); right < left {
			a = b
		}
		h[hole] = four[a&3]
		hole = child + a
	}
	e.up(hole, last)
	return root
}

// remove takes one out, by its place in the heap.
func (e *ends) remove(at int) {
	for at > 0 {
		parent := (at - 1) / 4
		e.heap[at] = e.heap[parent]
		at = parent
	}
	e.heap[0].at = 0
	e.pop()
}

// shift moves the origin of time.
func (e *ends) shift(by float64) {
	for i := range e.heap[:e.n] {
		x := &e.heap[i]
		x.at = math.Float64bits(math.Float64frombits(x.at) - by)
	}
}
