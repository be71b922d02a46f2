package events

// waiting is a job in line.
type waiting struct {
	arrival, service float64
	class, need      int32
}

// line is the first-come first-served line: a ring that doubles when full, so
// that memory grows with the longest line.
type line struct {
	ring  []waiting // its length is a power of two, or 0
	first int       // index of the head
	count int
}

func (l *line) clear() { l.first, l.count = 0, 0 }

func (l *line) push(j waiting) {
	if l.count == len(l.ring) {
		l.grow()
	}
	l.ring[(l.first+l.count)&(len(l.ring)-1)] = j
	l.count++
}

// head is the job that has waited longest; there must be one.
func (l *line) head() *waiting { return &l.ring[l.first] }

func (l *line) pop() {
	l.first = (l.first + 1) & (len(l.ring) - 1)
	l.count--
}

// shift makes time by the new origin.
func (l *line) shift(by float64) {
	for i := range l.count {
		l.ring[(l.first+i)&(len(l.ring)-1)].arrival -= by
	}
}

func (l *line) grow() {
	ring := make([]waiting, max(64, 2*len(l.ring)))
	n := copy(ring, l.ring[l.first:])
	copy(ring[n:], l.ring[:l.first])
	l.ring, l.first = ring, 0
}
