package events

import (
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// atOnce is how many jobs or departures are handled between looks at stop.
const atOnce = 1024

// replicate runs one replication and fills out with its complete batches, which are
// fewer than planned if it is stopped.
func (r *recorder) replicate(stop *atomic.Bool, rep uint64, out *outcome, tick func(jobs int64)) {
	*out = outcome{size: 1, seen: newCounts(r.histograms()), log: estimate.Log{Stop: stop}}
	r.out, r.log.Stop = out, stop
	r.filed, r.parts = 0, 0
	r.sim.Replicate(r.Input.Reader(rep).Until(stop))
	if !r.until(stop, 0, r.WarmUp, tick) {
		return
	}
	before := r.newIntegrals()
	r.sim.take(&before, 1)
	if r.lengthens() {
		r.lengthen(stop, tick)
		return
	}
	for b := range int64(r.Batches) {
		if !r.batch(stop, b, tick) {
			return
		}
	}
	if !r.finish(stop, tick) {
		return
	}
	for len(r.open) > 0 {
		r.file()
	}
}

// batch runs to the end of the time of batch b; false if stopped.
func (r *recorder) batch(stop *atomic.Bool, b int64, tick func(jobs int64)) bool {
	from := r.WarmUp + b*r.Length
	if !r.until(stop, from, from+r.Length, tick) {
		return false
	}
	p := r.at(from)
	seen := r.newIntegrals()
	r.sim.take(&seen, 1)
	if p != nil {
		p.integrals, p.timed = seen, true
	}
	return true
}

// until runs from the arrival of one job to that of another; false if stopped.
func (r *recorder) until(stop *atomic.Bool, from, to int64, tick func(jobs int64)) bool {
	for from < to && !stop.Load() {
		n := min(atOnce, to-from)
		from += n
		r.sim.Until(from)
		tick(n)
	}
	return from == to && !stop.Load()
}

// finish runs on until all jobs of the batches have been recorded; false if stopped.
// Under FCFS their starts follow from themselves. Other policies may have later jobs
// start before them, so these must come; it gives up after as many again as planned.
func (r *recorder) finish(stop *atomic.Bool, tick func(jobs int64)) bool {
	if r.ordered {
		for r.sim.Drain(atOnce) > 0 {
			if stop.Load() {
				return false
			}
		}
		return true
	}
	planned := r.WarmUp + int64(r.Batches)*r.Length
	for n := planned; n < 2*planned && r.missing(); n += atOnce {
		if !r.until(stop, n, n+atOnce, func(int64) {}) {
			return false
		}
	}
	return true
}

// missing reports whether a job of the batches has not been recorded.
func (r *recorder) missing() bool {
	for _, p := range r.open {
		if p.missing > 0 {
			return true
		}
	}
	return false
}

// lengthens reports whether the run goes on until Enough says so.
func (p *Plan) lengthens() bool { return p.Batches > 1 && p.Enough != nil }

// lengthen goes on batch by batch until Enough says so. Whenever there are twice as
// many batches as planned, neighbours are joined. A batch that is not complete when as
// many have followed is filed as it is: what it waits for may never be served.
func (r *recorder) lengthen(stop *atomic.Bool, tick func(jobs int64)) {
	o := r.out
	for b := int64(0); r.batch(stop, b, tick); b++ {
		for len(r.open) > 2*r.Batches*o.size {
			r.file()
		}
		done := len(o.batches) * o.size
		if r.Enough(done, func() result.Estimate { return r.mean(o.batches) }) {
			return
		}
	}
}

// join makes one batch of every two, of which there must be an even number.
func (o *outcome) join() {
	o.batches = replicate.Join(o.batches, func(one, two *batch) { one.add(two) })
	o.size *= 2
}
