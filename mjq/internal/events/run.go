package events

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Plan says what to simulate: independent replications of a queue that starts
// empty, each of WarmUp jobs that are not recorded and Batches batches of
// Length recorded jobs.
type Plan struct {
	compiled.System
	Replications   int
	Batches        int // a replication
	WarmUp, Length int64
	Level          float64 // of the intervals
	Workers        int     // goroutines; at least 1
	Threshold      float64 // services count as no shorter in slowdowns; 0: the services themselves
	Observed       bool    // results keep the sums that tallies are made of, for paired differences
	InTime         float64 // the target of the shares of jobs in time; 0: not asked for
	Overtaking     bool    // count who overtakes whom, at O(classes log n) a job
	// Enough, if not nil, is asked after every replication whether to end; with
	// Batches, of one replication, whether to end or to lengthen the run.
	Enough  replicate.Rule
	general bool   // the general engine serves first come, first served too
	named   string // of the estimates, where they are not of replications or batch means
}

// Run simulates. When ctx ends it returns the batches that were complete by
// then, of replications 0 to some r without a gap. Report, if not nil, is told
// how many jobs of how many are done, one call at a time.
func (p *Plan) Run(ctx context.Context, report func(done, total float64)) *Result {
	tick := p.meter(report)
	spread, rows := newSpreads(p.histograms()), (*rows)(nil)
	all := outcome{size: 1, seen: newCounts(p.histograms())}
	if p.many() {
		rows = p.newRows()
	}
	brief := func() bool { return p.Classes >= briefClasses && ctx.Err() != nil }
	replicate.InOrder(ctx, p.Replications, p.Workers, p.newRecorder,
		func(stop *atomic.Bool, r *recorder, rep int, o *outcome) bool {
			r.replicate(stop, uint64(rep), o, tick)
			if rows != nil && rows.by != nil && !stop.Load() {
				o.log.Counts() // here, for others wait for who merges
			}
			return true
		},
		func(_ int, o *outcome) (enough bool) {
			all.batches, all.size = append(all.batches, o.batches...), o.size
			all.unfinished += o.unfinished
			if rows != nil {
				rows.add(&o.log, p.Workers, brief)
				o.log = estimate.Log{}
			} else if p.Batches == 1 {
				spread.add(o.seen)
			}
			o.seen.moveTo(all.seen)
			// A replication that was stopped has fewer batches.
			return len(o.batches) != p.Batches || p.enough(all.batches)
		})
	if rows != nil {
		rows.brief = brief()
	}
	return p.summarise(&all, spread, rows)
}

// enough reports whether the batches suffice.
func (p *Plan) enough(batches []batch) bool {
	return p.Enough != nil && p.Enough(len(batches), func() result.Estimate { return p.mean(batches) })
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
