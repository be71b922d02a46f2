package sampling

import (
	"context"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Backward is Algorithm 1: the state met by job 0 of a replication, started
// empty ever further in the past until doubling the window changes it no more.
type Backward struct {
	System
	Samples   int
	Window    int64                                            // first window ℓ, in jobs
	MaxWindow int64                                            // give up doubling here
	Batch     int                                              // samples that must all agree before any of them stops; 1 is per-sample
	Enough    func(done int, mean func() result.Estimate) bool // nil: all samples
	Level     float64
}

// BackwardResult is what Backward has collected.
type BackwardResult struct {
	Classes              []Gathered
	All                  All
	HOL                  estimate.Pair   // head-of-line server-time a job, (x, 0)
	Kinds                []estimate.Pair // the same by type of resource
	Done                 int             // samples
	Unsettled            int             // samples that still changed at the largest window allowed
	Steps                int64           // steps of the recurrence
	MinWindow, MaxWindow int64           // smallest and largest final window
	Fit                  *Fit            // of followed samples
	Failed               error           // of the device
}

// MeanWait estimates the mean wait of all jobs.
func (r *BackwardResult) MeanWait(level float64) result.Estimate {
	if r.Fit != nil {
		return r.Fit.wait(level)
	}
	return r.All.Waiting.Mean(level, "")
}

// batchPart is the outcome of one batch.
type batchPart struct {
	samples   []seen
	count     int
	steps     int64
	window    int64
	unsettled int
}

// Run draws the samples. It stops within one block of jobs when ctx ends and
// returns the batches completed so far, in order.
func (b *Backward) Run(ctx context.Context, report Report) *BackwardResult {
	res := &BackwardResult{Classes: b.ofSamples(), Kinds: make([]estimate.Pair, b.OfTypes())}
	tasks := (b.Samples + b.Batch - 1) / b.Batch
	merge := func(_ int, part *batchPart) bool {
		b.merge(ctx, res, part)
		if report != nil {
			report(float64(res.Done), float64(b.Samples))
		}
		return b.Enough != nil && b.Enough(res.Done, func() result.Estimate { return res.MeanWait(b.Level) })
	}
	if b.Device != nil {
		res.Failed = b.waves(ctx, tasks, merge)
		return res
	}
	replicate.InOrder(ctx, tasks, b.Workers, b.newWorker,
		func(stop *atomic.Bool, w *worker, task int, part *batchPart) bool {
			return b.batch(stop, w, task, part)
		}, merge)
	return res
}

// batch doubles the window until no sample of the batch changes.
func (b *Backward) batch(stop *atomic.Bool, w *worker, task int, part *batchPart) bool {
	first := task * b.Batch
	part.count = min(b.Batch, b.Samples-first)
	part.grow(part.count, len(b.Needs), b.OfTypes())
	w.steps = 0
	window := b.Window
	for i := range part.count {
		if !b.start(stop, w, uint64(first+i), window, &part.samples[i]) {
			return false
		}
	}
	for part.unsettled = part.count; part.unsettled > 0 && window < b.MaxWindow; {
		window *= 2
		part.unsettled = 0
		for i := range part.count {
			changed, ok := b.double(stop, w, uint64(first+i), window, &part.samples[i])
			if !ok {
				return false
			}
			if changed {
				part.unsettled++
			}
		}
	}
	part.window, part.steps = window, w.steps
	return true
}

func (p *batchPart) grow(n, classes, kinds int) {
	for len(p.samples) < n {
		p.samples = append(p.samples, newSeen(classes, kinds))
	}
}

// wasteOf is the waste of one type of resource, expected over the class.
func (x *seen) wasteOf(kind int, probs []float64) (sum float64) {
	kinds := len(x.kinds) / len(probs)
	for c, p := range probs {
		sum += p * x.kinds[c*kinds+kind]
	}
	return sum
}

// mean is the wait expected over the class.
func (x *seen) mean(probs []float64) (sum float64) {
	for c, p := range probs {
		sum += p * x.wait[c]
	}
	return sum
}

// merge adds a batch to the result. A sample counts for every class; for all
// jobs together it gives the expectation over the class of job 0. When ctx ends it leaves
// the last samples out.
func (s *System) merge(ctx context.Context, res *BackwardResult, part *batchPart) {
	for i := range part.count {
		if i > 0 && ctx.Err() != nil {
			part.count = i
			break
		}
		now := &part.samples[i]
		x, y, hol := 0.0, 0.0, 0.0
		for c, p := range s.Probs {
			wait := now.wait[c]
			t := &res.Classes[c]
			if t.like == 0 {
				t.Waiting.Add(wait, wait*wait)
				t.Wait.Add(wait)
			}
			t.Response.Add(now.response[c])
			res.All.Waits.Observe(wait, p)
			res.All.Responses.Observe(now.response[c], p)
			x += p * wait
			y += p * wait * wait
			hol += p * now.waste[c]
		}
		res.All.closeGroup()
		res.All.Waiting.Add(x, y)
		res.HOL.Add(hol, 0)
		for k := range res.Kinds {
			res.Kinds[k].Add(now.wasteOf(k, s.Probs), 0)
		}
	}
	res.Done += part.count
	res.Unsettled += part.unsettled
	res.Steps += part.steps
	res.MaxWindow = max(res.MaxWindow, part.window)
	if res.MinWindow == 0 || part.window < res.MinWindow {
		res.MinWindow = part.window
	}
}
