package policy

// Evicter is a [Planner] that also plans which running jobs have to stop for another to start.
type Evicter interface {
	Planner
	// Holds reports whether a job of a kind has a place in the plan now.
	Holds(kind int) bool
	// Returns puts a job that Frees removed back into the plan, and reports whether it could. Its units
	// must not be booked, and it must share no node with a job of its level that Returns has refused.
	Returns(id int32) bool
	// StartBooked starts a job at the place booked last.
	StartBooked(id int32)
}

// placedPreemptive is first come, first served within every level, with preemption, on nodes. A job
// without a place stops jobs of lower levels, if it would have a place without them. They are removed
// from a copy of the nodes one by one, from the end of the queue, until the job has a place. It takes
// the nodes that the placement prefers then. Each removed job, from the head of the queue on, continues
// if it still fits and shares no node with a job of its level that does not fit. The others wait again,
// and may start on other nodes.
// Cost: O(nodes + running jobs) for each job that stops others, or tries to.
type placedPreemptive struct {
	levels
	waiting []numbered // by level
	running numbered   // in the order of level and arrival
	gone    []int32    // used again
}

func newPlacedPreemptive(of levels) *placedPreemptive {
	return &placedPreemptive{levels: of, waiting: make([]numbered, of.count())}
}

// Arrived puts a job into its level.
func (s *placedPreemptive) Arrived(_ *View, j *Job) {
	line := &s.waiting[s.of[j.Kind]]
	*line = line.with(j)
}

// Reneged takes out a job that did not run.
func (s *placedPreemptive) Reneged(_ *View, j *Job) {
	line := &s.waiting[s.of[j.Kind]]
	*line = line.without(j)
}

// Left takes out a job that ran.
func (s *placedPreemptive) Left(_ *View, j *Job) {
	ranked := s.ranked(j)
	s.running = s.running.without(&ranked)
}

func (s *placedPreemptive) Pass(v *View) {
	for l := range s.waiting {
		for len(s.waiting[l]) > 0 {
			j := v.engine.Job(s.waiting[l][0].id)
			if v.Fits(j.Kind) {
				v.engine.StartJob(j.ID)
			} else if !s.evict(v, l, j) {
				break
			}
			s.waiting[l] = s.waiting[l][1:]
			ranked := s.ranked(j)
			s.running = s.running.with(&ranked)
		}
	}
}

// evict starts a job in place of jobs of lower levels. It returns false if the job has no place without
// them.
func (s *placedPreemptive) evict(v *View, level int, j *Job) bool {
	p := v.placer.(Evicter)
	p.Plan()
	s.gone = s.gone[:0]
	for i := len(s.running) - 1; !p.Holds(j.Kind); i-- {
		if i < 0 || s.of[s.running[i].kind] <= level {
			return false
		}
		s.gone = append(s.gone, s.running[i].id)
		p.Frees(s.running[i].id, v.Now)
	}
	p.Book(j.Kind, v.Now, 0)
	for i := len(s.gone) - 1; i >= 0; i-- {
		id := s.gone[i]
		if p.Returns(id) {
			continue
		}
		other := v.engine.Job(id)
		if v.engine.Preempt(id) {
			continue // Preempt has called Left
		}
		s.Left(v, other)
		s.Arrived(v, other)
	}
	p.StartBooked(j.ID)
	return true
}
