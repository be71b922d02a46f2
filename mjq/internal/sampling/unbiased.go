package sampling

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
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
//
// With Follow, f is the mean of what the chain shows at job 0 and every few jobs
// after it (Glynn and Rhee, J. Appl. Probab. 51A, 2014, and Jacob, O'Leary and
// Atchadé, J. R. Statist. Soc. B 82, 2020, who average chains so): a difference
// then vanishes from the job on at which the chains meet.
type Unbiased struct {
	System
	Samples int
	Window  int64
	Follow  int64 // jobs for which chains are followed beyond job 0
	Few     bool  // the paths hold too few large jobs for control variates
	Enough  func(done int, mean func() result.Estimate) bool
	Level   float64

	by controls
}

// UnbiasedResult is what Unbiased has collected: pairs of unbiased estimates of
// the first and the second moment of the wait.
type UnbiasedResult struct {
	Classes   []estimate.Pair
	All       estimate.Pair
	HOL       estimate.Pair
	Kinds     []estimate.Pair // HOL by type of resource
	Fit       *Fit            // of followed samples
	Done      int
	Steps     int64
	MaxWindow int64
	Failed    error // of the device
}

// MeanWait estimates the mean wait of all jobs.
func (r *UnbiasedResult) MeanWait(level float64) result.Estimate {
	if r.Fit != nil {
		return r.Fit.wait(level)
	}
	return r.All.Mean(level, "")
}

// unbiasedPart is one sample.
type unbiasedPart struct {
	now, short    seen
	first, second []float64 // by class: W and W², debiased
	hol           float64
	kinds         []float64
	arrivals      ledger      // on the path
	seen          observation // of the whole sample
	steps, window int64
}

// decay is log2 of P(N > k) / P(N > k+1).
const decay = 1.5

// Run draws the samples until there are enough; see Backward.Run.
func (u *Unbiased) Run(ctx context.Context, report Report) *UnbiasedResult {
	res := &UnbiasedResult{Classes: make([]estimate.Pair, len(u.Needs)), Kinds: make([]estimate.Pair, u.OfTypes())}
	if !u.Few {
		u.by = u.controls(u.Follow, false)
	}
	if u.Follow > 0 {
		res.Fit = newFit(&u.by, SampleRow(len(u.Needs), u.OfTypes()))
	}
	merge := func(_ int, part *unbiasedPart) (enough bool) {
		u.merge(res, part)
		if report != nil {
			report(float64(res.Done), float64(u.Samples))
		}
		return u.Enough != nil && u.Enough(res.Done, func() result.Estimate { return res.MeanWait(u.Level) })
	}
	if u.Device != nil {
		res.Failed = u.waves(ctx, merge)
		return res
	}
	replicate.InOrder(ctx, u.Samples, u.Workers, u.newWorker,
		func(stop *atomic.Bool, w *worker, task int, part *unbiasedPart) bool {
			return u.sample(stop, w, uint64(task), part)
		}, merge)
	return res
}

// sample is one term of the estimator. Its N comes from the replication's own
// randomness, so that it is the same on any goroutine.
func (u *Unbiased) sample(stop *atomic.Bool, w *worker, rep uint64, part *unbiasedPart) bool {
	part.reset(len(u.Needs), u.OfTypes(), u.by.number())
	w.steps, part.window = 0, u.Window
	weight := 1 / float64(1+u.Follow/Spacing(u.Window, u.Follow)) // of a look
	ok := u.run(stop, w, rep, u.Window, &part.arrivals, func() bool {
		w.long.observe(w.reader, &part.now)
		u.add(part, &part.now, weight)
		u.by.turnPage(&part.arrivals, part.now.mean(u.Probs))
		return true
	})
	coin := w.reader.Uniform()
	for k := 0; ok && coin < math.Exp2(-decay*float64(k)); k++ {
		part.window *= 2
		weight := weight * math.Exp2(decay*float64(k))
		ok = u.run(stop, w, rep, part.window, nil, func() bool {
			if u.same(w.long.mark(), w.short.mark()) {
				return false
			}
			w.long.observe(w.reader, &part.now)
			w.short.observe(w.reader, &part.short)
			u.add(part, &part.now, weight)
			u.add(part, &part.short, -weight)
			return true
		})
	}
	part.steps = w.steps
	return ok
}

// run takes the long chain from job -window to job Follow, and looks at job 0
// and every few jobs from there on until look says that it has seen enough. It
// notes the jobs of the path in came, or without it takes a short chain too, from
// half the window; it ends early where the chains meet. ok is false once stop is
// set.
func (u *Unbiased) run(stop *atomic.Bool, w *worker, rep uint64, window int64, came *ledger, look func() (more bool)) (ok bool) {
	w.reader.Until(stop).Rewind(rep)
	w.long.empty()
	by, pair, both := Spacing(u.Window, u.Follow), came == nil, false
	var jobs []stream.Job
	for at := -window; ; {
		if stop.Load() {
			return false
		}
		if pair && at == -window/2 {
			w.short.empty()
			both = true
		}
		met := both && at < 0 && u.same(w.long.mark(), w.short.mark())
		if met || at >= 0 && at%by == 0 && !look() || at == u.Follow {
			return true
		}
		if len(jobs) == 0 {
			if jobs = w.read(at, u.edge(at, window)); len(jobs) == 0 {
				return false
			}
		}
		n := len(jobs)
		if at >= 0 { // to the next look
			n = min(n, int(by)) // looks and blocks come at multiples of powers of two
			if !pair {
				came.add(jobs[:n])
			}
		}
		u.take(w, at, jobs[:n], both, n == len(jobs))
		at += int64(n)
		jobs = jobs[n:]
	}
}

// edge is the job before which a block read at the given one has to end.
func (u *Unbiased) edge(at, window int64) int64 {
	switch {
	case at < -window/2:
		return -window / 2
	case at < 0:
		return 0
	}
	return u.Follow
}

// take runs the long chain, or both, through jobs; after a whole block they move
// the origin of time.
func (u *Unbiased) take(w *worker, at int64, jobs []stream.Job, both, whole bool) {
	lines := [...]line{w.long, w.short}
	for i, l := range lines {
		if i == 0 || both {
			l.take(w.reader, at, jobs)
			if whole {
				l.rebase()
			}
			w.steps += int64(len(jobs))
		}
	}
}

func (p *unbiasedPart) reset(classes, kinds, controls int) {
	if p.first == nil {
		p.now, p.short = newSeen(classes, kinds), newSeen(classes, kinds)
		p.first, p.second = make([]float64, classes), make([]float64, classes)
		p.kinds = make([]float64, kinds)
	}
	p.hol = 0
	p.arrivals.reset(classes, controls)
	clear(p.first)
	clear(p.second)
	clear(p.kinds)
}

// add adds weight times the moments of a state.
func (u *Unbiased) add(part *unbiasedPart, x *seen, weight float64) {
	for c, wait := range x.wait {
		part.first[c] += weight * wait
		part.second[c] += weight * wait * wait
		part.hol += weight * u.Probs[c] * x.waste[c]
		for k := range part.kinds {
			part.kinds[k] += weight * u.Probs[c] * x.kinds[c*len(part.kinds)+k]
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
	if res.Fit != nil {
		res.Fit.Add(part.observe(res.Fit.Row, x, y))
	}
	res.Done++
	res.Steps += part.steps
	res.MaxWindow = max(res.MaxWindow, part.window)
}

// observe is the sample as a row, given the wait of all jobs and its square.
func (p *unbiasedPart) observe(l *Layout, wait, square float64) []float64 {
	p.seen.of(p.arrivals.sums, l.Len())
	v := p.seen.values
	for c := range p.first {
		v[l.Class(Waiting, c)], v[l.Class(Squared, c)] = p.first[c], p.second[c]
	}
	v[l.All(Waiting)], v[l.All(Squared)], v[l.All(Waste)] = wait, square, p.hol
	for k, x := range p.kinds {
		v[l.Kind(Waste, k)] = x
	}
	return p.seen.row
}
