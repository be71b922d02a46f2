package stream

// words hands out the 64-bit words of one purpose of one job, in order. It is
// the rand.Source that laws sample from.
type words struct {
	key         uint64
	job, at     uint64 // the counter of the next block
	ready       [2]uint64
	next, count int
}

// Uint64 is the next word.
func (w *words) Uint64() uint64 {
	if w.next == w.count {
		w.ready[0], w.ready[1] = philox(w.job, w.at, w.key)
		w.at += 1 << blockShift
		w.next, w.count = 0, 2
	}
	v := w.ready[w.next]
	w.next++
	return v
}

// reset starts the words of another job or purpose.
func (w *words) reset(job, at uint64) {
	w.job, w.at = job, at
	w.next, w.count = 0, 0
}

// resetAfter is reset with a word already drawn to come first.
func (w *words) resetAfter(first, job, at uint64) {
	w.job, w.at = job, at
	w.ready[0], w.next, w.count = first, 0, 1
}
