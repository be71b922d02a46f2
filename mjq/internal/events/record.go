package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// sums are what is added up of the jobs of one class in one batch.
type sums struct {
	estimate.Sums
	work      float64 // servers × time for which they are held
	lostWork  float64 // of that, what is lost
	dropped   float64 // time that jobs got which left as their servers failed
	scattered float64 // jobs that came when enough was free and had no place on nodes
	unserved          // jobs that were not served, which are not among the others
}

// observe adds a job with its quantities, so many times.
func (s *sums) observe(j *Record, values *[estimate.Quantities]float64, asked *estimate.Asked, times float64) {
	s.AddValues(values, times)
	s.Add(&j.Served, asked, times)
	s.work += times * (float64(j.Need) * j.Service)
	if j.Preemptions > 0 || j.Lost > 0 {
		s.work += times * (float64(j.Need) * (j.held() - j.Service))
		s.lostWork += times * (float64(j.Need) * j.Lost)
	}
	if j.Dropped {
		s.dropped += times * j.Service
	}
	if j.Scattered {
		s.scattered += times
	}
}

// miss adds a job that is not served, so many times.
func (s *sums) miss(j *Record, times float64) {
	s.lose(j, times)
	if j.Scattered {
		s.scattered += times
	}
}

func (s *sums) merge(q *sums) {
	s.Sums.Merge(&q.Sums)
	s.work += q.work
	s.lostWork += q.lostWork
	s.dropped += q.dropped
	s.scattered += q.scattered
	s.unserved.merge(&q.unserved)
}

// batch is what was seen of consecutive jobs: the times of those jobs, and the
// averages over the time from the arrival of the first to that of the first
// job of the next batch.
type batch struct {
	integrals
	classes    []sums
	overtaking []float64 // by class that overtakes, and by class overtaken; nil: not asked for
	sizes      []sizes   // by class; nil where jobs hold what they need
}

func (p *Plan) newBatch() batch {
	b := batch{integrals: p.newIntegrals(), classes: make([]sums, p.Classes)}
	if p.Overtaking {
		b.overtaking = make([]float64, p.Classes*p.Classes)
	}
	if p.Elastic != nil {
		b.sizes = make([]sizes, p.Classes)
	}
	return b
}

// add appends the jobs and the time that follow.
func (b *batch) add(q *batch) {
	b.integrals.add(&q.integrals)
	for c := range q.classes {
		b.classes[c].merge(&q.classes[c])
	}
	for i, n := range q.overtaking {
		b.overtaking[i] += n
	}
	for i := range q.sizes {
		b.sizes[i].merge(&q.sizes[i])
	}
}

func (b *batch) clear() {
	b.integrals.clear()
	clear(b.classes)
	clear(b.overtaking)
	clear(b.sizes)
}

// part is a batch some of whose jobs have not been recorded, or whose time is not over.
type part struct {
	batch
	seen    counts       // while it is not the first; what is seen of the first goes to the recorder
	log     estimate.Log // the same of many classes
	early   bool         // something was
	missing int64        // jobs
	timed   bool
}

// outcome is what one replication brings: its complete batches.
type outcome struct {
	batches    []batch
	size       int // planned batches that make one of them
	seen       counts
	log        estimate.Log // the same of many classes
	unfinished int64        // jobs of these batches that had not been served when the run was given up
}

// recorder listens to a simulator and files its jobs by batch. A job of one batch may
// be recorded in the time of a later one, and jobs of several batches in any order.
type recorder struct {
	*Plan
	asked   estimate.Asked
	sim     simulation
	ordered bool    // jobs start whatever comes after them
	open    []*part // batches that are not filed
	filed   int64   // those that are
	spare   []*part
	joint   batch        // batches that are to be one
	parts   int          // how many they are
	seen    []shorts     // of the jobs of both, by class
	log     estimate.Log // the same of many classes
	out     *outcome
}

// simulation is what a recorder asks of a Simulator.
type simulation interface {
	Replicate(input *stream.Reader)
	Until(n int64)
	Drain(limit int) (waiting int)
	take(to *integrals, times float64)
}

func (p *Plan) newRecorder() *recorder {
	r := &recorder{Plan: p, asked: p.asked(), ordered: true, seen: newShorts(p.histograms(), p.Input.Unit()), joint: p.newBatch()}
	if p.plain() {
		r.sim = newInOrder(p.Servers, p.Classes, r.block)
		return r
	}
	if p.limited() {
		r.sim = newLimited(&p.System, r.fates)
		return r
	}
	if p.failsPlainly() {
		r.sim, r.ordered = newFailsInOrder(p.System, r), false
		return r
	}
	sim := New(p.System)
	r.sim, r.ordered = sim, sim.known.Recurrence && p.Failing == nil && p.Sleep == nil && p.Elastic == nil
	sim.Recorded = r.record
	if p.Overtaking {
		sim.CountOvertaking(p.Classes, r.overtook)
	}
	return r
}

// plain reports whether inOrder does.
func (p *Plan) plain() bool {
	return (p.Policy == nil || p.Policy.Properties().Recurrence) && p.Failing == nil && p.Sleep == nil && p.Elastic == nil && p.Types == nil && p.Nodes == nil && !p.Overtaking && !p.Turns() && !p.general
}

// at is the open batch of a job, which is made if it is the first of it; nil for a job
// that is not to be recorded.
func (r *recorder) at(n int64) *part {
	if first := r.WarmUp + r.filed*r.Length; len(r.open) > 0 && uint64(n-first) < uint64(r.Length) {
		return r.open[0] // mostly, and without a division
	}
	if n < r.WarmUp {
		return nil
	}
	b := (n - r.WarmUp) / r.Length
	if !r.lengthens() && b >= int64(r.Batches) {
		return nil
	}
	if b < r.filed { // given up
		return nil
	}
	for int64(len(r.open)) <= b-r.filed {
		r.open = append(r.open, r.newPart())
	}
	return r.open[b-r.filed]
}

func (r *recorder) newPart() *part {
	if n := len(r.spare); n > 0 {
		p := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return p
	}
	return &part{batch: r.newBatch(), seen: newCounts(r.histograms()), missing: r.Length}
}

// record records a job. One of a later batch has those before it filed that are
// complete.
func (r *recorder) record(j *Record) {
	b := r.at(j.Number)
	if b == nil {
		return
	}
	for b != r.open[0] && r.open[0].missing == 0 && r.open[0].timed {
		r.file()
	}
	b.missing--
	if j.Fate != Served {
		b.classes[j.Class].miss(j, 1)
		return
	}
	values := r.asked.Values(j.Wait, j.Service)
	b.classes[j.Class].observe(j, &values, &r.asked, 1)
	if b.sizes != nil {
		b.sizes[j.Class].add(j)
		b.classes[j.Class].work += j.Held - float64(j.Need)*j.held()
		b.classes[j.Class].lostWork += j.Wasted - float64(j.Need)*j.Lost
	}
	if r.many() {
		b.early = b != r.open[0]
		to := &r.log
		if b.early {
			to = &b.log
		}
		logged(to, j.Class, &values)
		return
	}
	if b == r.open[0] {
		r.seen[j.Class].Add(&values)
		return
	}
	b.early = true
	seen := &b.seen[j.Class]
	for q := range values {
		seen[q].Add(values[q])
	}
}

// overtook records whom a job overtakes.
func (r *recorder) overtook(n int64, class int32, overtaken []int) {
	if b := r.at(n); b != nil {
		for c, jobs := range overtaken {
			b.overtaking[int(class)*r.Classes+c] += float64(jobs)
		}
	}
}

// file files the first open batch, once it makes a whole one with those before it.
func (r *recorder) file() {
	p := r.open[0]
	copy(r.open, r.open[1:])
	r.open = r.open[:len(r.open)-1]
	r.out.unfinished += p.missing
	r.joint.add(&p.batch)
	p.batch.clear()
	p.missing, p.timed = r.Length, false
	r.spare = append(r.spare, p)
	if r.parts++; r.parts == r.out.size {
		r.out.batches = append(r.out.batches, r.joint)
		r.joint = r.newBatch()
		moveTo(r.seen, r.out.seen)
		r.log.MoveTo(&r.out.log)
		r.parts = 0
		if r.lengthens() && len(r.out.batches) == 2*r.Batches {
			r.out.join()
		}
	}
	r.filed++
	if len(r.open) > 0 && r.open[0].early {
		r.open[0].seen.moveToFar(r.seen)
		r.open[0].log.MoveTo(&r.log)
		r.open[0].early = false
	}
}
