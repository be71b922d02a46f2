package policy

// ranked has backfilling see the queue in the order of level and arrival: its jobs have numbers by
// which those of a level come before those of the next.
type ranked struct {
	levels
	backfilling
}

// backfilling is a scheduler that goes by the numbers of jobs.
type backfilling interface {
	Scheduler
	Arriver
	Reneger
	Leaver
	Shifter
}

// numbersOfALevel are more than jobs ever come.
const numbersOfALevel = 1 << 50

// base is the least of these numbers of jobs of a kind.
func (l *levels) base(kind int) int64 { return int64(l.of[kind]) * numbersOfALevel }

// ranked is the job with such a number.
func (l *levels) ranked(j *Job) Job {
	ranked := *j
	ranked.Number += l.base(j.Kind)
	return ranked
}

// Arrived puts the job in by that number.
func (s *ranked) Arrived(v *View, j *Job) {
	job := s.ranked(j)
	s.backfilling.Arrived(v, &job)
}

// Reneged takes it out by that number.
func (s *ranked) Reneged(v *View, j *Job) {
	job := s.ranked(j)
	s.backfilling.Reneged(v, &job)
}
