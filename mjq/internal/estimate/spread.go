package estimate

import (
	"math"
	"math/bits"

	"github.com/mjqueue/mjq/mjq/result"
)

// Spread tells how well a distribution is known from groups of observations that
// depend on each other inside a group, as those of one replication do: how much the
// fraction at most x differs from group to group, at the edges x of the cells of a
// Histogram. Its memory grows with the octaves alone; groups are added in order.
type Spread struct {
	groups int
	n, nn  float64 // sums of the weights of groups, and of their squares
	zero   below
	octaves[span]

	atZero, weight float64 // of the group at hand
}

// span is an octave.
type span struct {
	at      [octave]below // of earlier groups at the edges, once one had anything here
	rest    below         // to be added at every edge: of groups with nothing here
	known   bool
	now     [octave]float64 // of the group at hand, between the edges
	present bool
}

// upTo is what there is of earlier groups at an edge.
func (o *span) upTo(i int) below {
	b := o.at[i]
	b.c += o.rest.c
	b.cc += o.rest.cc
	b.cn += o.rest.cn
	return b
}

// below holds sums over the groups, with c the weight of a group at or below an
// edge and n its whole weight: of c, c² and c n.
type below struct{ c, cc, cn float64 }

func (b *below) add(c, n float64) {
	b.c += c
	b.cc += c * c
	b.cn += c * n
}

// Take adds observations to the group at hand, each of the given weight.
func (s *Spread) Take(h *Histogram, weight float64) {
	s.atZero += weight * float64(h.zero)
	s.weight += weight * float64(h.zero)
	for k, c := range h.list {
		if c == nil || c.met == 0 {
			continue
		}
		from := stride * bits.TrailingZeros64(c.met)
		now, cells := s.now(h.first+k), c.cells[from:]
		if weight == 1 && s.weight == math.Trunc(s.weight) {
			s.weight += float64(addCounts(now[from:], cells))
			continue
		}
		for i, n := range cells {
			w := float64(weight * float64(n))
			now[from+i] += w
			s.weight += w
		}
	}
}

// addCounts adds to sums and returns what it has added: that of whole numbers is exact
// in any order, so that no addition need wait for the last.
func addCounts(sums []float64, counts []uint64) (all int64) {
	sums = sums[:len(counts)]
	for i, n := range counts {
		sums[i] += float64(int64(n))
		all += int64(n)
	}
	return all
}

// Observe adds one observation to the group at hand.
func (s *Spread) Observe(x, weight float64) {
	if x <= 0 {
		s.atZero += weight
		s.weight += weight
		return
	}
	cell := int(math.Float64bits(x) >> cellShift)
	s.put(cell>>cellBits, cell&(octave-1), weight)
}

// put adds a weight between two edges of the octave of an exponent.
func (s *Spread) put(exponent, i int, weight float64) {
	s.now(exponent)[i] += weight
	s.weight += weight
}

// now is what the group at hand has in the octave of an exponent, to be added to.
func (s *Spread) now(exponent int) *[octave]float64 {
	o := s.reach(exponent)
	o.present = true
	return &o.now
}

// Close ends the group at hand; an empty one does not count.
func (s *Spread) Close() {
	n := s.weight
	if n == 0 {
		return
	}
	s.groups++
	s.n += n
	s.nn += n * n
	c, before := s.atZero, s.zero // of earlier groups, at the edge reached
	s.zero.add(c, n)
	for _, o := range s.list {
		if o == nil {
			continue
		}
		if !o.known { // no earlier group has anything here
			for i := range o.at {
				o.at[i] = before
			}
			o.known = true
		}
		before = o.upTo(octave - 1)
		if !o.present {
			o.rest.add(c, n)
			continue
		}
		for i := range o.at {
			c += o.now[i]
			o.at[i].add(c, n)
		}
		o.now, o.present = [octave]float64{}, false
	}
	s.atZero, s.weight = 0, 0
}

// Precision is what the groups tell; nothing of fewer than two.
func (s *Spread) Precision() result.Precision {
	at := make([]below, 1, 1+octave*len(s.list))
	at[0] = s.zero
	for _, o := range s.list {
		for i := 0; o != nil && i < octave; i++ {
			at = append(at, o.upTo(i))
		}
	}
	return precision(s.groups, s.n, s.nn, at)
}
