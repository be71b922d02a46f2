package events

import (
	"math"

	"github.com/mjqueue/mjq/internal/ring"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/policy"
)

// failsInOrder is what a Simulator under FCFS is for a recorder where servers fail that are alike, to the
// same digits unless jobs leave at one instant. It holds the jobs that no failure has hit. The Simulator has
// those that were hit, with all that happens to servers. The hit jobs that wait came before all others and
// are of one kind here, whatever they need.
type failsInOrder struct {
	*Simulator
	input   *stream.Reader
	read    [block]stream.Job
	coming  []stream.Job // read but not arrived
	reads   int64        // jobs
	queue   ring.Line[waiter]
	started int64   // jobs, which is the number of the first of the queue
	whole   []whole // jobs that run and were never hit, and room for others
	room    []int32 // places in whole that are free
	due     ends    // of them, with the place of each instead of its class

	recorder *recorder
	left     [block]gone // and not recorded
	pending  int
}

// failsPlainly reports whether failsInOrder does.
func (p *Plan) failsPlainly() bool {
	f := p.Failing
	if f == nil || len(f.Bookings) > 0 || len(f.After) > 0 && f.After[0].How == policy.Migrate {
		return false
	}
	for i := range f.Kinds {
		if k := &f.Kinds[i]; k.WhileBusy && k.Rate == 0 {
			return false // such clocks begin and stop with every job
		}
	}
	never := *p
	never.Failing = nil
	return never.plain()
}

func newFailsInOrder(q compiled.System, r *recorder) *failsInOrder {
	s := &failsInOrder{Simulator: New(q), recorder: r}
	s.Recorded = func(j *Record) {
		s.flush()
		r.record(j)
	}
	s.failing.hits = s.hand
	if len(s.view.Needs) == 0 {
		s.addKind(1)
	}
	return s
}

// Replicate empties the system and begins a replication of a stream.
func (s *failsInOrder) Replicate(input *stream.Reader) {
	s.stop = input.Stop()
	s.ResetTo(none{}, math.Float64bits(input.Uniform()))
	s.failing.returner = nil
	s.input, s.reads, s.started, s.arrival = input, 0, 0, 0
	s.pending = 0
	s.queue.Clear()
	s.room = s.room[:0]
	for i := range s.whole {
		s.room = append(s.room, int32(i))
	}
	s.due.clear()
	s.refill()
}

// refill reads jobs ahead.
func (s *failsInOrder) refill() {
	s.input.Fill(s.read[:], s.reads)
	s.reads += block
	s.coming = s.read[:]
}

// Until is Simulator.Until.
func (s *failsInOrder) Until(n int64) {
	for next := s.next(); s.handle(next, n); {
		if next = s.next(); s.view.Jobs > 0 && next > s.view.Now && s.pass() {
			next = s.next()
		}
	}
	if !math.IsInf(s.arrival, 1) {
		s.advance(s.arrival)
	}
	s.flush()
}

// next is when something happens next.
func (s *failsInOrder) next() float64 {
	next := s.due.first()
	if len(s.ends.heap) > 0 && s.ends.heap[0].at < next {
		next = s.ends.heap[0].at
	}
	if s.arrival < next {
		next = s.arrival
	}
	if s.soon < next {
		next = s.soon
	}
	return next
}

// handle handles the next event, if it comes before the arrival of job n; false if not.
func (s *failsInOrder) handle(next float64, n int64) bool {
	switch {
	case math.IsInf(next, 1):
		return false
	case s.due.first() == next:
		s.advance(next)
		s.depart()
	case s.ends.first() == next:
		s.advance(next)
		s.Simulator.depart()
	case s.soon == next:
		if s.halted() || math.IsInf(s.arrival, 1) && s.inSystem() == 0 {
			return false
		}
		s.advance(next)
		s.trouble()
	case s.arrived < n:
		s.advance(next)
		s.arrive()
	default:
		return false
	}
	return true
}

// inService is the number of jobs that hold servers.
func (s *failsInOrder) inService() int { return s.due.n + s.Simulator.inService() }

// inSystem is the number of all jobs.
func (s *failsInOrder) inSystem() int { return s.view.Jobs + s.inService() }

// advance is Simulator.advance.
func (s *failsInOrder) advance(t float64) {
	v, f, a := s.view, s.failing, &s.area
	dt, waiting := t-v.Now, float64(v.Jobs)
	v.Now = t
	a.Time += dt
	a.System += dt * (waiting + float64(s.inService()))
	a.Queue += dt * waiting
	a.Idle += dt * float64(v.Servers-f.held)
	f.advance(dt)
	if v.Jobs > 0 {
		a.Wasted += dt * float64(v.Free)
	}
}

// arrive puts the next job at the end of the queue and schedules its successor.
func (s *failsInOrder) arrive() {
	if len(s.coming) == 0 {
		s.refill()
		if s.arrived-s.moved >= int64(s.inSystem()) {
			s.rebase()
		}
	}
	in := &s.coming[0]
	s.coming = s.coming[1:]
	s.queue.Push(waiter{s.view.Now, in.Service, in.Class, in.Need})
	s.view.Jobs++
	s.enters(in.Class)
	s.arrival = s.view.Now + in.Gap
	s.arrived++
}

// rebase makes now the origin of time.
func (s *failsInOrder) rebase() {
	by := s.view.Now
	for i := range s.queue.Len() {
		s.queue.At(i).arrival -= by
	}
	for i := range s.whole {
		s.whole[i].arrival -= by
		s.whole[i].began -= by
	}
	s.due.shift(by)
	s.Simulator.rebase()
}

// pass starts jobs from the head of the queue while they fit, those first that were hit, and reports
// whether one started.
func (s *failsInOrder) pass() (some bool) {
	for s.failing.back > 0 {
		id := s.waiting[0].head
		if s.system.all[id].Need > s.view.Free {
			return some
		}
		s.start(id)
		some = true
	}
	for s.queue.Len() > 0 {
		w := s.queue.Head()
		if int(w.need) > s.view.Free {
			break
		}
		s.begin(w)
		s.queue.Pop()
		some = true
	}
	return some
}
