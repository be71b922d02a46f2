package classic

import (
	"cmp"
	"context"
	"slices"
)

// progress is how far the integrals have come at x: H there, and that of S up to there.
type progress struct{ x, h, s float64 }

// Survival is the probability that a job which starts waits for longer than x. A job that finds
// the work x before it starts with the probability S(x), so that this is an integral of the same
// kind as the moments. Each call goes on from the nearest x asked before. It is of no use once
// Err is not nil.
func (w *ImpatientWaits) Survival(ctx context.Context, x float64) float64 {
	w.q.ctx = ctx
	i, found := slices.BinarySearchFunc(w.known, x, func(p progress, x float64) int { return cmp.Compare(p.x, x) })
	if !found {
		p := w.known[i-1]
		part, h := w.q.onward(p.x, x, p.h, integrals{})
		w.known = slices.Insert(w.known, i, progress{x, h, p.s + part.s})
	}
	rate := w.q.Rate
	return max(0, rate*(w.q.all.s-w.known[i].s)) / (w.at0 + rate*w.q.all.s)
}

// Err is why Survival is of no use: the end of its context, or patience with too many jumps.
func (w *ImpatientWaits) Err() error { return w.q.err() }

// AtOnce is the share of the jobs that start which do so as they arrive.
func (w *ImpatientWaits) AtOnce() float64 { return w.at0 / (w.at0 + w.q.Rate*w.q.all.s) }

// Kinks are the points at which the law of the waits is not smooth, ascending: the ends of the
// patience, and times at which many give up together.
func (w *ImpatientWaits) Kinks() (list []float64) {
	_, end := w.q.shape()
	const steps = 64
	last := 0.0
	for i := range steps + 1 {
		x := w.q.Patience.Quantile(float64(i) / steps)
		if edge := i == 0 || i == steps || x == last; edge && x > 0 && x < end {
			list = append(list, x)
		}
		last = x
	}
	return slices.Compact(list)
}
