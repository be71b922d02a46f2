package stream

// ahead is how many jobs are made at once.
const ahead = 32

// draft holds what the jobs being made are made of.
type draft struct {
	w0, w1       [ahead]uint64  // the words
	gap, service [ahead]float64 // logarithms of the words
}

// words draws the words of n jobs, four at a time: each round of Philox waits
// for the last, and four blocks wait together. What exceeds n is unused.
func (d *draft) words(first, at, key uint64, n int) {
	for i := 0; i < n; i += 4 {
		philox4((*[4]uint64)(d.w0[i:]), (*[4]uint64)(d.w1[i:]), first+uint64(i), at, key)
	}
}

// philox4 is philox for the counters (c0, c1), (c0+1, c1), ...
func philox4(w0, w1 *[4]uint64, c0, c1, key uint64) {
	a0, a1 := c0, c1
	b0, b1 := c0+1, c1
	d0, d1 := c0+2, c1
	e0, e1 := c0+3, c1
	for range 10 {
		a0, a1 = round(a0, a1, key)
		b0, b1 = round(b0, b1, key)
		d0, d1 = round(d0, d1, key)
		e0, e1 = round(e0, e1, key)
		key += philoxWeyl
	}
	*w0 = [4]uint64{a0, b0, d0, e0}
	*w1 = [4]uint64{a1, b1, d1, e1}
}
