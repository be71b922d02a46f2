package events

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// Plan says what to simulate: independent replications of a queue that starts
// empty, each of WarmUp jobs that are not recorded and Batches batches of
// Length recorded jobs.
type Plan struct {
	Servers, Classes int
	Input            *stream.Source
	Replications     int
	Batches          int // a replication
	WarmUp, Length   int64
	Level            float64 // of the intervals
	Workers          int     // goroutines; at least 1
	// Enough, if not nil, is asked after every replication whether to end; with
	// Batches, of one replication, whether to end or to lengthen the run.
	Enough func(done int, mean func() result.Estimate) bool
}

// Run simulates. When ctx ends it returns the batches that were complete by
// then, of replications 0 to some r without a gap. Report, if not nil, is told
// how many jobs of how many are done, one call at a time.
func (p *Plan) Run(ctx context.Context, report func(done, total float64)) *Result {
	var stop atomic.Bool
	detach := context.AfterFunc(ctx, func() { stop.Store(true) })
	defer detach()
	stop.Store(ctx.Err() != nil)
	tick := p.meter(report)
	seen, spread := newCounts(p.Classes), newSpreads(p.Classes)
	var batches []batch
	size := 1
	whole := true
	var failed error // a panic, once all goroutines have ended
	for slot := range p.inOrder(&stop, tick) {
		o := <-slot
		// After a gap nothing counts, or quick replications would be
		// preferred to slow ones.
		if o.failed != nil {
			stop.Store(true)
			failed, whole = o.failed, false
		}
		if !whole {
			continue
		}
		batches, size = append(batches, o.batches...), o.size
		if p.Batches == 1 {
			spread.add(&o.seen)
		}
		o.seen.moveTo(&seen)
		whole = len(o.batches) == p.Batches && !p.enough(batches)
		if !whole {
			stop.Store(true)
		}
	}
	if failed != nil {
		panic(failed)
	}
	return p.summarise(batches, size, &seen, spread)
}

// enough says whether the batches suffice.
func (p *Plan) enough(batches []batch) bool {
	return p.Enough != nil && p.Enough(len(batches), func() result.Estimate { return p.mean(batches) })
}

// inOrder runs the replications on several goroutines and yields the places
// where their outcomes will appear, in order. Goroutines are at most a few
// replications ahead of the slowest.
func (p *Plan) inOrder(stop *atomic.Bool, tick func(jobs int64)) <-chan chan *outcome {
	type task struct {
		rep  uint64
		slot chan *outcome
	}
	workers := max(1, min(p.Workers, p.Replications))
	slots, tasks := make(chan chan *outcome, 4*workers), make(chan task)
	go func() {
		defer close(slots)
		defer close(tasks)
		for rep := 0; rep < p.Replications && !stop.Load(); rep++ {
			t := task{uint64(rep), make(chan *outcome, 1)}
			slots <- t.slot
			tasks <- t
		}
	}()
	for range workers {
		go func() {
			r := p.newRecorder()
			for t := range tasks {
				var o *outcome
				if err := panics.Call(func() { o = r.replicate(stop, t.rep, tick) }); err != nil {
					o = &outcome{failed: err}
				}
				t.slot <- o
			}
		}()
	}
	return slots
}

// Total is the number of jobs that the plan has, before a target lengthens it.
func (p *Plan) Total() float64 {
	return float64(p.Replications) * float64(p.WarmUp+int64(p.Batches)*p.Length)
}

// meter counts the jobs that all goroutines have done.
func (p *Plan) meter(report func(done, total float64)) func(jobs int64) {
	if report == nil {
		return func(int64) {}
	}
	var mu sync.Mutex
	var done int64
	total := p.Total()
	return func(jobs int64) {
		mu.Lock()
		defer mu.Unlock()
		done += jobs
		for total < float64(done) {
			total *= 2 // a run that is lengthened
		}
		report(float64(done), total)
	}
}
