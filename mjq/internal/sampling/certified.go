package sampling

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Certified draws samples that are exact except with a probability of at most
// Eps each: two chains take the same jobs, one that starts empty and one that
// starts above the stationary state except with a small probability (see
// Majorant). When they meet, the stationary chain, which runs between them, has
// met them too. Until they do, the start moves twice as far into the past.
//
// A sample is the state met by job 0 and, with Follow, its mean with the states
// that the same chain shows every Spacing jobs later: since the chain is
// stationary at job 0 it stays so.
type Certified struct {
	System
	Majorant
	Samples int
	Window  int64 // first window, in jobs
	Follow  int64 // jobs for which each chain is followed beyond job 0
	Few     bool  // the paths hold too few large jobs for control variates
	Eps     float64
	Level   float64
	Enough  func(done int, mean func() result.Estimate) bool

	by controls
}

// Between two looks at a chain that is followed there are at least Closest jobs
// and at most farthest: a look costs as much as many steps, the more the busier
// the servers are, and states so near differ little.
const (
	Closest  = 32
	farthest = 1024
)

// Spacing is how many jobs pass between looks: a power of two, such that a window
// has at least 64 looks and the path at least one.
func Spacing(window, follow int64) int64 {
	by := int64(Closest)
	for by < farthest && 2*by <= min(window/64, follow) {
		by *= 2
	}
	return by
}

// Run draws the samples; see Backward.Run. Windows are of single samples.
func (c *Certified) Run(ctx context.Context, report Report) *BackwardResult {
	res := &BackwardResult{Classes: make([]Gathered, len(c.Needs))}
	if !c.Few {
		c.by = c.controls(c.Follow, false)
	}
	if c.Follow > 0 {
		res.Fit = newFit(&c.by, SampleRow(len(c.Needs), 0))
	}
	enough := func() bool {
		if report != nil {
			report(float64(res.Done), float64(c.Samples))
		}
		return c.Enough != nil && c.Enough(res.Done, func() result.Estimate { return res.MeanWait(c.Level) })
	}
	if c.Device != nil {
		res.Failed = c.waves(ctx, res, enough)
		return res
	}
	replicate.InOrder(ctx, c.Samples, c.Workers, c.newWorker,
		func(stop *atomic.Bool, w *worker, task int, part *followed) bool {
			return c.sample(stop, w, uint64(task), part)
		},
		func(_ int, part *followed) bool {
			part.merge(res, c.Probs, c.Workers)
			return enough()
		})
	return res
}

// above is until when the upper chain starts occupied, less the height of the
// pile before. Stage k may fail with probability Eps/2^(k+2); with the
// majorant's own failure, at most Eps/2, all stages together stay below Eps.
func (c *Certified) above(stage int) float64 {
	return (math.Log(1/c.Eps) + c.Slack + float64(stage+2)*math.Ln2) / c.Theta
}

// sample doubles the window until the chains meet.
func (c *Certified) sample(stop *atomic.Bool, w *worker, rep uint64, part *followed) bool {
	part.reset(len(c.Needs), c.by.number())
	w.steps, part.window = 0, c.Window
	for stage := 0; ; stage++ {
		met, ok := c.squeeze(stop, w, rep, part.window, c.above(stage))
		if !ok {
			return false
		}
		if met {
			break
		}
		part.window *= 2
	}
	part.meet(w, 0, c.Probs, &c.by)
	ok := c.follow(stop, w, part)
	if ok {
		part.count()
	}
	part.steps = w.steps
	return ok
}

// follow runs the chain on from job 0 and looks at it now and then.
func (c *Certified) follow(stop *atomic.Bool, w *worker, part *followed) bool {
	by := Spacing(c.Window, c.Follow)
	for at := int64(0); at < c.Follow; w.long.rebase() {
		if stop.Load() {
			return false
		}
		for jobs := w.read(at, c.Follow); len(jobs) > 0; {
			n := min(by, int64(len(jobs)))
			w.long.take(w.reader, at, jobs[:n])
			part.arrivals.add(jobs[:n])
			jobs = jobs[n:]
			at += n
			w.steps += n
			if at%by == 0 {
				part.meet(w, at, c.Probs, &c.by)
			}
		}
	}
	return !stop.Load()
}

// squeeze runs both chains to job 0. The upper one starts at job -window with
// all servers busy for above plus the height of the pile of the block before.
// The lower one starts empty: that may be at any time, the stationary chain is
// above it from then on, and since the upper one takes most of the window to
// come down it is late enough when a quarter of it is left. Once the chains
// meet, one is enough.
func (c *Certified) squeeze(stop *atomic.Bool, w *worker, rep uint64, window int64, above float64) (met, ok bool) {
	w.reader.Until(stop).Rewind(rep)
	upper := w.short.(*chain) // the bound is known for the plain queue only
	upper.empty()
	for at := -window - int64(c.Block); at < -window; {
		if stop.Load() {
			return false, false
		}
		jobs := w.read(at, -window)
		upper.pile(w.reader, at, jobs)
		w.steps += int64(len(jobs))
		at += int64(len(jobs))
	}
	above += upper.top()
	upper.empty()
	upper.runs.Occupy(above)
	lower, begun := -max(window/4, block), false
	for at := -window; at < 0; {
		if stop.Load() {
			return false, false
		}
		jobs := w.read(at, 0)
		if !begun && at >= lower && at%block == 0 { // where chains move the origin
			w.long.empty()
			begun = true
		}
		if begun {
			w.long.take(w.reader, at, jobs)
			w.long.rebase()
			w.steps += int64(len(jobs))
		}
		if !met {
			upper.take(w.reader, at, jobs)
			upper.rebase()
			w.steps += int64(len(jobs))
			met = begun && c.same(w.long.work(), upper.work())
		}
		at += int64(len(jobs))
	}
	return met, true
}
