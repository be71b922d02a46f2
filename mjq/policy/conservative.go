package policy

import "github.com/mjqueue/mjq/internal/heap"

// conservative is conservative backfilling: the plan holds a reservation for every job
// that waits, each at its earliest place after those of the jobs before it.
//
// As long as jobs end when they are thought to, making the plan anew changes nothing
// but to drop what is past, so it is kept, and an arrival costs a look through the
// plan. A job that ends at another time changes the plans of all, and then it is made
// anew in O(queue × plan), as the definition has it.
type conservative struct {
	agenda
	waiting []int32 // by arrival; -1 where the job has started
	gaps    int
	at      []int     // by ID, the job's place in waiting
	placed  int       // so many of waiting have a reservation
	due     heap.Heap // by start
	stale   bool
}

func (s *conservative) Arrived(_ *View, j *Job) {
	for int(j.ID) >= len(s.at) {
		s.at = append(s.at, 0)
	}
	s.at[j.ID] = len(s.waiting)
	s.waiting = append(s.waiting, j.ID)
}

func (s *conservative) Left(v *View, j *Job) {
	if s.leaves(j) != v.Now || v.Now+j.Estimate == v.Now { // not as planned, or without length
		s.stale = true
	}
}

func (s *conservative) Shift(by float64) {
	s.agenda.Shift(by)
	s.stale = true // a sum of moved times is not the moved sum
}

func (s *conservative) Pass(v *View) {
	if !s.holds(v) || !s.startDue(v) {
		s.reset(v)
		s.due, s.placed, s.stale = s.due[:0], 0, false
	}
	for ; s.placed < len(s.waiting); s.placed++ {
		id := s.waiting[s.placed]
		if id < 0 {
			continue
		}
		j := v.engine.Job(id)
		from := s.place(j.Kind, j.Estimate)
		s.reserve(j.Kind, from, j.Estimate)
		if from > v.Now || !v.Fits(j.Kind) {
			s.due.Push(heap.Item{Key: from, Tie: int32(j.Number), ID: id})
			continue
		}
		s.start(v, j)
	}
	s.compact()
}

// holds reports whether the plan made before is still the one that would be made now. A
// job that is overdue alone does not change it: its servers are free by plan.
func (s *conservative) holds(v *View) bool {
	return !s.stale && s.made() && s.due.Least() >= v.Now
}

// startDue starts the jobs that the plan has start now; false if one does not fit,
// since a job without length holds its servers until the instant is over.
func (s *conservative) startDue(v *View) bool {
	s.forward(v.Now)
	for s.due.Least() == v.Now {
		j := v.engine.Job(s.due[0].ID)
		if !v.Fits(j.Kind) {
			return false
		}
		s.due.Pop()
		s.start(v, j)
	}
	return true
}

func (s *conservative) start(v *View, j *Job) {
	s.waiting[s.at[j.ID]] = -1
	s.gaps++
	v.engine.StartJob(j.ID)
	s.begins(v, j)
}

// compact closes the gaps in the line when they are most of it.
func (s *conservative) compact() {
	if s.gaps < 64 && s.gaps < len(s.waiting) || 2*s.gaps < len(s.waiting) {
		return
	}
	n := 0
	for _, id := range s.waiting {
		if id >= 0 {
			s.waiting[n], s.at[id] = id, n
			n++
		}
	}
	s.waiting, s.placed, s.gaps = s.waiting[:n], n, 0
}
