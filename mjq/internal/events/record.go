package events

import (
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// sums are the moments of the waits and responses of the jobs of one class in
// one batch.
type sums struct {
	n, w, w2, r, r2 float64
}

func (s *sums) merge(q *sums) {
	s.n += q.n
	s.w += q.w
	s.w2 += q.w2
	s.r += q.r
	s.r2 += q.r2
}

// batch is what was seen of consecutive jobs: the times of those jobs, and the
// averages over the time from the arrival of the first to that of the first
// job of the next batch.
type batch struct {
	classes []sums
	area    Area
}

// counts are the histograms of waits and responses by class.
type counts struct {
	wait, response []estimate.Histogram
}

func newCounts(classes int) counts {
	return counts{make([]estimate.Histogram, classes), make([]estimate.Histogram, classes)}
}

// spreads say how much the distributions differ between replications, by class and
// last for all jobs.
type spreads struct{ wait, response []estimate.Spread }

func newSpreads(classes int) spreads {
	return spreads{make([]estimate.Spread, classes+1), make([]estimate.Spread, classes+1)}
}

// add adds a replication.
func (s spreads) add(c *counts) {
	all := len(c.wait)
	for i := range c.wait {
		for _, to := range [...]int{i, all} {
			s.wait[to].Take(&c.wait[i], 1)
			s.response[to].Take(&c.response[i], 1)
		}
		s.wait[i].Close()
		s.response[i].Close()
	}
	s.wait[all].Close()
	s.response[all].Close()
}

// add appends the jobs and the time that follow.
func (b *batch) add(classes []sums, area *Area) {
	for c := range classes {
		b.classes[c].merge(&classes[c])
	}
	b.area.add(area)
}

// moveTo adds the counts to q and forgets them.
func (c *counts) moveTo(q *counts) {
	for i := range c.wait {
		q.wait[i].Merge(&c.wait[i])
		q.response[i].Merge(&c.response[i])
		c.wait[i].Reset()
		c.response[i].Reset()
	}
}

// outcome is what one replication brings: its complete batches.
type outcome struct {
	batches []batch
	size    int // planned batches that make one of them
	seen    counts
	failed  error // a panic, and nothing else counts
}

// recorder listens to a simulator and files its jobs by batch. A job of one
// batch may start in the time of a later one, so times by job and averages
// over time are completed apart.
type recorder struct {
	*Plan
	sim   *Simulator
	areas []Area // of the batches whose time is over and whose jobs are not all known
	jobs  []sums // by class, of the batch whose jobs are starting
	next  int64  // first job of the batch after it
	joint batch  // batches that are to be one
	parts int    // how many they are
	seen  counts // of the jobs of both
	out   *outcome
}

func (p *Plan) newRecorder() *recorder {
	r := &recorder{Plan: p, sim: NewSimulator(p.Servers), seen: newCounts(p.Classes), jobs: make([]sums, p.Classes)}
	r.sim.Started = r.started
	return r
}

// started records a job. The first of a batch completes the one before.
func (r *recorder) started(n int64, class int32, wait, service float64) {
	if n < r.WarmUp {
		return
	}
	if n == r.next {
		r.complete()
	}
	s, response := &r.jobs[class], wait+service
	s.n++
	s.w += wait
	s.w2 += wait * wait
	s.r += response
	s.r2 += response * response
	r.seen.wait[class].Add(wait)
	r.seen.response[class].Add(response)
}

// complete files the batch whose jobs have all started, once it makes a whole
// one with those before it.
func (r *recorder) complete() {
	if r.parts == 0 {
		r.joint = batch{classes: make([]sums, r.Classes)}
	}
	r.joint.add(r.jobs, &r.areas[0])
	r.areas = r.areas[1:]
	if r.parts++; r.parts == r.out.size {
		r.out.batches = append(r.out.batches, r.joint)
		r.seen.moveTo(&r.out.seen)
		r.parts = 0
		if r.lengthens() && len(r.out.batches) == 2*r.Batches {
			r.out.join()
		}
	}
	clear(r.jobs)
	r.next += r.Length
}

// atOnce is how many jobs or departures are handled between looks at stop.
const atOnce = 1024

// replicate runs one replication and returns its complete batches, which are
// fewer than planned if it is stopped; no other may follow then.
func (r *recorder) replicate(stop *atomic.Bool, rep uint64, tick func(jobs int64)) *outcome {
	r.out = &outcome{size: 1, seen: newCounts(r.Classes)}
	r.areas, r.next, r.parts = nil, r.WarmUp+r.Length, 0
	clear(r.jobs)
	r.sim.Reset(r.Input.Reader(rep))
	if !r.until(stop, 0, r.WarmUp, tick) {
		return r.out
	}
	r.sim.Take()
	if r.lengthens() {
		r.lengthen(stop, tick)
		return r.out
	}
	for b := range int64(r.Batches) {
		if !r.batch(stop, b, tick) {
			return r.out
		}
	}
	for r.sim.Drain(atOnce) > 0 {
		if stop.Load() {
			return r.out
		}
	}
	r.complete()
	return r.out
}

// batch runs to the end of the time of batch b; false if stopped.
func (r *recorder) batch(stop *atomic.Bool, b int64, tick func(jobs int64)) bool {
	from := r.WarmUp + b*r.Length
	if !r.until(stop, from, from+r.Length, tick) {
		return false
	}
	r.areas = append(r.areas, r.sim.Take())
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
