package sampling

import (
	"context"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// Forward runs independent replications of the queue from an empty start and
// records the jobs after a warm-up. Unlike Backward it does not know whether
// the warm-up was long enough.
type Forward struct {
	System
	Replications int
	WarmUp, Jobs int64 // a replication
	Level        float64
	Enough       func(done int, mean func() estimate.Estimate) bool // nil: all replications
}

// ForwardResult is what Forward has collected.
type ForwardResult struct {
	Classes []Tally
	All     Tally
	HOL     estimate.Estimate   // head-of-line server-time a job
	Kinds   []estimate.Estimate // the same by type of resource
	Done    int                 // replications
	Steps   int64
	Failed  error // of the device
}

// forwardPart is the outcome of one replication.
type forwardPart struct {
	sums           []estimate.Batch // by class
	wait, response []estimate.Histogram
	hol            float64
	kinds          []float64
}

// Run makes the replications. When ctx ends it returns those completed, in
// order, with the intervals that they allow.
func (f *Forward) Run(ctx context.Context, report Report) *ForwardResult {
	res := &ForwardResult{Classes: make([]Tally, len(f.Needs))}
	var reps [][]estimate.Batch
	var hol []float64
	kinds := make([][]float64, f.kinds())
	var done atomic.Int64
	total := float64(f.WarmUp+f.Jobs) * float64(f.Replications)
	enough := func() bool {
		return f.Enough != nil && f.Enough(len(reps), func() estimate.Estimate {
			f.summarise(res, reps)
			return res.All.MeanW
		})
	}
	if f.Device != nil {
		res.Failed = f.waves(ctx, res, func(sums [][]estimate.Batch, waste []float64, byKind [][]float64) bool {
			reps, hol = append(reps, sums...), append(hol, waste...)
			for k, x := range byKind {
				kinds[k] = append(kinds[k], x...)
			}
			if report != nil {
				report(float64(len(reps)), float64(f.Replications))
			}
			return enough()
		})
		return f.finish(res, reps, hol, kinds)
	}
	ordered(ctx, f.Replications, f.Workers, f.newWorker,
		func(stop *atomic.Bool, w *worker, task int, part *forwardPart) bool {
			return f.replicate(stop, w, uint64(task), part, &done)
		},
		func(_ int, part *forwardPart) bool {
			reps = append(reps, append([]estimate.Batch(nil), part.sums...))
			hol = append(hol, part.hol)
			for k, x := range part.kinds {
				kinds[k] = append(kinds[k], x)
			}
			for c := range res.Classes {
				res.Classes[c].Wait.Merge(&part.wait[c])
				res.Classes[c].Response.Merge(&part.response[c])
			}
			if report != nil {
				report(float64(done.Load()), total)
			}
			return enough()
		})
	return f.finish(res, reps, hol, kinds)
}

// finish computes what the result says from its replications.
func (f *Forward) finish(res *ForwardResult, reps [][]estimate.Batch, hol []float64, kinds [][]float64) *ForwardResult {
	res.Done, res.Steps = len(reps), int64(len(reps))*(f.WarmUp+f.Jobs)
	res.HOL = estimate.OfReplications(hol, f.Level, "replications")
	for _, x := range kinds {
		res.Kinds = append(res.Kinds, estimate.OfReplications(x, f.Level, "replications"))
	}
	f.summarise(res, reps)
	return res
}

// replicate runs one replication.
func (f *Forward) replicate(stop *atomic.Bool, w *worker, rep uint64, part *forwardPart, done *atomic.Int64) bool {
	part.reset(len(f.Needs), f.kinds())
	w.reader.Rewind(rep)
	c := w.long
	c.empty()
	for at := int64(0); at < f.WarmUp+f.Jobs; {
		if stop.Load() {
			return false
		}
		jobs := w.read(at, f.WarmUp+f.Jobs)
		if at < f.WarmUp {
			jobs = jobs[:min(int64(len(jobs)), f.WarmUp-at)]
			c.take(w.reader, at, jobs)
		} else {
			c.record(w.reader, at, jobs, part)
		}
		c.rebase()
		at += int64(len(jobs))
		done.Add(int64(len(jobs)))
	}
	part.hol /= float64(f.Jobs)
	for k := range part.kinds {
		part.kinds[k] /= float64(f.Jobs)
	}
	return true
}

func (p *forwardPart) reset(classes, kinds int) {
	if p.sums == nil {
		p.sums = make([]estimate.Batch, classes)
		p.wait, p.response = make([]estimate.Histogram, classes), make([]estimate.Histogram, classes)
		p.kinds = make([]float64, kinds)
	}
	p.hol = 0
	clear(p.kinds)
	for c := range p.sums {
		p.sums[c] = estimate.Batch{}
		p.wait[c].Reset()
		p.response[c].Reset()
	}
}

func (p *forwardPart) add(class int32, wait, service float64) {
	s := &p.sums[class]
	s.N++
	s.X += wait
	s.X2 += wait * wait
	p.wait[class].Add(wait)
	p.response[class].Add(wait + service)
}

// summarise turns the replications into estimates by class and for all jobs.
func (f *Forward) summarise(res *ForwardResult, reps [][]estimate.Batch) {
	one := make([]estimate.Batch, len(reps))
	all := make([]estimate.Batch, len(reps))
	for c := range res.Classes {
		for r := range reps {
			one[r] = reps[r][c]
			all[r].N += one[r].N
			all[r].X += one[r].X
			all[r].X2 += one[r].X2
		}
		f.estimate(&res.Classes[c], one)
	}
	f.estimate(&res.All, all)
}

// estimate fills the mean and the variance of a tally with ratio estimators
// over the replications: the number of jobs of a class in one is random.
func (f *Forward) estimate(t *Tally, reps []estimate.Batch) {
	t.MeanW, t.VarianceW, t.Effective = estimate.OfBatches(reps, f.Level, "replications")
}
