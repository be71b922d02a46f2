package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// Cells of a Short are those of a Histogram, of so many octaves.
const (
	CellShift    = 52 - result.CellBits // what a number's bits are shifted by to give its cell
	ShortOctaves = 48
	ShortCells   = ShortOctaves << result.CellBits
)

// Short is a Histogram to which one adds faster. Counts lie in one array and take 8 bits,
// for what is counted often should stay near the processor (16 bits take a third more time
// where four queues take turns); what these do not hold, and numbers far off, go to a
// Histogram at once. It takes 12 kB, and more for what is far off. Who cannot afford the
// call of Add does what it does with the fields that have names.
type Short struct {
	Lowest  uint64                // number of the cell of count 1
	Counts  [1 + ShortCells]uint8 // of zero, and by cell
	Far     Histogram             // all else
	touched []uint32              // counts that are not 0, if not others too
}

// From has the octaves begin with that of x > 0, so many octaves further down.
func (s *Short) From(x float64, down int) {
	s.Lowest = uint64(max(int(math.Float64bits(x)>>52)-down, 1)) << result.CellBits
}

// Add observes x ≥ 0.
func (s *Short) Add(x float64) {
	bits := math.Float64bits(x)
	something := uint64(int64(bits|-bits) >> 63) // all ones, or 0 of zero
	k := (bits>>CellShift - s.Lowest) & something
	if k >= ShortCells {
		s.Far.Add(x)
		return
	}
	k -= something
	n := s.Counts[k] + 1
	if s.Counts[k] = n; n <= 1 {
		s.Turn(uint32(k), n)
	}
}

// Turn notes that count k is 1 now, or has come round to 0.
func (s *Short) Turn(k uint32, n uint8) {
	if n == 0 {
		s.Far.AddMany(s.number(k), 1<<8)
		return
	}
	s.touched = append(s.touched, k)
}

// number is one that is counted at k.
func (s *Short) number(k uint32) float64 {
	if k == 0 {
		return 0
	}
	return math.Float64frombits((s.Lowest + uint64(k) - 1) << CellShift)
}

// MoveTo adds the counts to h and forgets them.
func (s *Short) MoveTo(h *Histogram) {
	h.Merge(&s.Far)
	s.Far.Reset()
	for _, k := range s.touched {
		h.AddMany(s.number(k), uint64(s.Counts[k]))
		s.Counts[k] = 0
	}
	s.touched = s.touched[:0]
}
