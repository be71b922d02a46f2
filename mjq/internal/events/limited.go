package events

import (
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/ring"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// limited is a queue with a room, or whose jobs give up, under FCFS, or under any policy that
// stops no job if nobody may wait. A job that cannot start as it arrives and finds the room full
// is turned away.
type limited struct {
	averages
	record func(jobs []fated)
	room   *compiled.Room
	users  []group
	alone  bool // there are no jobs but theirs

	input *stream.Reader
	jobs  [block]stream.Job
	ready []stream.Job
	read  int64

	line    ring.Line[queued] // with jobs that have given up, but not at its head
	waiting int               // jobs in line that have not given up
	more    bool              // others come now, before a pass; only where all may wait
	leaving
	ends    ends
	thinks  ends // by the place of the users
	rng     *rand.PCG
	of      []int // by class, the place of its users; -1
	needs   []int // by class
	servers int
	free    int
	next    float64 // arrival that is not of a user
	arrived int64
	moved   int64
	full    []float64 // by free servers, time in which nobody may join the line

	done    [block]fated
	pending int
}

// queued is a job that waits.
type queued struct {
	arrival, service float64
	number           int64
	class, need      int32
	left             bool // it has given up
}

// fated is a job whose fate is known.
type fated struct {
	number        int64
	wait, service float64
	class, need   int32
	fate          Fate
}

func newLimited(q *compiled.System, record func(jobs []fated)) *limited {
	servers, classes, room := q.Servers, q.Classes, q.Room
	if room == nil {
		room = endlessRoom
	}
	s := &limited{record: record, room: room, users: grouped(q.Users), alone: q.Alone, needs: q.Needs, servers: servers, averages: averages{presence: make([]presence, classes)},
		full: make([]float64, servers+1), of: make([]int, classes), leaving: leaving{laws: patiences(q.Patience)}}
	for c := range s.of {
		s.of[c] = nobody
	}
	for i, u := range q.Users {
		s.of[u.Class] = i
	}
	return s
}

// Replicate empties the system and begins a replication of a stream. Users begin by
// thinking.
func (s *limited) Replicate(input *stream.Reader) {
	s.input, s.read, s.ready = input, 0, nil
	key := math.Float64bits(input.Uniform())
	s.rng = rand.NewPCG(key, 0x9e3779b97f4a7c15)
	s.line.Clear()
	s.waiting, s.more = 0, false
	s.leaving.reset(key)
	s.ends.clear()
	s.thinks.clear()
	s.free, s.now, s.next = s.servers, 0, 0
	s.arrived, s.moved = 0, 0
	s.area, s.pending = Area{}, 0
	clear(s.presence)
	clear(s.full)
	if s.alone {
		s.next = math.Inf(1)
	}
	for i, u := range s.users {
		for range u.Number {
			if s.halted() {
				return
			}
			s.thinks.push(u.think.Sample(s.rng), int32(i), 0)
		}
	}
}

// halted is Simulator.halted.
func (s *limited) halted() bool {
	stop := s.input.Stop()
	return stop != nil && stop.Load()
}

// Until is Simulator.Until.
func (s *limited) Until(n int64) {
	for !s.halted() {
		arrival, gone := min(s.next, s.thinks.first()), s.nextDeadline()
		if first := s.ends.first(); first <= min(arrival, gone) {
			if math.IsInf(first, 1) {
				break
			}
			s.depart(first)
			continue
		}
		if gone <= arrival && !s.more {
			s.giveUp()
			continue
		}
		if s.arrived >= n {
			break
		}
		if s.next <= s.thinks.first() {
			s.arrive()
		} else {
			s.send()
		}
	}
	if arrival := min(s.next, s.thinks.first()); !math.IsInf(arrival, 1) {
		s.advance(arrival)
	}
	s.flush()
}

// Drain is Simulator.Drain.
func (s *limited) Drain(limit int) (waiting int) {
	s.more = false
	s.pass()
	for ; s.waiting > 0 && limit > 0 && !s.halted(); limit-- {
		if first := s.ends.first(); s.nextDeadline() < first {
			s.giveUp()
		} else {
			s.depart(first)
		}
	}
	s.flush()
	return s.waiting
}

// advance moves the clock to t and accumulates what passes.
func (s *limited) advance(t float64) {
	dt := t - s.now
	s.now = t
	a, waiting := &s.area, s.waiting
	idle := dt * float64(s.free)
	a.Time += dt
	a.System += dt * float64(waiting+s.ends.n)
	a.Queue += dt * float64(waiting)
	a.Idle += idle
	if waiting > 0 {
		a.Wasted += idle
	}
	if waiting == s.room.Jobs {
		s.full[s.free] += dt
	}
}

// depart ends the service that ends first, and starts what then fits, once all services have
// ended that end now.
func (s *limited) depart(first float64) {
	s.advance(first)
	end := s.ends.pop()
	s.free += int(end.need)
	s.leaves(end.class)
	s.think(end.class)
	s.passOnce()
}

// passOnce passes once all has ended that ends now. Where all may wait, a job that comes now is
// waited for.
func (s *limited) passOnce() {
	if s.waiting > 0 && s.ends.first() > s.now && s.nextDeadline() > s.now && !(s.room == endlessRoom && s.next == s.now) {
		s.pass()
	}
}

func (s *limited) leaves(class int32) {
	p := &s.presence[class]
	p.upTo(s.now)
	p.jobs--
}

// think has a user of a class think, if it is of users.
func (s *limited) think(class int32) {
	if u := s.of[class]; u >= 0 {
		s.thinks.push(s.now+s.users[u].think.Sample(s.rng), int32(u), 0)
	}
}

// arrive brings the next job of the stream.
func (s *limited) arrive() {
	s.advance(s.next)
	if len(s.ready) == 0 {
		s.input.Fill(s.jobs[:], s.read)
		s.read += block
		s.ready = s.jobs[:]
		if s.arrived-s.moved >= int64(s.waiting+s.ends.n+s.thinks.n) {
			s.rebase()
		}
	}
	in := &s.ready[0]
	s.ready = s.ready[1:]
	s.next = s.now + in.Gap
	s.come(in.Class, in.Need, in.Service)
}

// send brings the job of a user.
func (s *limited) send() {
	s.advance(s.thinks.first())
	u := &s.users[s.thinks.pop().class]
	if s.alone && s.arrived-s.moved > 4096 {
		s.rebase()
	}
	s.come(int32(u.Class), int32(u.Need), u.service.Sample(s.rng))
}

// come lets a job in or turns it away.
func (s *limited) come(class, need int32, service float64) {
	number := s.arrived
	s.arrived++
	s.more = s.room == endlessRoom && s.next == s.now
	switch {
	case s.waiting == 0 && !s.more && s.fits(class, need):
		s.start(&queued{arrival: s.now, service: service, number: number, class: class, need: need})
	case s.waiting < s.room.Jobs:
		s.waiting++
		s.deadline(s.now, number, class)
		s.line.Push(queued{arrival: s.now, service: service, number: number, class: class, need: need})
	default:
		s.tell(fated{number, 0, service, class, need, TurnedAway})
		s.think(class)
		return
	}
	p := &s.presence[class]
	p.upTo(s.now)
	p.jobs++
	if s.room == endlessRoom && !s.more && s.waiting > 1 {
		s.pass()
	}
}

// fits reports whether a job may start now.
func (s *limited) fits(class, need int32) bool {
	left := s.free - int(need)
	return left >= 0 && (s.room.Keep == nil || left >= s.room.Keep[class])
}

func (s *limited) start(j *queued) {
	s.free -= int(j.need)
	s.ends.push(s.now+j.service, j.class, j.need)
	s.tell(fated{j.number, s.now - j.arrival, j.service, j.class, j.need, Served})
}

// pass starts jobs from the head of the line while they fit.
func (s *limited) pass() {
	for s.waiting > 0 {
		j := s.line.Head()
		if !s.fits(j.class, j.need) {
			return
		}
		s.start(j)
		s.waiting--
		s.step()
	}
}

// tell notes the fate of a job.
func (s *limited) tell(j fated) {
	s.done[s.pending] = j
	if s.pending++; s.pending == block {
		s.flush()
	}
}

func (s *limited) flush() {
	s.record(s.done[:s.pending])
	s.pending = 0
}

// rebase makes now the origin of time, as Simulator.rebase does.
func (s *limited) rebase() {
	by := s.now
	s.moved = s.arrived
	for i := range s.line.Len() {
		s.line.At(i).arrival -= by
	}
	s.ends.shift(by)
	s.thinks.shift(by)
	s.deadlines.shift(by)
	for i := range s.presence {
		s.presence[i].since -= by
	}
	s.next -= by
	s.now = 0
}
