package stream

import "math/bits"

// ahead is how many jobs are made at once.
const ahead = 32

// draft holds what the jobs being made are made of.
type draft struct {
	w0, w1       [ahead]uint64  // the words
	w2, w3       [ahead]uint64  // further words of the services, if they are wordy
	gap, service [ahead]float64 // logarithms of the words
}

// draw puts the blocks of n jobs into two halves, four at a time: each round of
// Philox waits for the last, and four blocks wait together. What exceeds n is
// unused.
func draw(w0, w1 *[ahead]uint64, first, at, key uint64, n int) {
	for i := 0; i < n; i += 4 {
		philox4((*[4]uint64)(w0[i:]), (*[4]uint64)(w1[i:]), first+uint64(i), at, key)
	}
}

// philox4 is philox for the counters (c0, c1), (c0+1, c1), ... Two rounds are
// written out, so that the halves of a block change places without being moved.
func philox4(w0, w1 *[4]uint64, c0, c1, key uint64) {
	a0, a1 := c0, c1
	b0, b1 := c0+1, c1
	d0, d1 := c0+2, c1
	e0, e1 := c0+3, c1
	var high, low uint64
	for range 5 {
		high, low = bits.Mul64(philoxMultiplier, a0)
		a0, a1 = low, a1^high^key
		high, low = bits.Mul64(philoxMultiplier, b0)
		b0, b1 = low, b1^high^key
		high, low = bits.Mul64(philoxMultiplier, d0)
		d0, d1 = low, d1^high^key
		high, low = bits.Mul64(philoxMultiplier, e0)
		e0, e1 = low, e1^high^key
		key += philoxWeyl
		high, low = bits.Mul64(philoxMultiplier, a1)
		a1, a0 = low, a0^high^key
		high, low = bits.Mul64(philoxMultiplier, b1)
		b1, b0 = low, b0^high^key
		high, low = bits.Mul64(philoxMultiplier, d1)
		d1, d0 = low, d0^high^key
		high, low = bits.Mul64(philoxMultiplier, e1)
		e1, e0 = low, e0^high^key
		key += philoxWeyl
	}
	*w0 = [4]uint64{a0, b0, d0, e0}
	*w1 = [4]uint64{a1, b1, d1, e1}
}
