package estimate

import "github.com/mjqueue/mjq/mjq/result"

// Signed counts observations of a non-negative number with whole weights of either sign.
type Signed struct{ plus, minus Histogram }

// Add observes x ≥ 0 with a weight.
func (s *Signed) Add(x float64, weight int64) {
	switch {
	case weight > 0:
		s.plus.AddMany(x, uint64(weight))
	case weight < 0:
		s.minus.AddMany(x, uint64(-weight))
	}
}

// Merge adds the counts of q.
func (s *Signed) Merge(q *Signed) {
	s.plus.Merge(&q.plus)
	s.minus.Merge(&q.minus)
}

// Reset forgets all counts and keeps the memory.
func (s *Signed) Reset() {
	s.plus.Reset()
	s.minus.Reset()
}

// Spread adds the observations to the group at hand of a Spread.
func (s *Signed) Spread(to *Spread) {
	to.Take(&s.plus, 1)
	to.Take(&s.minus, -1)
}

// Distribution is the law that the weights tell of. Where they are negative, so that the
// distribution function would fall, it stays at the highest that it had.
func (s *Signed) Distribution() result.Distribution {
	plus, minus := s.plus.Distribution(), s.minus.Distribution()
	d := result.Distribution{Total: plus.Total - minus.Total}
	if !(d.Total > 0) {
		return result.Distribution{}
	}
	sum, highest := plus.Zero-minus.Zero, 0.0
	highest = min(max(sum, 0), d.Total)
	d.Zero = highest
	for i, j := 0, 0; i < len(plus.Cells) || j < len(minus.Cells); {
		var cell int32
		switch {
		case j == len(minus.Cells) || i < len(plus.Cells) && plus.Cells[i] <= minus.Cells[j]:
			cell = plus.Cells[i]
		default:
			cell = minus.Cells[j]
		}
		if i < len(plus.Cells) && plus.Cells[i] == cell {
			sum += plus.Weights[i]
			i++
		}
		if j < len(minus.Cells) && minus.Cells[j] == cell {
			sum -= minus.Weights[j]
			j++
		}
		if top := min(sum, d.Total); top > highest {
			d.Cells, d.Weights = append(d.Cells, cell), append(d.Weights, top-highest)
			highest = top
		}
	}
	return d
}
