package result

import "math"

// A Distribution has its mass in cells, the 2^CellBits equal parts of every octave
// [2^k, 2^(k+1)): a relative width below 0.4 %. Cells are numbered from those of
// [2^FirstOctave, 2^(FirstOctave+1)) on; those below have negative numbers.
const (
	CellBits    = 8
	FirstOctave = -40

	cellShift = 52 - CellBits
	lowest    = 1023 + FirstOctave // the exponent of that octave, as a float64 has it
)

// Distribution is an empirical law on [0, ∞): an atom at 0 and weights in
// narrow cells (relative width below 0.4 %), inside which mass is taken to be
// spread evenly. It is plain data and survives gob.
type Distribution struct {
	Zero, Total float64
	Cells       []int32
	Weights     []float64
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
			return min(1, sum/d.Total)
		}
		sum += d.Weights[i]
	}
	return 1 // and not the sum of all weights over Total, which is rounded
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

// edges are the ends of a cell.
func edges(cell int32) (lo, hi float64) {
	at := func(c int64) float64 { return math.Float64frombits(uint64(c+lowest<<CellBits) << cellShift) }
	return at(int64(cell)), at(int64(cell) + 1)
}

// mixed is an octave of a mixture: the mass of its cells, and which have a part even if that is 0.
type mixed struct {
	mass  [1 << CellBits]float64
	there [1 << CellBits]bool
}

// mixture is the octaves of one, of which thousands of classes ask for a few each.
type mixture struct {
	first int32    // the number of the first of the list
	list  []*mixed // nil: none
}

// reach is an octave, which is made if there is none.
func (m *mixture) reach(at int32) *mixed {
	if len(m.list) == 0 {
		m.first = at
	}
	if more := int(m.first) - int(at); more > 0 {
		m.first, m.list = at, append(make([]*mixed, more), m.list...)
	}
	k := int(at) - int(m.first)
	if more := k + 1 - len(m.list); more > 0 {
		m.list = append(m.list, make([]*mixed, more)...)
	}
	if m.list[k] == nil {
		m.list[k] = new(mixed)
	}
	return m.list[k]
}

// Mix is the mixture of distributions with the given probabilities.
func Mix(parts []Distribution, probs []float64) Distribution {
	var octaves mixture
	var d Distribution
	for i, p := range parts {
		if p.Total == 0 {
			continue
		}
		w := probs[i] / p.Total
		d.Zero += w * p.Zero
		d.Total += probs[i]
		var o *mixed
		at := int32(math.MinInt32) // the octave o, which no cell has
		weights := p.Weights[:len(p.Cells)]
		for j, c := range p.Cells {
			if c>>CellBits != at {
				at = c >> CellBits
				o = octaves.reach(at)
			}
			x := w * weights[j]
			if o.mass[uint8(c)] += x; x == 0 {
				o.there[uint8(c)] = true
			}
		}
	}
	for k, o := range octaves.list {
		if o == nil {
			continue
		}
		for i, mass := range o.mass {
			if mass != 0 || o.there[i] {
				d.Cells = append(d.Cells, (octaves.first+int32(k))<<CellBits+int32(i))
				d.Weights = append(d.Weights, mass)
			}
		}
	}
	return d
}
