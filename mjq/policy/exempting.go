package policy

import (
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/ring"
)

// exempting is first come, first served in every level, with preemption of those jobs only
// that have run for a time. A pass also comes when a job has. Cost: O(running jobs) a pass.
type exempting struct {
	levelLists
	time  float64
	drops bool      // a job that is stopped leaves
	ran   []int32   // jobs that run, in the order of their starts
	until []float64 // by ID, when a job that runs has run for the time
	due   ring.Line[float64]

	chosen []bool  // by ID, in the pass
	start  []int32 // in the pass
}

func newExempting(of levels, time float64, drops bool) *exempting {
	return &exempting{levelLists: newLevelLists(of), time: time, drops: drops}
}

// Begin draws nothing.
func (s *exempting) Begin(func() float64) {}

// Next is when the next job has run for the time.
func (s *exempting) Next() float64 {
	if s.due.Len() == 0 {
		return math.Inf(1)
	}
	return *s.due.Head()
}

// Strike has a job preemptable.
func (s *exempting) Strike(func() float64) { s.due.Pop() }

// Shift moves the origin of time.
func (s *exempting) Shift(by float64) {
	for i := range s.due.Len() {
		*s.due.At(i) -= by
	}
	for _, id := range s.ran {
		s.until[id] -= by
	}
}

// Arrived puts a job at the end of its level.
func (s *exempting) Arrived(_ *View, j *Job) {
	for int(j.ID) >= len(s.until) {
		s.until, s.chosen = append(s.until, 0), append(s.chosen, false)
	}
	s.add(j)
}

// Reneged takes out a job that did not run.
func (s *exempting) Reneged(_ *View, j *Job) { s.remove(j) }

// Left takes a job out.
func (s *exempting) Left(_ *View, j *Job) {
	s.remove(j)
	i := slices.Index(s.ran, j.ID)
	s.ran = slices.Delete(s.ran, i, i+1)
}

// Pass finds again the jobs that run.
func (s *exempting) Pass(v *View) {
	left := v.Servers
	for _, id := range s.ran {
		s.chosen[id] = s.until[id] > v.Now
		if s.chosen[id] {
			left -= v.engine.Job(id).Need
		}
	}
	s.start = s.start[:0]
	for l := range s.ends {
		left -= s.choose(v, l, left)
	}
	s.stop(v)
	for _, id := range s.start {
		s.chosen[id] = false
		s.until[id] = v.Now + s.time
		s.due.Push(s.until[id])
		s.ran = append(s.ran, id)
		v.engine.StartJob(id)
	}
}

// choose chooses of a level the jobs up to the first that does not fit, besides those
// that are exempt.
func (s *exempting) choose(v *View, level, left int) (held int) {
	leave := false // the jobs that run from here on
	for id := s.ends[level].head; id != nobody; id = s.next[id] {
		if s.chosen[id] {
			continue
		}
		need, runs := v.engine.Job(id).Need, v.engine.Runs(id)
		if fits := held+need <= left; s.drops && runs && (leave || !fits) {
			leave = true
			continue
		} else if !fits {
			return held
		}
		held += need
		s.chosen[id] = true
		if !runs {
			s.start = append(s.start, id)
		}
	}
	return held
}

// stop stops the jobs that run and are not chosen, the latest first.
func (s *exempting) stop(v *View) {
	for i := len(s.ran) - 1; i >= 0; i-- {
		id := s.ran[i]
		if s.chosen[id] {
			s.chosen[id] = false
			continue
		}
		if !v.engine.Preempt(id) {
			s.ran = slices.Delete(s.ran, i, i+1)
		}
	}
}
