package estimate

import (
	"math"
	"slices"
	"sort"

	"github.com/mjqueue/mjq/mjq/result"
)

// Log counts observations of many quantities, each of which sees few. Its memory grows
// with the cells in which something was seen, not with the octaves between them. Cells
// are those of a Histogram.
type Log struct {
	fresh  []uint64 // keys as they came
	counts []Count  // ascending
}

// Count is how often a cell of a quantity was met.
type Count struct {
	key uint64
	N   uint64
}

const (
	logCell   = 20      // bits of a key below the quantity: 0, or 1 and the number of a cell
	logAtOnce = 1 << 16 // least number of keys that are sorted
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
	if l.fresh = append(l.fresh, key); len(l.fresh) >= max(logAtOnce, len(l.counts)) {
		l.Counts()
	}
}

// Counts is what was counted, by quantity and then by cell, both ascending.
func (l *Log) Counts() []Count {
	if len(l.fresh) == 0 {
		return l.counts
	}
	slices.Sort(l.fresh)
	var fresh []Count
	for _, key := range l.fresh {
		fresh = counted(fresh, Count{key, 1})
	}
	l.counts, l.fresh = merged(l.counts, fresh), l.fresh[:0]
	return l.counts
}

// MoveTo adds the counts to q and forgets them.
func (l *Log) MoveTo(q *Log) {
	q.counts, l.counts = merged(q.Counts(), l.Counts()), nil
}

// merged are the counts of two ascending lists, of which one may be used for it.
func merged(a, b []Count) []Count {
	if len(a) == 0 {
		return b
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

// Distributions are Histogram.Distribution of n quantities from one on, of ascending counts.
func Distributions(counts []Count, from, n int) []result.Distribution {
	until := func(of int) int {
		return sort.Search(len(counts), func(i int) bool { return counts[i].Of() >= of })
	}
	counts = counts[until(from):until(from+n)]
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
	groups int
	n, nn  float64
	zero   below
	edges  []edge // ascending
}

// edge is the upper end of a cell.
type edge struct {
	key uint64
	below
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
	c, before := 0.0, r.zero // of the group, and of earlier ones
	if counts[0].zero() {
		c, counts = float64(counts[0].N), counts[1:]
	}
	r.zero.add(c, n)
	if r.groups == 1 {
		r.begin(counts, c)
		return
	}
	r.room(counts)
	for i := range r.edges {
		e := &r.edges[i]
		if e.fresh() {
			e.below = before
		}
		before = e.below
		if len(counts) > 0 && counts[0].key&(1<<logCell-1) == e.key {
			c += float64(counts[0].N)
			counts = counts[1:]
		}
		e.add(c, n)
	}
}

// begin makes the edges of the first group, of which so many are 0.
func (r *Row) begin(counts []Count, c float64) {
	r.edges = make([]edge, len(counts))
	for i, count := range counts {
		c += float64(count.N)
		r.edges[i].key = count.key & (1<<logCell - 1)
		r.edges[i].add(c, r.n)
	}
}

// fresh reports whether no group has been added at the edge.
func (e *edge) fresh() bool { return e.cn < 0 }

// room makes edges where the counts have some and there are none.
func (r *Row) room(counts []Count) {
	missing := 0
	at := 0
	for _, c := range counts {
		key := c.key & (1<<logCell - 1)
		for at < len(r.edges) && r.edges[at].key < key {
			at++
		}
		if at == len(r.edges) || r.edges[at].key != key {
			missing++
		}
	}
	if missing == 0 {
		return
	}
	at = len(r.edges) - 1
	r.edges = append(r.edges, make([]edge, missing)...)
	for to, k := len(r.edges)-1, len(counts)-1; k >= 0; to-- {
		key := counts[k].key & (1<<logCell - 1)
		if at >= 0 && r.edges[at].key >= key {
			if r.edges[at].key == key {
				k--
			}
			r.edges[to] = r.edges[at]
			at--
			continue
		}
		r.edges[to] = edge{key: key, below: below{cn: -1}}
		k--
	}
}

// Distribution is Histogram.Distribution.
func (r *Row) Distribution() result.Distribution {
	d := result.Distribution{Zero: r.zero.c, Total: r.n}
	if len(r.edges) > 0 {
		d.Cells, d.Weights = make([]int32, len(r.edges)), make([]float64, len(r.edges))
	}
	last := r.zero.c
	for i, e := range r.edges {
		d.Cells[i], d.Weights[i] = int32(int(e.key)-1-lowest<<cellBits), e.c-last
		last = e.c
	}
	return d
}

// Precision is Spread.Precision.
func (r *Row) Precision() result.Precision {
	return precision(r.groups, r.n, r.nn, 1+len(r.edges), func(i int) below {
		if i == 0 {
			return r.zero
		}
		return r.edges[i-1].below
	})
}

// TakeCounts is Take of counts.
func (s *Spread) TakeCounts(counts []Count) {
	for _, c := range counts {
		if exponent, i, zero := c.cell(); zero {
			s.atZero += float64(c.N)
			s.weight += float64(c.N)
		} else {
			s.put(exponent, i, float64(c.N))
		}
	}
}
