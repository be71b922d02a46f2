package stream

import "math/bits"

// Chooser draws the servers that a job picks at random, from randomness of the
// job's own: the same whatever window, order or goroutine asks for it. It
// belongs to one goroutine.
type Chooser struct {
	order []int32 // 0, 1, ..., n-1 between draws
	swaps []int32
}

// NewChooser chooses among n servers.
func NewChooser(n int) *Chooser {
	c := &Chooser{order: make([]int32, n), swaps: make([]int32, 0, n)}
	for i := range c.order {
		c.order[i] = int32(i)
	}
	return c
}

// Job is the k servers of the given job: distinct, numbered from 0, every set
// of k being equally likely but for n/2^64. They are valid until the next call.
// O(min(k, n-k)).
func (c *Chooser) Job(r *Reader, job int64, k int) []int32 {
	r.more.reset(uint64(job), counter(r.rep, forChoice, 0))
	return c.choose(&r.more, k)
}

// Probe is the k servers of a customer of the given class tagged onto job; see
// Reader.Probe.
func (c *Chooser) Probe(r *Reader, class int, job int64, k int) []int32 {
	r.more.reset(uint64(job)^uint64(class)<<48, counter(r.rep, forProbeChoice, 0))
	return c.choose(&r.more, k)
}

// choose is the beginning of a Fisher-Yates shuffle, of what is taken or of
// what is left, whichever is shorter.
func (c *Chooser) choose(w *words, k int) []int32 {
	for i := len(c.swaps) - 1; i >= 0; i-- {
		j := c.swaps[i]
		c.order[i], c.order[j] = c.order[j], c.order[i]
	}
	c.swaps = c.swaps[:0]
	n := len(c.order)
	short := min(k, n-k)
	for i := range short {
		up, _ := bits.Mul64(w.Uint64(), uint64(n-i))
		j := int32(i) + int32(up)
		c.order[i], c.order[j] = c.order[j], c.order[i]
		c.swaps = append(c.swaps, j)
	}
	if short < k {
		return c.order[short:]
	}
	return c.order[:k]
}
