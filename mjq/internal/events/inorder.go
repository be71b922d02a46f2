package events

import (
	"math"

	"github.com/mjqueue/mjq/internal/ring"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// waiter is a job that waits.
type waiter struct {
	arrival, service float64
	class, need      int32
}

// inOrder is what a Simulator under FCFS is for a recorder, to the same digits, where
// servers are alike. No policy need be asked: a ring holds the jobs that wait, a heap
// the ends of services, and the jobs that have started are recorded some at a time.
type inOrder struct {
	averages
	record func(first int64, jobs []began)

	input *stream.Reader
	jobs  [block]stream.Job
	ready []stream.Job // read but not arrived
	read  int64        // jobs

	line    ring.Line[waiter]
	ends    ends
	servers int
	free    int
	arrival float64 // time of the next
	arrived int64
	moved   int64 // jobs arrived when the origin of time was moved

	started [block]began // and not recorded
	pending int
	first   int64 // number of the first of them
}

// began is a job that has started.
type began struct {
	wait, service float64
	class, need   int32
}

func newInOrder(servers, classes int, record func(first int64, jobs []began)) *inOrder {
	return &inOrder{record: record, servers: servers, averages: averages{presence: make([]presence, classes)}}
}

// Replicate empties the system and begins a replication of a stream.
func (s *inOrder) Replicate(input *stream.Reader) {
	s.input, s.read = input, 0
	s.line.Clear()
	s.ends.clear()
	s.free, s.now, s.arrival = s.servers, 0, 0
	s.arrived, s.moved = 0, 0
	s.area = Area{}
	clear(s.presence)
	s.pending, s.first = 0, 0
	s.refill()
}

// refill reads jobs ahead.
func (s *inOrder) refill() {
	s.input.Fill(s.jobs[:], s.read)
	s.read += block
	s.ready = s.jobs[:]
}

// Until is Simulator.Until.
func (s *inOrder) Until(n int64) {
	for {
		if first := s.ends.first(); first <= s.arrival {
			if math.IsInf(first, 1) {
				break
			}
			s.depart(first)
			if s.line.Len() > 0 && s.arrival > s.now && s.ends.first() > s.now {
				s.pass()
			}
		} else if s.arrived < n {
			if s.arrive(); s.arrival > s.now {
				s.pass()
			}
		} else {
			break
		}
	}
	if !math.IsInf(s.arrival, 1) {
		s.advance(s.arrival)
	}
	s.flush()
}

// Drain is Simulator.Drain.
func (s *inOrder) Drain(limit int) (waiting int) {
	for s.line.Len() > 0 {
		if first := s.ends.first(); first > s.now {
			s.pass()
		}
		if limit == 0 || s.line.Len() == 0 {
			break
		}
		s.depart(s.ends.first())
		limit--
	}
	s.flush()
	return s.line.Len()
}

// advance moves the clock to t and accumulates what passes.
func (s *inOrder) advance(t float64) {
	dt := t - s.now
	s.now = t
	a, waiting := &s.area, float64(s.line.Len())
	idle := dt * float64(s.free)
	a.Time += dt
	a.System += dt * (waiting + float64(s.ends.n))
	a.Queue += dt * waiting
	a.Idle += idle
	if s.line.Len() > 0 {
		a.Wasted += idle
	}
}

// depart ends the service that ends first.
func (s *inOrder) depart(first float64) {
	s.advance(first)
	end := s.ends.pop()
	s.free += int(end.need)
	p := &s.presence[end.class]
	p.upTo(first)
	p.jobs--
}

// arrive puts the next job at the end of the line and schedules its successor.
func (s *inOrder) arrive() {
	s.advance(s.arrival)
	if len(s.ready) == 0 {
		s.refill()
		if s.arrived-s.moved >= int64(s.line.Len()+s.ends.n) {
			s.rebase()
		}
	}
	in := &s.ready[0]
	s.ready = s.ready[1:]
	s.line.Push(waiter{s.now, in.Service, in.Class, in.Need})
	p := &s.presence[in.Class]
	p.upTo(s.now)
	p.jobs++
	s.arrival = s.now + in.Gap
	s.arrived++
}

// pass starts jobs from the head of the line while they fit.
func (s *inOrder) pass() {
	for s.line.Len() > 0 {
		j := s.line.Head()
		if int(j.need) > s.free {
			return
		}
		s.free -= int(j.need)
		s.ends.push(s.now+j.service, j.class, j.need)
		s.started[s.pending] = began{s.now - j.arrival, j.service, j.class, j.need}
		s.line.Pop()
		if s.pending++; s.pending == block {
			s.flush()
		}
	}
}

// flush has the jobs recorded that have started.
func (s *inOrder) flush() {
	s.record(s.first, s.started[:s.pending])
	s.first += int64(s.pending)
	s.pending = 0
}

// rebase makes now the origin of time, as Simulator.rebase does.
func (s *inOrder) rebase() {
	by := s.now
	s.moved = s.arrived
	for i := range s.line.Len() {
		s.line.At(i).arrival -= by
	}
	s.ends.shift(by)
	for i := range s.presence {
		s.presence[i].since -= by
	}
	s.arrival -= by
	s.now = 0
}
