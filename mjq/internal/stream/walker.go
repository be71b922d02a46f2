package stream

import "github.com/mjqueue/mjq/internal/fastmath"

// walker reads the states of a bridge in one replication. It holds the intervals
// of all levels that the last number lies in, so that what the next shares with it
// is not drawn again.
type walker struct {
	*bridge
	key, rep uint64
	held     bool
	index    [farthest + 1]int64 // which interval of a level: from index·2^l on
	left     [farthest + 1]int32
	middles  [farthest + 1]int32
	right    [farthest + 1]int32
	scratch  []float64
	words    [ahead]uint64 // of jobs from on, as many as are ready
	spare    [ahead]uint64
	from     int64
	ready    int
}

func newWalker(b *bridge, key uint64) *walker {
	return &walker{bridge: b, key: key, scratch: make([]float64, b.n)}
}

// rewind turns to another replication.
func (w *walker) rewind(rep uint64) {
	if rep != w.rep {
		w.rep, w.held, w.ready = rep, false, 0
	}
}

// expect draws the words of n jobs together, for they are about to be wanted.
func (w *walker) expect(from int64, n int) {
	if w.n > 1 {
		draw(&w.words, &w.spare, uint64(from), counter(w.rep, forState, 0), w.key, n)
		w.from, w.ready = from, n
	}
}

// states are those of job n and of the next.
func (w *walker) states(n int64) (now, next int32) {
	if w.n == 1 {
		return 0, 0
	}
	l := 0
	for l < w.top && !(w.held && w.index[l] == n>>l) {
		l++
	}
	if l == w.top && !(w.held && w.index[l] == n>>l) {
		w.outermost(n >> l)
	}
	for w.held = true; l > 0; l-- {
		q := n >> (l - 1)
		w.index[l-1] = q
		if q&1 == 0 {
			w.left[l-1], w.right[l-1] = w.left[l], w.middles[l]
		} else {
			w.left[l-1], w.right[l-1] = w.middles[l], w.right[l]
		}
		w.halve(l - 1)
	}
	return w.left[0], w.right[0]
}

// halve draws the state in the middle of the interval held at level l, if it has
// one.
func (w *walker) halve(l int) {
	if l > 0 {
		w.middles[l] = w.middle(w.scratch, l, w.left[l], w.right[l], w.uniform((2*w.index[l]+1)<<(l-1)))
	}
}

// outermost draws the ends of interval q of the top level. If nothing is
// forgotten, there are four intervals at most, one after the other.
func (w *walker) outermost(q int64) {
	l := w.top
	switch {
	case w.held && w.forgets && w.index[l] == q-1:
		w.left[l], w.right[l] = w.right[l], w.end(q+1)
	case w.forgets:
		w.left[l], w.right[l] = w.end(q), w.end(q+1)
	default:
		w.right[l] = w.end(-2)
		for at := int64(-2); at <= q; at++ {
			w.left[l] = w.right[l]
			w.right[l] = w.after(l, w.left[l], w.uniform((at+1)<<l))
		}
	}
	w.index[l] = q
	w.halve(l)
}

// end is the state at the beginning of interval q of the top level, drawn from the
// stationary law.
func (w *walker) end(q int64) int32 { return first(w.start, w.uniform(q<<w.top)) }

// uniform is the number of (0, 1] that decides the state of a job.
func (w *walker) uniform(job int64) float64 {
	if i := uint64(job - w.from); i < uint64(w.ready) {
		return fastmath.Unit(w.words[i])
	}
	word, _ := philox(uint64(job), counter(w.rep, forState, 0), w.key)
	return fastmath.Unit(word)
}
