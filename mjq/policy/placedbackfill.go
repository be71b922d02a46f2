package policy

// Planner is a [Placer] with a plan: the free units of every node from now on, by the estimates of the
// running jobs and by reservations.
type Planner interface {
	Placer
	// Plan begins a plan from the current contents of the nodes.
	Plan()
	// Frees plans the end of a running job at a time, or now if that is past. Calls come in the order of
	// the ends.
	Frees(id int32, at float64)
	// Earliest is the first time from which a job of a kind has a place for the given length of time. A
	// job of length 0 needs its place for the shortest time that there is.
	Earliest(kind int, length float64) float64
	// Book reserves such a place from a time on: the one that the placement prefers.
	Book(kind int, from, length float64)
	// Lasts reports whether a job of a kind has a place now for the given length of time.
	Lasts(kind int, length float64) bool
	// StartLasting starts a job at such a place, which is then taken in the plan. The job has the kind and
	// the length of the last call of Lasts.
	StartLasting(id int32)
}

// placedBackfill is Backfill on nodes. A reservation begins at the earliest time from which enough
// nodes have room for the whole estimate, and takes the nodes that the placement prefers at that time.
// A job starts only on nodes where it can stay for its whole estimate. Every pass makes a new plan, so
// the nodes of a reservation may change, and the times of later reservations. A pass ends at the last
// job of the queue that has a place now, because a reservation only holds back the jobs behind it.
// Cost: O(nodes + running jobs + reservations) for each job of the queue up to that one.
type placedBackfill struct {
	depth int // number of reservations, or All
	queue numbered
	ends  ends
}

// Arrived puts a job into the queue by its number.
func (s *placedBackfill) Arrived(_ *View, j *Job) { s.queue = s.queue.with(j) }

// Reneged takes a job out of the queue.
func (s *placedBackfill) Reneged(_ *View, j *Job) { s.queue = s.queue.without(j) }

// Left forgets a job that has run.
func (s *placedBackfill) Left(_ *View, j *Job) { s.ends.remove(j.ID, 1) }

// Shift moves the origin of time.
func (s *placedBackfill) Shift(by float64) { s.ends.shift(by) }

func (s *placedBackfill) Pass(v *View) {
	last := len(s.queue)
	for last > 0 && !v.Fits(int(s.queue[last-1].kind)) {
		last--
	}
	if last == 0 {
		return
	}
	p := v.placer.(Planner)
	p.Plan()
	s.ends.ascend(func(id int32, at float64) bool {
		p.Frees(id, at)
		return true
	})
	made, wait := 0, s.queue[:0]
	for _, r := range s.queue[:last] {
		switch j := v.engine.Job(r.id); {
		case made != s.depth:
			if s.reserves(v, p, j) {
				made++
				wait = append(wait, r)
			}
		case !s.passes(v, p, j):
			wait = append(wait, r)
		}
	}
	s.queue = append(wait, s.queue[last:]...)
}

// reserves starts a job whose planned start is now. Otherwise it reserves a place and returns true.
func (s *placedBackfill) reserves(v *View, p Planner, j *Job) bool {
	from := p.Earliest(j.Kind, j.Estimate)
	if from > v.Now || !p.Lasts(j.Kind, j.Estimate) {
		p.Book(j.Kind, from, j.Estimate)
		return true
	}
	p.StartLasting(j.ID)
	s.begins(v, j)
	return false
}

// passes starts a job that delays no reservation, and reports whether it did. A job with an estimate of
// 0 delays none.
func (s *placedBackfill) passes(v *View, p Planner, j *Job) bool {
	switch {
	case !v.Fits(j.Kind):
		return false
	case v.Now+j.Estimate == v.Now:
		v.engine.StartJob(j.ID)
	case !p.Lasts(j.Kind, j.Estimate):
		return false
	default:
		p.StartLasting(j.ID)
	}
	s.begins(v, j)
	return true
}

func (s *placedBackfill) begins(v *View, j *Job) { s.ends.insert(j.ID, j.Number, 1, v.Now+j.Estimate) }
