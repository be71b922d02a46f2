package estimate

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/result"
)

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
	missing := r.missing(counts)
	if missing == 0 {
		return
	}
	at := len(r.cells) - 1
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

// missing is how many cells of the counts the row lacks.
func (r *Row) missing(counts []Count) (n int) {
	at := 0
	for _, c := range counts {
		for at < len(r.cells) && r.cells[at] < c.number() {
			at++
		}
		if at == len(r.cells) || r.cells[at] != c.number() {
			n++
		}
	}
	return n
}

// AddBriefly is AddGroup for the last group of a row that is not asked for its precision: it leaves
// the edges, which are most of the work.
func (r *Row) AddBriefly(counts []Count) {
	if len(counts) == 0 {
		return
	}
	r.groups++
	if r.edges == nil {
		r.edges = make([]below, 1)
	}
	for _, c := range counts {
		r.n += float64(c.N)
	}
	if counts[0].zero() {
		r.edges[0].c += float64(counts[0].N)
		counts = counts[1:]
	}
	at, missing := len(r.cells)-1, r.missing(counts)
	r.cells, r.weights = append(r.cells, make([]int32, missing)...), append(r.weights, make([]float64, missing)...)
	for to, k := len(r.cells)-1, len(counts)-1; k >= 0; to-- {
		cell, w := counts[k].number(), float64(counts[k].N)
		if at >= 0 && r.cells[at] > cell {
			r.cells[to], r.weights[to] = r.cells[at], r.weights[at]
			at--
			continue
		}
		if at >= 0 && r.cells[at] == cell {
			w += r.weights[at]
			at--
		}
		r.cells[to], r.weights[to] = cell, w
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
