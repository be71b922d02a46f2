package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Cells are those of estimate.Histogram.
const (
	cellShift = 52 - result.CellBits
	octaves   = 48
	cells     = octaves << result.CellBits
)

// short is an estimate.Histogram to which one adds faster. Counts lie in one array and
// take 8 bits, for what is counted often should stay near the processor; what these do
// not hold, and numbers far off, go to a Histogram at once.
type short struct {
	lowest  uint64           // number of the cell of count 1
	counts  [1 + cells]uint8 // of zero, and by cell
	touched []uint32         // counts that are not 0, if not others too
	far     estimate.Histogram
}

// from has the octaves begin with that of x > 0, so many octaves further down.
func (s *short) from(x float64, down int) {
	s.lowest = uint64(max(int(math.Float64bits(x)>>52)-down, 1)) << result.CellBits
}

// add observes x ≥ 0.
func (s *short) add(x float64) {
	bits := math.Float64bits(x)
	something := uint64(int64(bits|-bits) >> 63) // all ones, or 0 of zero
	k := (bits>>cellShift - s.lowest) & something
	if k >= cells {
		s.far.Add(x)
		return
	}
	k -= something
	n := s.counts[k] + 1
	if s.counts[k] = n; n <= 1 {
		s.turn(uint32(k), n)
	}
}

// turn notes that a count is 1, or has come round to 0.
func (s *short) turn(k uint32, n uint8) {
	if n == 0 {
		s.far.AddMany(s.number(k), 1<<8)
		return
	}
	s.touched = append(s.touched, k)
}

// number is one that is counted at k.
func (s *short) number(k uint32) float64 {
	if k == 0 {
		return 0
	}
	return math.Float64frombits((s.lowest + uint64(k) - 1) << cellShift)
}

// moveTo adds the counts to h and forgets them.
func (s *short) moveTo(h *estimate.Histogram) {
	h.Merge(&s.far)
	s.far.Reset()
	for _, k := range s.touched {
		h.AddMany(s.number(k), uint64(s.counts[k]))
		s.counts[k] = 0
	}
	s.touched = s.touched[:0]
}
