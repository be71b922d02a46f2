// Package events is a discrete-event simulation of the multiserver-job queue:
// a list of future events, a count of free servers and a line of waiting jobs.
// It knows nothing of the workload recurrence, so that each can be checked by
// the other; it also measures averages over time, which the recurrence has by
// Little's law only.
//
// Replication r uses the randomness of replication r and outcomes are merged
// in their order, so the number of goroutines never shows in a digit.
package events

import "github.com/mjqueue/mjq/mjq/internal/stream"

// Input yields the jobs of a run by their index, as stream.Reader does.
type Input interface {
	Fill(dst []stream.Job, first int64)
}

// block is how many jobs are read at once.
const block = 256

// Simulator is one run of the queue, started empty with the arrival of job 0.
// Its future events are the next arrival and the departure of every job in
// service; the earliest comes next, departures first when several coincide.
// After each, jobs enter service from the head of the line while they fit.
//
// Cost: O(log jobs in service) a job. Memory grows with the jobs in the
// system, not with those that have left.
type Simulator struct {
	// Started, if not nil, is called as job n enters service.
	Started func(n int64, class int32, wait, service float64)

	input Input
	jobs  [block]stream.Job
	ready []stream.Job // read but not arrived

	servers, free    int32
	line             line
	departures       departures
	clock, arrival   float64 // now, and the time of the next arrival
	arrived, started int64
	moved            int64 // jobs arrived when the origin of time was moved
	area             Area
}

// Area is what a run has accumulated: an amount of time and the integrals over
// it of the jobs in the system, of those in line, of the idle servers, and of
// the servers idle while a job waits.
type Area struct {
	Time, System, Queue, Idle, Wasted float64
}

// add adds an area that follows.
func (a *Area) add(b *Area) {
	a.Time += b.Time
	a.System += b.System
	a.Queue += b.Queue
	a.Idle += b.Idle
	a.Wasted += b.Wasted
}

// NewSimulator is an empty system of s servers.
func NewSimulator(servers int) *Simulator {
	return &Simulator{servers: int32(servers)}
}

// Reset empties the system and starts anew with the given input.
func (s *Simulator) Reset(input Input) {
	s.input, s.ready = input, nil
	s.free = s.servers
	s.line.clear()
	s.departures = s.departures[:0]
	s.clock, s.arrival = 0, 0
	s.arrived, s.started, s.moved = 0, 0, 0
	s.area = Area{}
}

// Until handles all events before the arrival of job n and moves the clock to
// that arrival. No job may need more servers than there are.
func (s *Simulator) Until(n int64) {
	for {
		switch first := s.departures.first(); {
		case first <= s.arrival:
			s.depart()
		case s.arrived < n:
			s.arrive()
		default:
			s.advance(s.arrival)
			return
		}
	}
}

// Drain handles at most limit departures, without arrivals, and says how many
// jobs still wait. A job's start does not depend on later arrivals, so this
// completes the waits of those that have arrived.
func (s *Simulator) Drain(limit int) (waiting int) {
	for ; limit > 0 && s.line.count > 0; limit-- {
		s.depart()
	}
	return s.line.count
}

// Take returns what has been accumulated since the last Take, and forgets it.
func (s *Simulator) Take() Area {
	a := s.area
	s.area = Area{}
	return a
}

// advance moves the clock to t and accumulates what passes.
func (s *Simulator) advance(t float64) {
	dt := t - s.clock
	s.clock = t
	waiting := float64(s.line.count)
	idle := dt * float64(s.free)
	s.area.Time += dt
	s.area.System += dt * (waiting + float64(len(s.departures)))
	s.area.Queue += dt * waiting
	s.area.Idle += idle
	if s.line.count > 0 {
		s.area.Wasted += idle
	}
}

// arrive puts the next job at the end of the line and schedules its successor.
func (s *Simulator) arrive() {
	s.advance(s.arrival)
	if len(s.ready) == 0 {
		s.refill()
	}
	j := &s.ready[0]
	s.line.push(waiting{arrival: s.clock, service: j.Service, class: j.Class, need: j.Need})
	s.arrival = s.clock + j.Gap
	s.ready = s.ready[1:]
	s.arrived++
	s.admit()
}

// depart ends the service that ends first.
func (s *Simulator) depart() {
	s.advance(s.departures.first())
	s.free += s.departures.pop().need
	s.admit()
}

// admit starts jobs from the head of the line while they fit. The first that
// does not fit blocks all behind it.
func (s *Simulator) admit() {
	for s.line.count > 0 {
		j := s.line.head()
		if j.need > s.free {
			return
		}
		s.free -= j.need
		s.departures.push(departure{at: s.clock + j.service, need: j.need})
		if s.Started != nil {
			s.Started(s.started, j.class, s.clock-j.arrival, j.service)
		}
		s.started++
		s.line.pop()
	}
}

// refill reads jobs ahead. It also makes now the origin of time, so that long
// runs keep their digits, but only once as many jobs have arrived as there are
// times to change: a long line must not make jobs dear.
func (s *Simulator) refill() {
	s.input.Fill(s.jobs[:], s.arrived)
	s.ready = s.jobs[:]
	if s.arrived-s.moved < int64(s.line.count+len(s.departures)) {
		return
	}
	s.moved = s.arrived
	s.line.shift(s.clock)
	for i := range s.departures {
		s.departures[i].at -= s.clock
	}
	s.arrival -= s.clock
	s.clock = 0
}
