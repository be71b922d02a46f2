// Package ring is a line in the order of arrival, in an array that is gone round and
// doubles when it is full.
package ring

// Line is a line of values. Its zero value is empty.
type Line[T any] struct {
	ring     []T // its length is a power of two, or 0
	first, n int
}

// Len is the number of values.
func (l *Line[T]) Len() int { return l.n }

// Clear takes all values out.
func (l *Line[T]) Clear() { l.first, l.n = 0, 0 }

// At is a value by its place from the head, which is 0; there must be one.
func (l *Line[T]) At(i int) *T { return &l.ring[(l.first+i)&(len(l.ring)-1)] }

// Head is the first value; there must be one.
func (l *Line[T]) Head() *T { return &l.ring[l.first&(len(l.ring)-1)] }

// Push puts a value at the end.
func (l *Line[T]) Push(x T) {
	if l.n == len(l.ring) {
		l.grow()
	}
	l.ring[(l.first+l.n)&(len(l.ring)-1)] = x
	l.n++
}

// PushFront puts a value before the first.
func (l *Line[T]) PushFront(x T) {
	if l.n == len(l.ring) {
		l.grow()
	}
	l.first = (l.first - 1) & (len(l.ring) - 1)
	l.ring[l.first] = x
	l.n++
}

// Pop takes the first value out; there must be one.
func (l *Line[T]) Pop() {
	l.first = (l.first + 1) & (len(l.ring) - 1)
	l.n--
}

func (l *Line[T]) grow() {
	ring := make([]T, max(64, 2*len(l.ring)))
	n := copy(ring, l.ring[l.first:])
	copy(ring[n:], l.ring[:l.first])
	l.ring, l.first = ring, 0
}
