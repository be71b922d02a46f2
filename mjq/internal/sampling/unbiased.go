package sampling

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// Unbiased estimates expectations of functions f of the stationary state
// without bias, by randomised truncation of Loynes' increasing sequence (Rhee
// and Glynn, Operations Research 63, 2015): with M_l the state of a window of l
// jobs,
//
//	f(M_l) + Σ_{k<N} [f(M_{2^(k+1) l}) - f(M_{2^k l})] / P(N > k),
//
// where N is random with P(N > k) = 2^(-3k/2). The expected number of steps is
// finite, about 8 windows; the variance is when the differences shrink faster
// than 2^(-3k/4), which they do if the chains couple quickly enough.
type Unbiased struct {
	System
	Samples int
	Window  int64
	Enough  func(done int, mean func() estimate.Estimate) bool
	Level   float64
}

// UnbiasedResult is what Unbiased has collected: pairs of unbiased estimates of
// the first and the second moment of the wait.
type UnbiasedResult struct {
	Classes []estimate.Pair
	All     estimate.Pair
	HOL     estimate.Pair
	Kinds   []estimate.Pair // HOL by type of resource
	Done    int
	Steps   int64
	Wide    int64
}

// unbiasedPart is one sample.
type unbiasedPart struct {
	now           seen
	first, second []float64 // by class: W and W², debiased
	hol           float64
	kinds         []float64
	steps, window int64
}

// decay is log2 of P(N > k) / P(N > k+1).
const decay = 1.5

// Run draws the samples until there are enough; see Backward.Run.
func (u *Unbiased) Run(ctx context.Context, report Report) *UnbiasedResult {
	res := &UnbiasedResult{Classes: make([]estimate.Pair, len(u.Needs)), Kinds: make([]estimate.Pair, u.kinds())}
	ordered(ctx, u.Samples, u.Workers, u.newWorker,
		func(stop *atomic.Bool, w *worker, task int, part *unbiasedPart) bool {
			return u.sample(stop, w, uint64(task), part)
		},
		func(_ int, part *unbiasedPart) bool {
			u.merge(res, part)
			if report != nil {
				report(float64(res.Done), float64(u.Samples))
			}
			return u.Enough != nil && u.Enough(res.Done, func() estimate.Estimate { return res.All.Mean(u.Level, "") })
		})
	return res
}

// sample is one term of the estimator. Its N comes from the replication's own
// randomness, so that it is the same on any goroutine.
func (u *Unbiased) sample(stop *atomic.Bool, w *worker, rep uint64, part *unbiasedPart) bool {
	part.reset(len(u.Needs), u.kinds())
	w.steps, part.window = 0, u.Window
	if !u.start(stop, w, rep, u.Window, &part.now) {
		return false
	}
	u.add(part, 1)
	coin := w.reader.Uniform()
	for k := 0; coin < math.Exp2(-decay*float64(k)); k++ {
		u.add(part, -math.Exp2(decay*float64(k)))
		part.window *= 2
		if _, ok := u.double(stop, w, rep, part.window, &part.now); !ok {
			return false
		}
		u.add(part, math.Exp2(decay*float64(k)))
	}
	part.steps = w.steps
	return true
}

func (p *unbiasedPart) reset(classes, kinds int) {
	if p.first == nil {
		p.now = newSeen(classes, kinds)
		p.first, p.second = make([]float64, classes), make([]float64, classes)
		p.kinds = make([]float64, kinds)
	}
	p.hol = 0
	clear(p.first)
	clear(p.second)
	clear(p.kinds)
}

// add adds weight times the moments of the present state.
func (u *Unbiased) add(part *unbiasedPart, weight float64) {
	for c, wait := range part.now.wait {
		part.first[c] += weight * wait
		part.second[c] += weight * wait * wait
		part.hol += weight * u.Probs[c] * part.now.waste[c]
		for k := range part.kinds {
			part.kinds[k] += weight * u.Probs[c] * part.now.kinds[c*len(part.kinds)+k]
		}
	}
}

func (u *Unbiased) merge(res *UnbiasedResult, part *unbiasedPart) {
	x, y := 0.0, 0.0
	for c, p := range u.Probs {
		res.Classes[c].Add(part.first[c], part.second[c])
		x += p * part.first[c]
		y += p * part.second[c]
	}
	res.All.Add(x, y)
	res.HOL.Add(part.hol, 0)
	for k, x := range part.kinds {
		res.Kinds[k].Add(x, 0)
	}
	res.Done++
	res.Steps += part.steps
	res.Wide = max(res.Wide, part.window)
}
