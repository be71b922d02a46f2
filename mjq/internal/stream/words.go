package stream

import "github.com/mjqueue/mjq/mjq/law"

// words hands out the 64-bit words of one purpose of one job, in order. It is
// the rand.Source that laws sample from.
type words struct {
	key         uint64
	job, at     uint64 // the counter of the next block
	ready       [3]uint64
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

// resetAfterThree is reset with three words already drawn to come first.
func (w *words) resetAfterThree(first, second, third, job, at uint64) {
	w.job, w.at = job, at
	w.ready, w.next, w.count = [3]uint64{first, second, third}, 0, 3
}

// wordiness is the part of a sampler's values that take more than one word, which decides how jobs
// are drawn, but not what. It is 1 where each of the first few does: a value of a law of many
// phases takes very many words. A value of one that is long takes more than a look at a flag.
func wordiness(s law.Sampler) (part float64, long bool) {
	const few, tries, many = 4, 64, 16 // words
	w, more := words{key: domain}, 0
	_, long = s.(foreign)
	for i := range uint64(tries) {
		if i == few && more == few {
			return 1, long
		}
		w.reset(i, 0)
		s.Sample(&w)
		if w.at > 1<<blockShift || w.next > 1 {
			more++
		}
		long = long || w.at > many<<(blockShift-1)
	}
	return float64(more) / tries, long
}
