package events

import (
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// patience is what a Simulator knows of jobs that give up.
type patience struct {
	laws      []law.Sampler // by class; nil: its jobs never give up
	deadlines departures    // of the jobs that wait
	stopped   bool          // jobs that are stopped give up too, once they have waited in all as long as their patience
	rest      []float64     // by job that has started, how long it would wait once more
	words     rand.PCG
	key       uint64
	reneger   policy.Reneger
}

// patiences are laws of patience ready to be drawn from.
func patiences(laws []law.Law) (ready []law.Sampler) {
	for _, l := range laws {
		if l == nil {
			ready = append(ready, nil)
			continue
		}
		ready = append(ready, law.Prepare(l))
	}
	return ready
}

// reset forgets the jobs that wait. The key chooses the numbers drawn.
func (p *patience) reset(key uint64) {
	p.deadlines.heap, p.deadlines.place = p.deadlines.heap[:0], p.deadlines.place[:0]
	p.key = key
}

// patienceWords tells the words of patience from others of the same key and job.
const patienceWords = 0x5851f42d4c957f2d

// deadline gives a job that has come its deadline, which depends on its number alone.
func (s *Simulator) deadline(j *job) {
	if s.laws[j.Class] == nil {
		return
	}
	s.words.Seed(s.key^patienceWords, uint64(j.Number))
	at := s.view.Now + patienceOf(s.laws[j.Class], &s.words)
	for int(j.ID) >= len(s.deadlines.place) {
		s.deadlines.place = append(s.deadlines.place, nobody)
	}
	if at < forEver {
		s.deadlines.push(departure{at, j.ID})
	}
}

// forEver is a time that does not come.
var forEver = math.Inf(1)

// patienceOf draws how long a job waits before it gives up.
func patienceOf(law law.Sampler, words *rand.PCG) float64 {
	x := law.Sample(words)
	if !(x >= 0) {
		panic("a law of patience gave a time that is negative or no number")
	}
	return x
}

// patienceLeft is for how long a job would wait once more.
func (s *Simulator) patienceLeft(id int32) float64 {
	if int(id) < len(s.deadlines.place) && s.deadlines.place[id] >= 0 {
		return s.deadlines.heap[s.deadlines.place[id]].at - s.view.Now
	}
	if !s.stopped || !s.system.all[id].started {
		return forEver
	}
	return s.rest[id]
}

// starts forgets the deadline of a job, and notes what is left of its patience.
func (s *Simulator) starts(id int32) {
	if s.stopped {
		rest := s.patienceLeft(id)
		for int(id) >= len(s.rest) {
			s.rest = append(s.rest, forEver)
		}
		s.rest[id] = rest
	}
	s.stays(id)
}

// waitsAgain gives a job that is stopped a deadline by what is left of its patience.
func (s *Simulator) waitsAgain(id int32) {
	if rest := s.rest[id]; rest < forEver {
		s.deadlines.push(departure{s.view.Now + rest, id})
	}
}

// stays forgets the deadline of a job.
func (s *Simulator) stays(id int32) {
	if s.laws != nil && int(id) < len(s.deadlines.place) && s.deadlines.place[id] >= 0 {
		s.deadlines.remove(id)
		s.deadlines.place[id] = nobody
	}
}

// nextDeadline is when the next job gives up; +Inf if none will.
func (s *Simulator) nextDeadline() float64 { return s.deadlines.first() }

// giveUp has the job give up whose patience ends first.
func (s *Simulator) giveUp() {
	s.advance(s.deadlines.first())
	id := s.deadlines.pop().id
	s.deadlines.place[id] = nobody
	s.renege(id, GaveUp)
	s.passDue = true
}

// renege takes a job out of the queue.
func (s *Simulator) renege(id int32, fate Fate) {
	j := &s.system.all[id]
	v := s.view
	s.system.remove(&s.waiting[j.Kind], id)
	if s.failing != nil {
		s.failing.reneges(id)
	}
	v.Jobs--
	v.Waiting[j.Kind]--
	s.oldest(j.Kind)
	s.leaves(j.Class)
	if s.senders != nil {
		s.senders.left(s, j)
	}
	if s.reneger != nil {
		s.reneger.Reneged(v, &j.Job)
	}
	if s.overtook != nil {
		s.line.Remove(id, int(j.Class))
	}
	j.fate = fate
	s.file(j, v.Now, v.Now-j.Arrival-(j.Service-j.left))
	s.system.free = append(s.system.free, id)
}

// admit turns the job that has just arrived away if it cannot start and there is no room.
func (s *Simulator) admit(id int32, number int64) {
	s.pass()
	waiting := s.view.Jobs
	if s.failing != nil {
		waiting -= s.failing.back // those that were hit do not count
	}
	if waiting <= s.room.Jobs {
		return
	}
	if j := &s.system.all[id]; j.Number == number && !j.started {
		s.stays(id)
		s.renege(id, TurnedAway)
	}
}
