package policy

// line is a first-come first-served line: a ring that doubles when full. Its zero
// value is empty.
type line struct {
	ring         []int32 // its length is a power of two, or 0
	first, count int
}

func (l *line) push(x int32) {
	if l.count == len(l.ring) {
		ring := make([]int32, max(64, 2*len(l.ring)))
		n := copy(ring, l.ring[l.first:])
		copy(ring[n:], l.ring[:l.first])
		l.ring, l.first = ring, 0
	}
	l.ring[(l.first+l.count)&(len(l.ring)-1)] = x
	l.count++
}

// head is the first; there must be one.
func (l *line) head() int32 { return l.ring[l.first] }

// pop removes the first and returns it.
func (l *line) pop() int32 {
	x := l.ring[l.first]
	l.first = (l.first + 1) & (len(l.ring) - 1)
	l.count--
	return x
}
