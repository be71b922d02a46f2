package policy

// Planner is a [Placer] with a plan in time: what is free on every node from now on, by the
// estimates of the jobs that run and by reservations.
type Planner interface {
	Placer
	// Plan begins a plan, with the nodes as they are.
	Plan()
	// Frees has a running job end at a time, or now if that is past. Jobs come in the order of
	// their ends.
	Frees(id int32, at float64)
	// Earliest is the first time from which a job of a kind has a place that it can keep for
	// so long; one of no length keeps it for the shortest time there is.
	Earliest(kind int, length float64) float64
	// Book reserves such a place, of those at a time the one that the placement prefers.
	Book(kind int, from, length float64)
	// Lasts reports whether a job of a kind has a place now that it can keep for so long.
	Lasts(kind int, length float64) bool
	// StartLasting starts a job of the kind and the length that Lasts was asked for last at
	// such a place, which is then taken in the plan.
	StartLasting(id int32)
}

// placedBackfill is Backfill where jobs lie on nodes. A reservation is of nodes: the earliest time
// from which enough of them have place for the whole of the estimate, and of those nodes the ones
// that the placement prefers as they are then. A job starts on nodes where it can stay for the whole
// of its estimate. Every pass makes the plan again, so that the nodes of a reservation may change, and
// the times of those behind it. It ends at the last job of the queue that has a place now, since a
// reservation only holds back the jobs behind it.
// Cost: O(nodes + running jobs + reservations) for each of these jobs.
type placedBackfill struct {
	depth int // reservations; All
	queue numbered
	ends  ends
}

// Arrived puts a job into the queue by its number.
func (s *placedBackfill) Arrived(_ *View, j *Job) { s.queue = s.queue.with(j) }

// Reneged takes a job out.
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

// reserves starts a job whose turn by plan is now, or reserves its place.
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

// passes starts a job that delays no reservation, as none does that is thought to have no length.
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
