package policy

// Reneger is a Scheduler that is told of every job that leaves the queue before it has
// started: its patience has ended, or there is no room for it. Schedulers that keep no
// account of the jobs that wait need not be told.
type Reneger interface {
	Reneged(v *View, j *Job)
}

// LetsGo reports whether jobs may leave the queue of a scheduler before they have started:
// it is not told of arrivals, or is a [Reneger].
func LetsGo(s Scheduler) bool {
	_, told := s.(Arriver)
	_, knows := s.(Reneger)
	return !told || knows
}

// Reneged does nothing: the pass finds who has left.
func (s *fcfs) Reneged(*View, *Job) {}

// Reneged does nothing: the pass finds who has left.
func (s *levelLines) Reneged(*View, *Job) {}

// Reneged takes a job out of the line of its kind, in O(log n) comparisons.
func (l lines) Reneged(_ *View, j *Job) {
	q := &l[j.Kind]
	q.remove(q.at(j.Number))
}

// Reneged takes a job out, after which the plan is made again.
func (s *conservative) Reneged(_ *View, j *Job) {
	s.waiting[s.at[j.ID]] = -1
	s.gaps++
	s.stale = true
}

// Reneged takes a job out.
func (s *typedPreemptiveFirstFit) Reneged(v *View, j *Job) { s.Left(v, j) }
