package stream

import (
	"math"

	"github.com/mjqueue/mjq/internal/lanes"
)

// ahead is how many jobs are made at once.
const ahead = 32

// draft holds what the jobs being made are made of.
type draft struct {
	w0, w1       [ahead]uint64  // the words
	w2, w3       [ahead]uint64  // further words of the services, if they are wordy
	gap, service [ahead]float64 // logarithms of the words
}

// vectorBlock is how many blocks vector units draw at least.
const vectorBlock = 8

// draw puts the blocks of n jobs into two halves. Vector units draw eight at a time,
// others two: each round of Philox waits for the last, and two blocks wait together.
// What exceeds n is unused.
func draw(w0, w1 *[ahead]uint64, first, at, key uint64, n int) {
	if lanes.On && n > vectorBlock/4 {
		n = (n + vectorBlock - 1) &^ (vectorBlock - 1)
		lanes.Philox(w0[:n], w1[:n], first, at, key)
		return
	}
	for i := 0; i < n; i += 2 {
		philox2((*[2]uint64)(w0[i:]), (*[2]uint64)(w1[i:]), first+uint64(i), at, key)
	}
}

// philox2 is philox for the counters (c0, c1) and (c0+1, c1). Upper halves of
// numbers that only count by their lower ones are left as they come.
func philox2(w0, w1 *[2]uint64, c0, c1, key uint64) {
	a0, a1, a2, a3 := c0, c0>>32, c1, c1>>32
	c0++
	b0, b1, b2, b3 := c0, c0>>32, c1, c1>>32
	k0, k1 := key&math.MaxUint32, key>>32
	for range 10 {
		p0, p1 := multiplier0*uint64(uint32(a0)), multiplier1*uint64(uint32(a2))
		a0, a1, a2, a3 = p1>>32^a1^k0, p1, p0>>32^a3^k1, p0
		p0, p1 = multiplier0*uint64(uint32(b0)), multiplier1*uint64(uint32(b2))
		b0, b1, b2, b3 = p1>>32^b1^k0, p1, p0>>32^b3^k1, p0
		k0, k1 = k0+weyl0, k1+weyl1
	}
	*w0 = [2]uint64{uint64(uint32(a0)) | a1<<32, uint64(uint32(b0)) | b1<<32}
	*w1 = [2]uint64{uint64(uint32(a2)) | a3<<32, uint64(uint32(b2)) | b3<<32}
}
