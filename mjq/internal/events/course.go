package events

import (
	"context"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// Course says what to observe of a queue as time goes by: independent replications from
// time 0, at which it is empty or in a given state, divided into equal parts of time.
// A job counts in the part in which it arrives.
type Course struct {
	compiled.System         // whose input begins at time 0
	Start           *Start  // nil: empty
	Width           float64 // of a part
	Parts           int
	Skip, Rounds    int // how often all parts are gone through before they are observed, and then
	Replications    int
	Level           float64
	Workers         int
}

// Start is the state at time 0.
type Start struct {
	Running, Waiting int // jobs in service, and in line
	// Jobs appends these, those in service first, with what remains of their service.
	Jobs func(r *stream.Reader, dst []Job) []Job
}

// mostGroups is how many groups of replications there are at most. Intervals come from
// groups, and each costs the cells of all histograms.
const mostGroups = 200

// span is what was seen in one part of time.
type span struct {
	classes []arrivals
	area    Area
	cleared float64 // replications in which the line has been empty by the end of the part
}

// arrivals are the sums of the jobs of a class that arrived in a part.
type arrivals struct {
	wait, response estimate.Batch
	delayed        float64 // that have waited
}

// moment is when something has happened.
type moment struct {
	times estimate.Batch
	seen  estimate.Histogram
}

func (m *moment) add(t float64) {
	m.times.N++
	m.times.X += t
	m.times.X2 += t * t
	m.seen.Add(t)
}

// passage is what a group of replications saw.
type passage struct {
	replications float64
	spans        []span
	seen         []counts
	line         []moment // the starts of the jobs that waited at time 0
	clear        moment   // the line was first empty
	unfinished   int64
	refused      bool // the policy does not serve the jobs of the start together
}

// groups are the replications a group, and the number of groups.
func (p *Course) groups() (size, n int) {
	size = (p.Replications + mostGroups - 1) / mostGroups
	return size, (p.Replications + size - 1) / size
}

// Run simulates. When ctx ends it returns what the groups 0 to some g made of it that
// were complete by then. Report, if not nil, is told how many replications of how many
// are done, one call at a time.
func (p *Course) Run(ctx context.Context, report func(done, total float64)) *CourseResult {
	size, n := p.groups()
	sum := newCourseSum(p)
	replicate.InOrder(ctx, n, p.Workers, p.newObserver,
		func(stop *atomic.Bool, o *observer, group int, out *passage) bool {
			o.prepare(out)
			for rep := group * size; rep < min(p.Replications, (group+1)*size); rep++ {
				if !o.observe(stop, uint64(rep)) {
					return false
				}
			}
			return true
		},
		func(_ int, out *passage) (enough bool) {
			sum.add(out)
			if report != nil {
				report(sum.replications, float64(p.Replications))
			}
			return out.refused
		})
	return sum.result()
}

// observer watches one replication after another.
type observer struct {
	*Course
	sim              *Simulator
	out              *passage
	given            []Job // that are there at time 0
	running, waiting int64
	missing, counted int64 // jobs that arrive up to the end: not recorded yet, and all
}

func (p *Course) newObserver() *observer {
	o := &observer{Course: p, sim: New(p.System)}
	o.sim.Recorded = o.record
	if p.Start != nil {
		o.running, o.waiting = int64(p.Start.Running), int64(p.Start.Waiting)
	}
	return o
}

// observe runs a replication; false if stopped.
func (o *observer) observe(stop *atomic.Bool, rep uint64) bool {
	o.missing, o.counted = 0, 0
	input := o.Input.Reader(rep).Until(stop)
	o.sim.stop = stop
	if o.Start != nil {
		o.given = o.Start.Jobs(input, o.given[:0])
	}
	o.sim.ResetTo(newSince(o.given, input), key(input))
	if o.running > 0 && !o.sim.Begin(int(o.running)) {
		o.out.refused = true
		return true
	}
	if !o.through(stop) || !o.finish(stop) {
		return false
	}
	o.out.replications++
	return true
}

// through goes through the parts of time; false if stopped.
func (o *observer) through(stop *atomic.Bool) bool {
	end := 0.0
	for k := 1; k <= (o.Skip+o.Rounds)*o.Parts; k++ {
		if stop.Load() {
			return false
		}
		end = float64(k) * o.Width
		o.sim.To(end)
		area := o.sim.Take()
		if k <= o.Skip*o.Parts {
			continue
		}
		at := &o.out.spans[(k-1)%o.Parts]
		at.area.add(&area, 1)
		if o.sim.clear <= end {
			at.cleared++
		}
	}
	if o.sim.clear <= end {
		o.out.clear.add(o.sim.clear)
	}
	o.counted = o.sim.arrived
	o.missing += o.counted
	return true
}

// finish runs on until all jobs that arrived in time are recorded; false if stopped.
// Where later jobs may start before them it gives up after as many again, and a thousand.
func (o *observer) finish(stop *atomic.Bool) bool {
	for n := o.counted; o.missing > 0; {
		if stop.Load() {
			return false
		}
		if o.sim.known.Recurrence {
			o.sim.Drain(atOnce)
			continue
		}
		if n += atOnce; n > 2*o.counted+atOnce {
			break
		}
		o.sim.Until(n)
	}
	o.out.unfinished += o.missing
	return !stop.Load()
}

// prepare clears what a group fills in.
func (o *observer) prepare(out *passage) {
	if out.spans == nil {
		out.spans, out.seen = make([]span, o.Parts), make([]counts, o.Parts)
		out.line = make([]moment, o.waiting)
		for k := range out.spans {
			out.spans[k].classes, out.seen[k] = make([]arrivals, o.Classes), newCounts(o.Classes)
		}
	}
	for k := range out.spans {
		at := &out.spans[k]
		clear(at.classes)
		at.area, at.cleared = Area{}, 0
	}
	for i := range out.line {
		out.line[i].forget()
	}
	out.clear.forget()
	out.replications, out.unfinished, o.out = 0, 0, out
}

func (m *moment) forget() {
	m.times = estimate.Batch{}
	m.seen.Reset()
}

// record takes in a job whose wait is known.
func (o *observer) record(j *Record) {
	if o.counted > 0 && j.Number >= o.counted {
		return
	}
	o.missing--
	if j.Number < o.running+o.waiting {
		if at := j.Number - o.running; at >= 0 {
			o.out.line[at].add(j.Start)
		}
		return
	}
	from := float64(o.Skip*o.Parts) * o.Width
	if j.Arrival < from {
		return
	}
	k := min(int((j.Arrival-from)/o.Width), o.Rounds*o.Parts-1) % o.Parts
	s, response := &o.out.spans[k].classes[j.Class], j.Wait+j.Service
	add(&s.wait, j.Wait)
	add(&s.response, response)
	if j.Wait > 0 {
		s.delayed++
	}
	o.out.seen[k][j.Class][estimate.Waiting].Add(j.Wait)
	o.out.seen[k][j.Class][estimate.Response].Add(response)
}

func add(b *estimate.Batch, x float64) {
	b.N++
	b.X += x
	b.X2 += x * x
}
