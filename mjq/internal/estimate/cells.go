package estimate

import "math"

// Seen counts jobs and adds up what they met: it does what a Batch and two Histograms
// do, faster. The cells of the octaves around a unit of time lie in one array, and only
// times far from it go another way. Flush the counts after MostSeen jobs at the latest.
type Seen struct {
	Batch
	waits, responses cells
}

// MostSeen is how many jobs are counted without being flushed.
const MostSeen = math.MaxUint32

type cells struct {
	lowest  uint64   // number of the cell of counts[1]
	counts  []uint32 // of zero, and of the cells of some octaves
	touched []uint32 // those that are not 0
	far     Histogram
}

// around is how many octaves below the unit, and above it, are in the array.
const around = 24

// NewSeen has seen nothing. It takes 100 kB.
func NewSeen(unit float64) *Seen {
	s := new(Seen)
	lowest := uint64(max(int(math.Float64bits(unit)>>52)-around, 1))
	for _, c := range []*cells{&s.waits, &s.responses} {
		c.lowest, c.counts = lowest<<cellBits, make([]uint32, 1+2*around*octave)
	}
	return s
}

// Add observes a job, whose times are not negative. What is done twice is written out
// twice: a call is not cheap here.
func (s *Seen) Add(wait, service float64) {
	s.N++
	s.X += wait
	s.X2 += wait * wait
	c, bits := &s.waits, math.Float64bits(wait)
	something := uint64(int64(bits|-bits) >> 63) // all ones, or 0 of zero
	if i := (bits>>cellShift - c.lowest) & something; i >= uint64(len(c.counts)-1) {
		c.far.Add(wait)
	} else {
		i -= something
		n := c.counts[i]
		if c.counts[i] = n + 1; n == 0 {
			c.touched = append(c.touched, uint32(i))
		}
	}
	response := wait + service
	c, bits = &s.responses, math.Float64bits(response)
	if i := bits>>cellShift - c.lowest; i >= uint64(len(c.counts)-1) {
		c.addFar(response)
	} else {
		n := c.counts[i+1]
		if c.counts[i+1] = n + 1; n == 0 {
			c.touched = append(c.touched, uint32(i+1))
		}
	}
}

// addFar counts zero or what is not in the array.
func (c *cells) addFar(x float64) {
	if x > 0 {
		c.far.Add(x)
		return
	}
	if c.counts[0]++; c.counts[0] == 1 {
		c.touched = append(c.touched, 0)
	}
}

// Flush moves the counts to histograms of waits and responses. The sums stay.
func (s *Seen) Flush(waits, responses *Histogram) {
	s.waits.flush(waits)
	s.responses.flush(responses)
}

func (c *cells) flush(h *Histogram) {
	h.Merge(&c.far)
	c.far.Reset()
	for _, i := range c.touched {
		n := uint64(c.counts[i])
		c.counts[i] = 0
		if i == 0 {
			h.zero += n
			continue
		}
		cell := c.lowest + uint64(i) - 1
		k := h.reach(int(cell >> cellBits))
		h.counts[k][cell&(octave-1)] += n
	}
	c.touched = c.touched[:0]
}
