package estimate

import (
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/result"
)

// Log counts observations of many quantities, each of which sees few. Its memory grows
// with the cells in which something was seen, not with the octaves between them. Cells
// are those of a Histogram. It sorts few keys at a time, so that an interrupted run ends soon.
type Log struct {
	fresh []uint64  // keys as they came
	runs  [][]Count // ascending, each at least twice as long as the next
	// Stop ends the merging of runs once it is set; nil never does. An interrupted run has no time
	// to merge millions of counts.
	Stop *atomic.Bool
}

// Count is how often a cell of a quantity was met.
type Count struct {
	key uint64
	N   uint64
}

const (
	logCell   = 20      // bits of a key below the quantity: 0, or 1 and the number of a cell
	logAtOnce = 1 << 16 // number of keys that are sorted
)

// Of is the quantity.
func (c Count) Of() int { return int(c.key >> logCell) }

// cell is the octave's exponent and the number of the cell in it; none for 0.
func (c Count) cell() (exponent, i int, zero bool) {
	k := int(c.key & (1<<logCell - 1))
	return (k - 1) >> cellBits, (k - 1) & (octave - 1), k == 0
}

// zero reports whether it counts zeros.
func (c Count) zero() bool { return c.key&(1<<logCell-1) == 0 }

// number is that of the cell in a result.Distribution.
func (c Count) number() int32 { return int32(int(c.key&(1<<logCell-1)) - 1 - lowest<<cellBits) }

// Add observes x ≥ 0 of a quantity.
func (l *Log) Add(of int, x float64) {
	key := uint64(of) << logCell
	if !(x <= 0) {
		key |= 1 + math.Float64bits(x)>>cellShift
	}
	if l.fresh = append(l.fresh, key); len(l.fresh) >= logAtOnce {
		l.Settle()
	}
}

// Settle makes a run of the fresh keys.
func (l *Log) Settle() {
	if len(l.fresh) == 0 {
		return
	}
	slices.Sort(l.fresh)
	different := 1
	for i, key := range l.fresh[1:] {
		if key != l.fresh[i] {
			different++
		}
	}
	run := make([]Count, 0, different)
	for _, key := range l.fresh {
		run = counted(run, Count{key, 1})
	}
	l.fresh = l.fresh[:0]
	l.push(run)
}

// push adds a run, and merges it with those that are not much longer.
func (l *Log) push(run []Count) {
	for n := len(l.runs); n > 0 && len(l.runs[n-1]) < 2*len(run); n-- {
		both, ok := merged(nil, l.runs[n-1], run, l.Stop)
		if !ok {
			break
		}
		run, l.runs = both, l.runs[:n-1]
	}
	l.runs = append(l.runs, run)
}

// Counts is what was counted, by quantity and then by cell, both ascending.
func (l *Log) Counts() []Count {
	l.Settle()
	all := mergedAll(l.runs, new(Buffer))
	l.runs = append(l.runs[:0], all)
	return all
}

// Of returns the counts of n quantities, of which from is the first. They are valid until the buffer
// is used again. After Settle, goroutines with a buffer each may call it at the same time.
func (l *Log) Of(from, n int, buffer *Buffer) []Count {
	var few [16][]Count
	runs := few[:0]
	for _, run := range l.runs {
		until := func(of int) int {
			return sort.Search(len(run), func(i int) bool { return run[i].Of() >= of })
		}
		runs = append(runs, run[until(from):until(from+n)])
	}
	return mergedAll(runs, buffer)
}

// Reset forgets all counts.
func (l *Log) Reset() { l.fresh, l.runs = l.fresh[:0], l.runs[:0] }

// MoveTo adds the counts to q and forgets them.
func (l *Log) MoveTo(q *Log) {
	l.Settle()
	for _, run := range l.runs {
		q.push(run)
	}
	l.runs = nil
}

// Buffer is memory in which counts are merged, so that thousands of classes leave no garbage.
type Buffer [2][]Count

// mergedAll are the counts of all runs, of which the last are the shortest.
func mergedAll(runs [][]Count, buffer *Buffer) (all []Count) {
	to := 0 // what is merged so far is in the other half of the buffer
	for _, run := range slices.Backward(runs) {
		if len(all) == 0 || len(run) == 0 {
			all, _ = merged(nil, run, all, nil)
			continue
		}
		all, _ = merged(buffer[to], run, all, nil)
		buffer[to], to = all, 1-to
	}
	return all
}

// merged merges two ascending lists. It returns one of them if the other is empty, and otherwise
// writes to the memory of out if that suffices; ok is false if stop ended it.
func merged(out, a, b []Count, stop *atomic.Bool) (_ []Count, ok bool) {
	if len(a) == 0 {
		return b, true
	}
	if len(b) == 0 {
		return a, true
	}
	if cap(out) < len(a)+len(b) {
		out = make([]Count, 0, len(a)+len(b))
	}
	out = out[:len(a)+len(b)]
	i, j, n := 0, 0, 0
	for ; i < len(a) && j < len(b); n++ {
		if n%stopped == 0 && stop != nil && stop.Load() {
			return nil, false
		}
		x, y := a[i], b[j]
		ofA, ofB := atMost(x.key, y.key), atMost(y.key, x.key)
		out[n] = Count{min(x.key, y.key), x.N&-ofA + y.N&-ofB}
		i, j = i+int(ofA), j+int(ofB)
	}
	n += copy(out[n:], a[i:])
	n += copy(out[n:], b[j:])
	return out[:n], true
}

// atMost is 1 if a is at most b and else 0, without a branch that the processor would mispredict.
func atMost(a, b uint64) (yes uint64) {
	if a <= b {
		yes = 1
	}
	return yes
}

// stopped is the number of counts that are merged between two checks of Log.Stop.
const stopped = 4096

// counted appends a count, or adds it to the last one if that is of the same cell.
func counted(list []Count, c Count) []Count {
	if n := len(list); n > 0 && list[n-1].key == c.key {
		list[n-1].N += c.N
		return list
	}
	return append(list, c)
}

// Distributions are Histogram.Distribution of n quantities from one on, whose counts are given.
func Distributions(counts []Count, from, n int) []result.Distribution {
	list, cells, weights := make([]result.Distribution, n), make([]int32, len(counts)), make([]float64, len(counts))
	at := 0
	for i := range list {
		d, begin, total := &list[i], at, uint64(0)
		for ; len(counts) > 0 && counts[0].Of() == from+i; counts = counts[1:] {
			c := counts[0]
			if total += c.N; c.zero() {
				d.Zero = float64(c.N)
				continue
			}
			cells[at], weights[at] = c.number(), float64(c.N)
			at++
		}
		if d.Total = float64(total); at > begin {
			d.Cells, d.Weights = cells[begin:at:at], weights[begin:at:at]
		}
	}
	return list
}

// TakeCounts is Take of counts.
func (s *Spread) TakeCounts(counts []Count, weight float64) {
	for _, c := range counts {
		w := float64(weight * float64(c.N))
		if exponent, i, zero := c.cell(); zero {
			s.atZero += w
			s.weight += w
		} else {
			s.put(exponent, i, w)
		}
	}
}
