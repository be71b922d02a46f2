package estimate

import (
	"math"
	"slices"
)

// Cells of a histogram are the 2^cellBits equal parts of every octave
// [2^k, 2^(k+1)): a relative width below 0.4 %, found by shifting the bits of
// the number. Interpolation inside a cell leaves an error of the order of the
// squared width where the density is smooth. They are numbered from 2^-40 on,
// those below have negative numbers.
const (
	cellBits  = 8
	cellShift = 52 - cellBits
	octave    = 1 << cellBits
	lowest    = 1023 - 40 // the exponent of octave 0, as a float64 has it
)

// Histogram counts observations of a non-negative number in little memory: an
// octave of 256 cells for every factor of two between the smallest and the
// largest of them, made when first met, whatever the unit of time. Zero is
// counted by itself, since a wait of zero has positive probability.
type Histogram struct {
	zero   uint64
	first  int               // exponent of counts[0], as a float64 has it
	counts []*[octave]uint64 // by octave; nil: none
}

// Add observes x ≥ 0.
func (h *Histogram) Add(x float64) {
	if x <= 0 {
		h.zero++
		return
	}
	cell := math.Float64bits(x) >> cellShift
	k := int(cell>>cellBits) - h.first
	if uint(k) >= uint(len(h.counts)) || h.counts[k] == nil {
		k = h.reach(int(cell >> cellBits))
	}
	h.counts[k][cell&(octave-1)]++
}

// reach makes the octave of an exponent and returns its index.
func (h *Histogram) reach(exponent int) int {
	switch n := len(h.counts); {
	case n == 0:
		h.first, h.counts = exponent, make([]*[octave]uint64, 1)
	case exponent < h.first:
		h.counts = append(make([]*[octave]uint64, h.first-exponent), h.counts...)
		h.first = exponent
	case exponent >= h.first+n:
		h.counts = append(h.counts, make([]*[octave]uint64, exponent-h.first-n+1)...)
	}
	k := exponent - h.first
	if h.counts[k] == nil {
		h.counts[k] = new([octave]uint64)
	}
	return k
}

// Merge adds the counts of q.
func (h *Histogram) Merge(q *Histogram) {
	h.zero += q.zero
	for k, from := range q.counts {
		if from == nil {
			continue
		}
		to := h.counts[h.reach(q.first+k)]
		for i, c := range from {
			to[i] += c
		}
	}
}

// AddCells adds observations counted elsewhere in a unit of 2^shift: so many
// zeros, and for every octave in turn, from 2^-40 of that unit on, its 256 cells.
func (h *Histogram) AddCells(zeros uint64, cells []uint64, shift int) {
	h.zero += zeros
	for i, n := range cells {
		if n > 0 {
			k := h.reach(min(max(lowest+shift+i>>cellBits, 0), 2046))
			h.counts[k][i&(octave-1)] += n
		}
	}
}

// Reset forgets all counts and keeps the memory.
func (h *Histogram) Reset() {
	h.zero = 0
	for _, c := range h.counts {
		if c != nil {
			*c = [octave]uint64{}
		}
	}
}

// Distribution is the law that the histogram has seen, as plain data.
func (h *Histogram) Distribution() Distribution {
	d := Distribution{Zero: float64(h.zero), Total: float64(h.zero)}
	for k, c := range h.counts {
		if c == nil {
			continue
		}
		for i, n := range c {
			if n > 0 {
				d.Cells = append(d.Cells, int32((h.first+k-lowest)<<cellBits+i))
				d.Weights = append(d.Weights, float64(n))
				d.Total += float64(n)
			}
		}
	}
	return d
}

// Distribution is an empirical law on [0, ∞): an atom at 0 and weights in
// narrow cells (relative width below 0.4 %), inside which mass is taken to be
// spread evenly. It is plain data and survives gob.
type Distribution struct {
	Zero, Total float64
	Cells       []int32
	Weights     []float64
}

// edges are the ends of a cell.
func edges(cell int32) (lo, hi float64) {
	at := func(c int64) float64 { return math.Float64frombits(uint64(c+lowest<<cellBits) << cellShift) }
	return at(int64(cell)), at(int64(cell) + 1)
}

// Mix is the mixture of distributions with the given probabilities.
func Mix(parts []Distribution, probs []float64) Distribution {
	mass := map[int32]float64{}
	var d Distribution
	for i, p := range parts {
		if p.Total == 0 {
			continue
		}
		w := probs[i] / p.Total
		d.Zero += w * p.Zero
		d.Total += probs[i]
		for j, c := range p.Cells {
			mass[c] += w * p.Weights[j]
		}
	}
	for c := range mass {
		d.Cells = append(d.Cells, c)
	}
	slices.Sort(d.Cells)
	for _, c := range d.Cells {
		d.Weights = append(d.Weights, mass[c])
	}
	return d
}

// CDF is the fraction of observations at most x; NaN without observations or
// for x = NaN. O(cells).
func (d *Distribution) CDF(x float64) float64 {
	if d.Total == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	if x < 0 {
		return 0
	}
	sum := d.Zero
	for i, c := range d.Cells {
		lo, hi := edges(c)
		if x < hi {
			if x > lo {
				sum += d.Weights[i] * (x - lo) / (hi - lo)
			}
			break
		}
		sum += d.Weights[i]
	}
	return min(1, sum/d.Total)
}

// Quantile is the smallest x whose CDF reaches p, for p in [0, 1]; NaN without
// observations or for another p. O(cells).
func (d *Distribution) Quantile(p float64) float64 {
	if d.Total == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	left := p*d.Total - d.Zero
	if left <= 0 || len(d.Cells) == 0 {
		return 0
	}
	for i, c := range d.Cells {
		if left <= d.Weights[i] {
			lo, hi := edges(c)
			return lo + (hi-lo)*left/d.Weights[i]
		}
		left -= d.Weights[i]
	}
	_, hi := edges(d.Cells[len(d.Cells)-1])
	return hi
}

// Density is a histogram estimate of the density on the given ascending edges:
// mass between two edges over their distance, the atom at 0 left out.
func (d *Distribution) Density(at []float64) []float64 {
	out := make([]float64, max(0, len(at)-1))
	for i := range out {
		lo := d.CDF(at[i])
		if at[i] <= 0 {
			lo = d.Zero / d.Total
		}
		out[i] = (d.CDF(at[i+1]) - lo) / (at[i+1] - at[i])
	}
	return out
}
