package trace

import "github.com/mjqueue/mjq/mjq/internal/estimate"

// metrics is how many numbers of a job are observed: its quantities, and what has a mean alone.
const metrics = estimate.Quantities + estimate.Means

// mostBatches is the number of full batches at which pairs of them are made
// one, so that any number of jobs ends in 32 to 63 full batches and a rest.
const mostBatches = 64

// batches are sums over stretches of consecutive jobs, all of length jobs but
// the last, by class.
type batches struct {
	length, filled int64
	full           int // batches before the one being filled
	sums           [mostBatches + 1][]batch
}

// batch holds what was observed of a class.
type batch [metrics]estimate.Batch

// next makes room for a job, which may stay unobserved.
func (b *batches) next() {
	if b.filled == b.length {
		b.filled = 0
		if b.full++; b.full == mostBatches {
			b.halve()
		}
	}
	b.filled++
}

// add observes the job that next has made room for.
func (b *batches) add(class int, x [metrics]float64) {
	for len(b.sums[b.full]) <= class {
		b.sums[b.full] = append(b.sums[b.full], batch{})
	}
	c := &b.sums[b.full][class]
	for k, x := range x {
		c[k] = merged(c[k], estimate.Batch{N: 1, X: x, X2: x * x})
	}
}

func merged(a, b estimate.Batch) estimate.Batch {
	return estimate.Batch{N: a.N + b.N, X: a.X + b.X, X2: a.X2 + b.X2}
}

// halve makes one batch of every two.
func (b *batches) halve() {
	for k := range mostBatches / 2 {
		left, right := b.sums[2*k], b.sums[2*k+1]
		if len(left) < len(right) {
			left, right = right, left
		}
		for c := range right {
			for m := range right[c] {
				left[c][m] = merged(left[c][m], right[c][m])
			}
		}
		b.sums[2*k], b.sums[2*k+1] = nil, nil
		b.sums[k] = left
	}
	b.full, b.length = mostBatches/2, 2*b.length
}

// of are the batches of one metric of a class.
func (b *batches) of(class, metric int) []estimate.Batch {
	out := make([]estimate.Batch, b.full+1)
	for k := range out {
		if class < len(b.sums[k]) {
			out[k] = b.sums[k][class][metric]
		}
	}
	return out
}

// ofAll are those of several classes together.
func (b *batches) ofAll(classes []int, metric int) []estimate.Batch {
	out := make([]estimate.Batch, b.full+1)
	for _, class := range classes {
		for k, one := range b.of(class, metric) {
			out[k] = merged(out[k], one)
		}
	}
	return out
}
