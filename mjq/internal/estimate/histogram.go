package estimate

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/mjqueue/mjq/mjq/result"
)

// Cells of a histogram are the 2^cellBits equal parts of every octave
// [2^k, 2^(k+1)): a relative width below 0.4 %, found by shifting the bits of
// the number. Interpolation inside a cell leaves an error of the order of the
// squared width where the density is smooth. They are numbered from 2^-40 on,
// those below have negative numbers.
const (
	cellBits  = result.CellBits
	cellShift = 52 - cellBits
	octave    = 1 << cellBits
	lowest    = 1023 + result.FirstOctave // the exponent of octave 0, as a float64 has it
)

// Histogram counts observations of a non-negative number in little memory: an
// octave of 256 cells for every factor of two between the smallest and the
// largest of them, made when first met, whatever the unit of time. Zero is
// counted by itself, since a wait of zero has positive probability.
type Histogram struct {
	zero uint64
	octaves[counts]
}

// octaves are what there is of each octave.
type octaves[T any] struct {
	first int  // exponent of list[0], as a float64 has it
	list  []*T // by octave; nil: none
}

// reach makes the octave of an exponent and returns it.
func (o *octaves[T]) reach(exponent int) *T {
	switch n := len(o.list); {
	case n == 0:
		o.first, o.list = exponent, make([]*T, 1)
	case exponent < o.first:
		o.list = append(make([]*T, o.first-exponent), o.list...)
		o.first = exponent
	case exponent >= o.first+n:
		o.list = append(o.list, make([]*T, exponent-o.first-n+1)...)
	}
	k := exponent - o.first
	if o.list[k] == nil {
		o.list[k] = new(T)
	}
	return o.list[k]
}

// counts are those of an octave.
type counts struct {
	cells [octave]uint64
	met   uint64 // bit i is set if one of the cells from stride·i on may have a count
}

// stride is how many cells have a bit: thousands of histograms are read that have met few.
const stride = octave / 64

// add counts so many in a cell.
func (c *counts) add(i int, n uint64) {
	c.cells[i] += n
	c.met |= 1 << (i / stride)
}

// each calls use with neighbouring cells of which one may have a count, and the number of the
// first.
func (c *counts) each(use func(from int, cells []uint64)) {
	for met := c.met; met != 0; met &= met - 1 {
		from := stride * bits.TrailingZeros64(met)
		use(from, c.cells[from:from+stride])
	}
}

// Add observes x ≥ 0.
func (h *Histogram) Add(x float64) { h.AddMany(x, 1) }

// AddMany observes x ≥ 0 so many times.
func (h *Histogram) AddMany(x float64, n uint64) {
	if x <= 0 {
		h.zero += n
		return
	}
	cell := math.Float64bits(x) >> cellShift
	k := int(cell>>cellBits) - h.first
	if uint(k) < uint(len(h.list)) && h.list[k] != nil {
		h.list[k].add(int(cell&(octave-1)), n)
		return
	}
	h.reach(int(cell>>cellBits)).add(int(cell&(octave-1)), n)
}

// Merge adds the counts of q.
func (h *Histogram) Merge(q *Histogram) {
	h.zero += q.zero
	for k, from := range q.list {
		if from == nil {
			continue
		}
		to := h.reach(q.first + k)
		for i, n := range from.cells {
			to.cells[i] += n
		}
		to.met |= from.met
	}
}

// MoveTo appends the counts to a list, ascending, and forgets them.
func (h *Histogram) MoveTo(list []Count) []Count {
	if h.zero > 0 {
		list = append(list, Count{0, h.zero})
	}
	h.zero = 0
	for k, c := range h.list {
		if c == nil {
			continue
		}
		first := uint64(1 + (h.first+k)<<cellBits)
		c.each(func(from int, cells []uint64) {
			for i, n := range cells {
				if n > 0 {
					list = append(list, Count{first + uint64(from+i), n})
				}
			}
			clear(cells)
		})
		c.met = 0
	}
	return list
}

// AddCells adds observations counted elsewhere in a unit of 2^shift: so many
// zeros, and for every octave in turn, from 2^-40 of that unit on, its 256 cells.
func (h *Histogram) AddCells(zeros uint64, cells []uint64, shift int) {
	h.zero += zeros
	for i, n := range cells {
		if n > 0 {
			h.reach(min(max(lowest+shift+i>>cellBits, 0), 2046)).add(i&(octave-1), n)
		}
	}
}

// Reset forgets all counts and keeps the memory.
func (h *Histogram) Reset() {
	h.zero = 0
	for _, c := range h.list {
		if c != nil {
			*c = counts{}
		}
	}
}

// Distribution is the law that the histogram has seen, as plain data.
func (h *Histogram) Distribution() result.Distribution {
	most := 0
	for _, c := range h.list {
		if c != nil {
			most += stride * bits.OnesCount64(c.met)
		}
	}
	d := result.Distribution{Zero: float64(h.zero), Total: float64(h.zero)}
	if most == 0 {
		return d
	}
	room := found.Get().(*foundCells)
	defer found.Put(room)
	room.reach(most)
	at, total := 0, h.zero
	for k, c := range h.list {
		if c == nil {
			continue
		}
		first := int32((h.first + k - lowest) << cellBits)
		c.each(func(from int, cells []uint64) {
			for i, n := range cells {
				room.cells[at], room.weights[at] = first+int32(from+i), float64(n)
				total += n
				at += present(n) // else the next cell takes its place
			}
		})
	}
	d.Total = float64(total)
	if at > 0 {
		d.Cells, d.Weights = slices.Clone(room.cells[:at]), slices.Clone(room.weights[:at])
	}
	return d
}

// foundCells is room for the cells of a histogram and their counts, of which there are at most so
// many: thousands of histograms are read one after the other.
type foundCells struct {
	cells   []int32
	weights []float64
}

var found = sync.Pool{New: func() any { return new(foundCells) }}

func (r *foundCells) reach(most int) {
	if len(r.cells) < most {
		r.cells, r.weights = make([]int32, most), make([]float64, most)
	}
}

// present is 1 if there is something and else 0, without a jump that nobody could foretell.
func present(n uint64) int { return int((n | -n) >> 63) }
