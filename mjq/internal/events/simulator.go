// Package events is a discrete-event simulation of the multiserver-job queue: a clock,
// a queue, the jobs that run, and a list of future events. It asks a policy what
// starts and what stops, and knows none of them. It knows nothing of the workload
// recurrence either, so that each can be checked by the other; it also measures
// averages over time, which the recurrence has by Little's law only.
//
// Replication r uses the randomness of replication r and outcomes are merged in their
// order, so the number of goroutines never shows in a digit.
package events

import (
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/internal/ranks"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Simulator is one run of the queue, started empty with the arrival of job 0. Its
// future events are the next arrival and the departure of every job in service. At one
// instant come all departures, then all ends of patience, then all arrivals, then one pass
// of the policy, and again departures if it has started jobs without service. A job without
// patience gives up if that pass does not start it.
//
// Cost: O(log jobs in service) a job and what the policy takes. Memory grows with the
// jobs in the system, not with those that have left.
type Simulator struct {
	// Started, if not nil, is called as job n first enters service.
	Started func(n int64, class int32, wait, service float64)
	// Recorded, if not nil, is called once for every job when its wait is known: as it
	// starts or, under a preemptive policy, as it leaves. The record is overwritten.
	Recorded func(r *Record)
	// Seizes, if not nil, is called as job n starts or resumes.
	Seizes func(n int64, need int)
	// Served, if not nil, is called with every stretch of time in which a job ran.
	Served func(n int64, class int32, need int, from, to float64)

	stop  *atomic.Bool // ends a run before the next event, for draws and passes may take long; nil: nothing does
	feed  Feed
	jobs  [block]Job
	ready []Job // read but not arrived

	policy  policy.Policy
	stopper policy.Stopper
	known   policy.Properties
	rule    policy.Estimates
	kills   bool
	key     uint64 // of the numbers drawn for estimates
	sched   policy.Scheduler
	arriver policy.Arriver
	leaver  policy.Leaver
	shifter policy.Shifter
	clock   policy.Clocked
	drawn   uint64 // numbers drawn by the clock

	system      jobs
	view        *policy.View
	waiting     []line        // by kind
	running     []line        // by kind; only under preemptive policies
	want        []int         // by kind, what Serve asked for; -1: nothing
	asked       []int         // the kinds that it was asked for
	ran         []float64     // by job, for how long it ran before its last start, under a stopper
	byClass     []int32       // kinds by class; nil: by need
	sees        policy.System // the system as the policy sees it
	kinds       []int32       // by need; -1: none yet
	wide        map[int]int32 // the same of needs above listed
	adds        bool          // kinds as they are met
	types       *types        // nil: servers are alike
	nodes       *nodes        // nil: servers are not on nodes
	ends        departures
	arrival     float64 // time of the next arrival
	plain       bool    // nothing but arrivals, departures and passes happens
	more        bool    // servers are not alike or not always on, or jobs change their size
	filesLast   bool    // jobs are recorded as they leave, not as they start
	passDue     bool    // a pass, once the instant is over
	justArrived bool    // a job, as the last event
	arrived     int64
	moved       int64   // jobs arrived when the origin of time was moved
	paired      bool    // the origin is moved from outside
	origin      float64 // of the times here
	record      Record
	area        Area
	clear       float64    // first time at which no job waits; +Inf so far
	presence    []presence // by class
	overtook    func(n int64, class int32, overtaken []int)
	room        *compiled.Room // nil: any number of jobs may wait
	held        *held          // nil: no limits
	sleep       *sleeping      // nil: all servers are on
	stretch     *stretching    // nil: jobs hold what they need
	senders     senders        // nil: all jobs are those of the feed
	open        float64        // beside senders, time of the next arrival of the feed
	alone       bool           // there are no jobs but those of senders
	servers     [1]int         // of takes
	patience                   // of jobs that give up
	failing     *failing       // nil: servers never fail
	endure      *enduring      // where servers fail and jobs change their size
	soon        float64        // when something comes next of servers that fail; +Inf without
	passed      []int          // of a job, by class
	line        *ranks.Order   // jobs that have not started, by class; for overtook
}

// Until handles all events before the arrival of job n and moves the clock to that
// arrival, or to the end of the last event if job n never arrives. No job may need
// more servers than there are.
func (s *Simulator) Until(n int64) {
	for s.step(n) {
	}
	if !math.IsInf(s.arrival, 1) {
		s.advance(s.arrival)
	}
}

// halted reports whether the run is of no use any more. A step asks before each pass.
func (s *Simulator) halted() bool { return s.stop != nil && s.stop.Load() }

// Handle handles at most a given number of events and reports whether more are to come. It is for
// feeds that end.
func (s *Simulator) Handle(events int) (more bool) {
	for events > 0 && s.step(math.MaxInt64) {
		events--
	}
	return !s.Done()
}

// Done says that no event is to come: the feed has ended and no job runs. Jobs that
// still wait then, InSystem of them, wait for ever.
func (s *Simulator) Done() bool {
	if s.sleep != nil && len(s.sleep.setups) > 0 {
		return false
	}
	return !s.passDue && math.IsInf(s.arrival, 1) && s.inService() == 0 && math.IsInf(s.nextDeadline(), 1) && (s.view.Jobs == 0 || math.IsInf(min(s.strikes(), s.soon), 1))
}

// inService is the number of jobs that hold servers.
func (s *Simulator) inService() int {
	if s.failing != nil {
		return len(s.ends.heap) + len(s.failing.detects.heap)
	}
	return len(s.ends.heap)
}

// InSystem is the number of jobs that wait or run.
func (s *Simulator) InSystem() int { return s.view.Jobs + s.inService() }

// To handles all events up to a time and moves the clock there.
func (s *Simulator) To(t float64) {
	for s.HandleTo(t, math.MaxInt) {
	}
}

// HandleTo handles at most a given number of events up to a time and reports whether more are to come by
// then. If none is, it moves the clock there.
func (s *Simulator) HandleTo(t float64, events int) (more bool) {
	for !s.halted() && (min(s.ends.first(), s.arrival, s.strikes(), s.nextDeadline(), s.soon, s.turning()) <= t-s.origin || s.passDue) {
		if events--; events < 0 {
			return true
		}
		if !s.step(math.MaxInt64) {
			break
		}
	}
	s.advance(max(s.view.Now, t-s.origin))
	return false
}

// Begin has the next n jobs, which all arrive now, in service before any later one
// comes, and reports whether the policy serves them together.
func (s *Simulator) Begin(n int) bool {
	for range n {
		s.arrive()
	}
	s.pass()
	return s.view.Jobs == 0
}

// Waiting is the number of jobs that wait, those that were preempted among them.
func (s *Simulator) Waiting() int { return s.view.Jobs }

// WaitingOf is how many jobs of some of the classes wait. Cost: that of going over the queue.
func (s *Simulator) WaitingOf(classes []bool) (jobs int) {
	for _, line := range s.waiting {
		for id := line.head; id != nobody; id = s.system.all[id].next {
			if classes[s.system.all[id].Class] {
				jobs++
			}
		}
	}
	return jobs
}

// step handles the next event before the arrival of job n; false without one.
func (s *Simulator) step(n int64) bool {
	first := s.ends.first()
	if !s.plain || s.soon <= s.arrival && s.soon <= first {
		return s.stepAny(n)
	}
	switch {
	case s.passDue && first > s.view.Now && s.arrival > s.view.Now:
		if s.halted() {
			return false
		}
		s.pass()
	case first <= s.arrival:
		if math.IsInf(first, 1) {
			return false
		}
		s.depart()
	case s.arrived < n:
		s.arrive()
	default:
		return false
	}
	return true
}

// stepAny is step where jobs may give up, may find no room, servers fail or sleep, or the policy has a clock.
func (s *Simulator) stepAny(n int64) bool {
	if s.sleep != nil && s.sleep.turns(s) {
		s.sleep.turn(s)
		return true
	}
	first, strikes, gone, trouble := s.ends.first(), s.strikes(), s.nextDeadline(), s.soon
	switch now := min(first, s.arrival, strikes, gone, trouble); {
	case s.passDue && (now > s.view.Now || (s.room != nil || gone == now) && s.passes(min(first, trouble), strikes, gone)):
		if s.halted() {
			return false
		}
		s.pass()
	case math.IsInf(now, 1) || min(strikes, trouble) == now && s.Done():
		return false
	case strikes == now:
		s.strike()
	case first <= min(s.arrival, gone, trouble):
		s.depart()
	case trouble <= min(s.arrival, gone):
		s.advance(s.soon)
		s.trouble()
	case gone < s.arrival || gone == s.arrival && !(s.justArrived && gone == s.view.Now):
		s.giveUp()
	case s.arrived < n:
		s.arrive()
	default:
		return false
	}
	return true
}

// passes reports whether all has happened that precedes a pass although something happens now:
// with a room jobs arrive after it, and jobs without patience that have come give up after it.
func (s *Simulator) passes(first, strikes, gone float64) bool {
	now := s.view.Now
	return min(first, strikes) > now && (s.arrival > now || s.room != nil) && (gone > now || s.justArrived)
}

// Drain handles at most limit departures, without arrivals, and says how many jobs
// still wait. Where a job's start does not depend on later arrivals, as under FCFS,
// this completes the waits of those that have arrived.
func (s *Simulator) Drain(limit int) (waiting int) {
	for limit > 0 && s.view.Jobs > 0 && !s.halted() {
		first, gone := s.ends.first(), s.nextDeadline()
		switch {
		case s.passDue && (s.justArrived || min(first, gone) > s.view.Now):
			s.pass()
			continue
		case gone < first:
			s.giveUp()
		default:
			s.depart()
		}
		limit--
	}
	return s.view.Jobs
}
