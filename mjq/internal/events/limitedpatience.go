package events

import (
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq/law"
)

// leaving is what limited knows of the patience of the jobs in its line.
type leaving struct {
	laws      []law.Sampler // by class; nil: its jobs never give up
	deadlines ends          // by the place at which they were put in line, low bits; of jobs that have started, too
	words     rand.PCG
	key       uint64
	head      int32 // place of the head of the line
	put       int32 // of the next job put in line
}

func (l *leaving) reset(key uint64) {
	l.deadlines.clear()
	l.key, l.head, l.put = key, 0, 0
}

// deadline gives a job that is put in line its deadline, as Simulator.deadline does. One that
// starts as it arrives needs none.
func (l *leaving) deadline(now float64, number int64, class int32) {
	if l.laws == nil {
		return
	}
	if law := l.laws[class]; law != nil {
		l.words.Seed(l.key^patienceWords, uint64(number))
		if at := now + patienceOf(law, &l.words); at < forEver {
			l.deadlines.push(at, l.put, 0)
		}
	}
	l.put++
}

// nextDeadline is when the next job gives up; +Inf if none will.
func (s *limited) nextDeadline() float64 {
	if s.deadlines.n == 0 {
		return math.Inf(1)
	}
	return s.firstGone()
}

func (s *limited) firstGone() float64 {
	for s.deadlines.n > 0 {
		if s.deadlines.heap[0].class-s.head >= 0 {
			break
		}
		s.deadlines.pop() // it has started
	}
	return s.deadlines.first()
}

// giveUp has the job give up whose patience ends first.
func (s *limited) giveUp() {
	s.advance(s.deadlines.first())
	at := s.deadlines.pop().class - s.head
	j := s.line.At(int(at))
	j.left = true
	s.waiting--
	s.leaves(j.class)
	s.tell(fated{j.number, s.now - j.arrival, j.service, j.class, j.need, GaveUp})
	if at == 0 {
		s.step()
	}
	s.passOnce()
}

// step takes the head out of the line, with those behind it that have given up.
func (s *limited) step() {
	s.line.Pop()
	s.head++
	for s.line.Len() > 0 && s.line.Head().left {
		s.line.Pop()
		s.head++
	}
}
