package estimate

import (
	"math"
	"slices"
	"sort"

	"github.com/mjqueue/mjq/mjq/result"
)

// Log counts observations of many quantities, each of which sees few. Its memory grows
// with the cells in which something was seen, not with the octaves between them. Cells
// are those of a Histogram. It sorts few keys at a time, so that an interrupted run ends soon.
type Log struct {
	fresh []uint64  // keys as they came
	runs  [][]Count // ascending, each at least twice as long as the next
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
		run, l.runs = merged(l.runs[n-1], run), l.runs[:n-1]
	}
	l.runs = append(l.runs, run)
}

// Counts is what was counted, by quantity and then by cell, both ascending.
func (l *Log) Counts() []Count {
	l.Settle()
	all := mergedAll(l.runs)
	l.runs = append(l.runs[:0], all)
	return all
}

// Of returns the counts of n quantities from one on. Goroutines may call it at the same time after
// Settle.
func (l *Log) Of(from, n int) []Count {
	var buffer [16][]Count
	runs := buffer[:0]
	for _, run := range l.runs {
		until := func(of int) int {
			return sort.Search(len(run), func(i int) bool { return run[i].Of() >= of })
		}
		runs = append(runs, run[until(from):until(from+n)])
	}
	return mergedAll(runs)
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

// mergedAll are the counts of all runs, of which the last are the shortest.
func mergedAll(runs [][]Count) (all []Count) {
	for _, run := range slices.Backward(runs) {
		all = merged(run, all)
	}
	return all
}

// merged are the counts of two ascending lists, of which one may be used for it.
func merged(a, b []Count) []Count {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make([]Count, 0, len(a)+len(b))
	for _, c := range b {
		for len(a) > 0 && a[0].key <= c.key {
			out, a = counted(out, a[0]), a[1:]
		}
		out = counted(out, c)
	}
	for _, c := range a {
		out = counted(out, c)
	}
	return out
}

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
	list, cells, weights := make([]result.Distribution, n), make([]int32, 0, len(counts)), make([]float64, 0, len(counts))
	for i := range list {
		d, begin := &list[i], len(cells)
		for len(counts) > 0 && counts[0].Of() == from+i {
			c := counts[0]
			counts = counts[1:]
			if d.Total += float64(c.N); c.zero() {
				d.Zero = float64(c.N)
				continue
			}
			cells, weights = append(cells, c.number()), append(weights, float64(c.N))
		}
		if end := len(cells); end > begin {
			d.Cells, d.Weights = cells[begin:end:end], weights[begin:end:end]
		}
	}
	return list
}

// Row is a Histogram and a Spread of whole numbers in one, to the same digits. It keeps
// the fraction at most x only at the cells that were met, since nothing changes between
// these, and so takes little memory while they are few.
type Row struct {
	groups  int
	n, nn   float64
	cells   []int32   // ascending, as a result.Distribution has them
	weights []float64 // in these cells
	edges   []below   // at 0 and at the upper ends of the cells
}

// AddGroup adds the counts of a group, ascending; an empty one does not count.
func (r *Row) AddGroup(counts []Count) {
	n := 0.0
	for _, c := range counts {
		n += float64(c.N)
	}
	if n == 0 {
		return
	}
	r.groups++
	r.n += n
	r.nn += n * n
	if r.groups == 1 {
		r.edges = make([]below, 1, 1+len(counts))
	}
	c, before := 0.0, r.edges[0] // of the group, and of earlier ones
	if counts[0].zero() {
		c, counts = float64(counts[0].N), counts[1:]
	}
	r.edges[0].add(c, n)
	r.grow(counts)
	for i := range r.cells {
		e := &r.edges[1+i]
		if e.cn < 0 {
			*e = before
		}
		before = *e
		if len(counts) > 0 && counts[0].number() == r.cells[i] {
			w := float64(counts[0].N)
			r.weights[i] += w
			c += w
			counts = counts[1:]
		}
		e.add(c, n)
	}
}

// grow adds the cells of the counts that the row lacks. At their edges, of which
// nothing is known, the sum of c n is -1.
func (r *Row) grow(counts []Count) {
	missing := 0
	at := 0
	for _, c := range counts {
		for at < len(r.cells) && r.cells[at] < c.number() {
			at++
		}
		if at == len(r.cells) || r.cells[at] != c.number() {
			missing++
		}
	}
	if missing == 0 {
		return
	}
	at = len(r.cells) - 1
	r.cells, r.weights, r.edges = append(r.cells, make([]int32, missing)...), append(r.weights, make([]float64, missing)...), append(r.edges, make([]below, missing)...)
	for to, k := len(r.cells)-1, len(counts)-1; k >= 0; to-- {
		cell := counts[k].number()
		if at >= 0 && r.cells[at] >= cell {
			if r.cells[at] == cell {
				k--
			}
			r.cells[to], r.weights[to], r.edges[1+to] = r.cells[at], r.weights[at], r.edges[1+at]
			at--
			continue
		}
		r.cells[to], r.weights[to], r.edges[1+to] = cell, 0, below{cn: -1}
		k--
	}
}

// Distribution is Histogram.Distribution. It holds until a group is added: nothing is copied, for
// an interrupted run of ten thousand classes is to end soon.
func (r *Row) Distribution() (d result.Distribution) {
	if r.groups > 0 {
		d = result.Distribution{Zero: r.edges[0].c, Total: r.n, Cells: slices.Clip(r.cells), Weights: slices.Clip(r.weights)}
	}
	return d
}

// Precision is Spread.Precision.
func (r *Row) Precision() result.Precision { return precision(r.groups, r.n, r.nn, r.edges) }

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
