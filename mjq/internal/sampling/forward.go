package sampling

import (
	"context"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// Forward runs independent replications of the queue from an empty start and
// records the jobs after a warm-up. Unlike Backward it does not know whether
// the warm-up was long enough.
type Forward struct {
	System
	Replications int
	WarmUp, Jobs int64   // a replication
	Controlled   bool    // with control variates
	Close        bool    // with those that look every Closer jobs and know squares
	Nearby       *Nearby // with close ones: a smaller queue whose waits are known; nil: there is none
	Few          bool    // a few large jobs make most of the error: controls in fixed proportions, see martingale
	Alone        []bool  // with Few: classes whose waits have no controls, by class; nil: none
	Level        float64
	Enough       func(done int, mean func() result.Estimate) bool // nil: all replications

	by    controls
	drift *martingale // in their place; nil: there is none
	row   *Layout     // of a controlled path
}

// forwardPart is the outcome of one replication.
type forwardPart struct {
	seen           []tally            // by class: the goroutine's, until the replication ends
	sums           []estimate.Batch   // by class
	wait, response [][]estimate.Count // by class, ascending
	hol            float64
	kinds          []float64
	arrivals       ledger
	page           page
	rows           [][]float64 // by part of the path: what it has added to the whole
	turns          int         // parts that have ended
	whole, scratch observation
}

// Run makes the replications. When ctx ends it returns those completed, in
// order, with the intervals that they allow; a device that has completed none may shorten
// Jobs to how far all have come.
func (f *Forward) Run(ctx context.Context, report Report) *ForwardResult {
	run := forwardRun{Forward: f, res: &ForwardResult{Classes: make([]Gathered, len(f.Needs))}, byKind: make([][]float64, f.OfTypes()), report: report}
	if f.Controlled {
		run.res.Fit = f.controlled()
	}
	if f.Device != nil {
		run.res.Failed = f.waves(ctx, run.res, run.wave)
	} else {
		f.tasks(ctx, &run.jobs, run.merge)
	}
	run.finish()
	return run.res
}

// controlled chooses the controls and begins their fit.
func (f *Forward) controlled() *Fit {
	f.row = PathRow(len(f.Needs), f.OfTypes())
	if f.Few {
		f.drift = f.martingale(f.Alone)
	}
	if f.drift != nil {
		if f.Nearby != nil {
			f.drift.beside(f.Nearby, &f.System)
		}
		return newDriftFit(f.drift, f.row, len(f.Needs), f.OfTypes())
	}
	f.by = f.controls(f.Jobs, f.Close)
	if f.Nearby != nil && f.by.squares {
		f.by.nearby, f.by.enough = f.Nearby.controls(&f.System), f.Nearby.Enough
	}
	return newFit(&f.by, f.row)
}

// tasks makes the replications and merges them in order until there are enough.
func (f *Forward) tasks(ctx context.Context, done *atomic.Int64, merge func(part *forwardPart) (enough bool)) {
	side := f.beside(f.Replications)
	if f.Controlled || !f.few() {
		replicate.InOrder(ctx, f.Replications, f.Workers, f.newForwardWorker,
			func(stop *atomic.Bool, w *worker, task int, part *forwardPart) bool {
				return f.replicate(stop, w, uint64(task), part, done)
			}, func(_ int, part *forwardPart) bool { return merge(part) })
		return
	}
	replicate.InOrder(ctx, (f.Replications+side-1)/side, f.Workers, f.newAbreast,
		func(stop *atomic.Bool, a *abreast, task int, group *[]forwardPart) bool {
			if *group == nil {
				*group = make([]forwardPart, side)
			}
			*group = (*group)[:min(side, f.Replications-task*side)]
			return f.replicateAbreast(stop, a, task*side, *group, done)
		}, func(_ int, group *[]forwardPart) bool {
			for i := range *group {
				if merge(&(*group)[i]) || ctx.Err() != nil { // with a thousand classes each takes its time
					return true
				}
			}
			return false
		})
}

// Closer is how many jobs there are between looks where squares are known: what single jobs
// bring is then no longer what is left of the error, but what has changed since the look.
const Closer = 8

// Parts is in how many parts a path is looked at to find the coefficients of its
// controls, for there may be few paths.
const Parts = 32

// soFar is what the path has brought and shown, as the fit takes it.
func (f *Forward) soFar(seen *observation, part *forwardPart) {
	l, n := f.row, float64(f.Jobs)
	if f.drift != nil {
		f.drift.controls(&part.page, part.arrivals.sums)
	}
	seen.of(part.arrivals.sums, l.Len())
	v := seen.values
	for c := range part.seen {
		t := &part.seen[c]
		v[l.Class(Jobs, c)], v[l.Class(Waiting, c)], v[l.Class(Squared, c)] = float64(t.jobs)/n, t.wait/n, t.square/n
		v[l.All(Waiting)] += t.wait / n
		v[l.All(Squared)] += t.square / n
	}
	v[l.All(Waste)] = part.hol / n
	for k, z := range part.kinds {
		v[l.Kind(Waste, k)] = z / n
	}
}

// turn ends a part of the path.
func (f *Forward) turn(part *forwardPart) {
	f.soFar(&part.scratch, part)
	now := part.scratch.row
	if part.turns == len(part.rows) {
		part.rows = append(part.rows, make([]float64, len(now)))
	}
	row := part.rows[part.turns]
	part.turns++
	copy(row, now)
	if part.turns > 1 {
		for i, z := range part.whole.row {
			row[i] -= z
		}
	}
	part.whole, part.scratch = part.scratch, part.whole
}

// newForwardWorker is a worker that has the smaller queue, too, if there is one.
func (f *Forward) newForwardWorker() *worker {
	w := f.newWorker()
	if f.by.nearby > 0 || f.drift != nil && f.drift.near != nil {
		w.near = f.Nearby.beside(&f.System)
	}
	return w
}

// replicate runs one replication.
func (f *Forward) replicate(stop *atomic.Bool, w *worker, rep uint64, part *forwardPart, done *atomic.Int64) bool {
	part.reset(len(f.Needs), f.OfTypes(), f.number())
	if f.drift != nil {
		part.page.reset(f.drift)
	}
	part.seen = w.tally(&f.System)
	w.reader.Until(stop).Rewind(rep)
	c := w.long
	c.empty()
	w.near.empty()
	for at := int64(0); at < f.WarmUp+f.Jobs; {
		if stop.Load() {
			return false
		}
		jobs := w.read(at, f.WarmUp+f.Jobs)
		switch {
		case at < f.WarmUp:
			jobs = jobs[:min(int64(len(jobs)), f.WarmUp-at)]
			c.take(w.reader, at, jobs)
			w.near.take(jobs)
		case f.Controlled:
			f.account(w, at, jobs, part)
		default:
			c.record(w.reader, at, jobs, part)
		}
		c.rebase()
		w.near.rebase()
		at += int64(len(jobs))
		done.Add(int64(len(jobs)))
	}
	if rep > 0 && stop.Load() { // of a run that has ended only the very first is still merged
		return false
	}
	if f.Controlled {
		f.observe(w, part)
		f.turn(part)
	}
	part.flush()
	part.hol /= float64(f.Jobs)
	for k := range part.kinds {
		part.kinds[k] /= float64(f.Jobs)
	}
	return true
}

// account records jobs and keeps account of them: it looks at the chain every
// few jobs, and ends a part of the path when it is due.
func (f *Forward) account(w *worker, at int64, jobs []stream.Job, part *forwardPart) {
	every, by := (f.Jobs+Parts-1)/Parts, Closest
	if f.by.squares || f.drift != nil && f.Close {
		by = Closer
	}
	for len(jobs) > 0 {
		n := min(by, len(jobs))
		f.observe(w, part)
		if at-f.WarmUp >= int64(part.turns+1)*every {
			f.turn(part)
		}
		switch {
		case f.drift != nil:
			f.drift.add(&part.page, jobs[:n])
		case f.by.squares:
			part.arrivals.addSquares(jobs[:n])
		default:
			part.arrivals.add(jobs[:n])
		}
		w.near.note(jobs[:n], part.arrivals.sums)
		w.long.record(w.reader, at, jobs[:n], part)
		at += int64(n)
		jobs = jobs[n:]
	}
}

// number is how many control variates there are.
func (f *Forward) number() int {
	if f.drift != nil {
		return f.drift.number()
	}
	return f.by.number()
}

// observe tells the controls how full the queue is.
func (f *Forward) observe(w *worker, part *forwardPart) {
	level := w.long.work() / float64(f.Servers)
	if f.drift != nil {
		f.drift.turnPage(&part.page, level)
		return
	}
	f.by.turnPage(&part.arrivals, level)
}

func (p *forwardPart) reset(classes, kinds, controls int) {
	if p.sums == nil {
		p.sums = make([]estimate.Batch, classes)
		p.wait, p.response = make([][]estimate.Count, classes), make([][]estimate.Count, classes)
		p.kinds = make([]float64, kinds)
	}
	p.hol, p.turns = 0, 0
	p.arrivals.reset(classes, controls)
	clear(p.kinds)
}

// flush moves what the goroutine has seen into the part.
func (p *forwardPart) flush() {
	var room estimate.Histogram
	for c := range p.seen {
		p.sums[c] = p.seen[c].flush(&room, &p.wait[c], &p.response[c])
	}
	p.seen = nil
}
