package estimate

import (
	"math"
	"slices"
)

// Cells of a histogram are the 2^cellBits equal parts of every octave
// [2^k, 2^(k+1)): a relative width below 0.4 %, found by shifting the bits of
// the number. Interpolation inside a cell leaves an error of the order of the
// squared width where the density is smooth.
const (
	cellBits  = 8
	cellShift = 52 - cellBits
	octave    = 1 << cellBits
	lowest    = 1023 - 40 // octaves from 2^-40 to 2^64; outside is clamped
	octaves   = 104
)

// Histogram counts observations of a non-negative number in constant memory:
// at most 104 octaves of 256 cells, each octave made when first met. Zero is
// counted by itself, since a wait of zero has positive probability.
type Histogram struct {
	zero   uint64
	counts [octaves]*[octave]uint64
}

// Add observes x ≥ 0.
func (h *Histogram) Add(x float64) {
	if x <= 0 {
		h.zero++
		return
	}
	cell := math.Float64bits(x) >> cellShift
	k := int(cell>>cellBits) - lowest
	k = min(max(k, 0), octaves-1)
	if h.counts[k] == nil {
		h.counts[k] = new([octave]uint64)
	}
	h.counts[k][cell&(octave-1)]++
}

// Merge adds the counts of q.
func (h *Histogram) Merge(q *Histogram) {
	h.zero += q.zero
	for k, from := range q.counts {
		if from == nil {
			continue
		}
		if h.counts[k] == nil {
			h.counts[k] = new([octave]uint64)
		}
		for i, c := range from {
			h.counts[k][i] += c
		}
	}
}

// AddCells adds observations counted elsewhere: so many zeros, and for every
// octave in turn its 256 cells.
func (h *Histogram) AddCells(zeros uint64, cells []uint64) {
	h.zero += zeros
	for i, n := range cells {
		if n == 0 {
			continue
		}
		k := i >> cellBits
		if h.counts[k] == nil {
			h.counts[k] = new([octave]uint64)
		}
		h.counts[k][i&(octave-1)] += n
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
				d.Cells = append(d.Cells, int32(k<<cellBits|i))
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
	at := func(c uint64) float64 { return math.Float64frombits((c + lowest<<cellBits) << cellShift) }
	return at(uint64(cell)), at(uint64(cell) + 1)
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
