package policy

// Ahead is a [Placer] that finds where a job would lie once running jobs have ended.
type Ahead interface {
	Placer
	// Foresee begins the search for the future place of a job of a kind, from the current contents of the
	// nodes.
	Foresee(kind int)
	// Ends removes a running job from a copy of the nodes, and reports whether the job that Foresee named
	// then has a place.
	Ends(id int32) bool
	// Reserve reserves the place that this job then has.
	Reserve()
	// Spares reports whether a job of a kind has a place now that takes no reserved units.
	Spares(kind int) bool
	// StartSparing starts a job at such a place, which it keeps beyond the shadow time.
	StartSparing(id int32)
}

// placedEasy is EASY on nodes. The shadow time is the first time at which the head of the queue has a
// place if the running jobs end as estimated and no job starts. That place is reserved. A later job
// that has a place starts if it ends by the shadow time, or on nodes that then have enough units left
// for the head.
// Cost: O(jobs that run and end before the shadow time) for a pass whose head has no place, and O(kinds
// log n) for a start.
type placedEasy struct {
	lines
	present *present
	ahead   Ahead
	ends    ends
}

func newPlacedEasy(kinds int) *placedEasy {
	return &placedEasy{lines: make(lines, kinds), present: newPresent(kinds)}
}

// Arrived puts a job into the queue of its kind.
func (s *placedEasy) Arrived(v *View, j *Job) {
	s.lines.Arrived(v, j)
	s.present.Arrived(v, j)
}

// Left forgets a job that has run.
func (s *placedEasy) Left(_ *View, j *Job) { s.ends.remove(j.ID, 1) }

// Shift moves the origin of time.
func (s *placedEasy) Shift(by float64) { s.ends.shift(by) }

func (s *placedEasy) begin(v *View, kind, at int) {
	j := s.start(v, kind, at)
	s.ends.insert(j.ID, j.Number, 1, v.Now+j.Estimate)
}

func (s *placedEasy) Pass(v *View) {
	kinds := s.present.in(v)
	for v.Jobs > 0 {
		kind := oldest(v, kinds)
		if !v.Fits(kind) {
			s.backfill(v, kinds, s.shadow(v, kind))
			return
		}
		s.begin(v, kind, s.lines[kind].first)
	}
}

// shadow returns the shadow time of a kind, and reserves its place.
func (s *placedEasy) shadow(v *View, kind int) float64 {
	s.ahead = v.placer.(Ahead)
	s.ahead.Foresee(kind)
	shadow, found := v.Now, false
	s.ends.ascend(func(id int32, at float64) bool {
		if found && at > shadow {
			return false
		}
		if s.ahead.Ends(id) && !found {
			shadow, found = max(v.Now, at), true
		}
		return true
	})
	s.ahead.Reserve()
	return shadow
}

// backfill starts jobs behind the head that do not delay it.
func (s *placedEasy) backfill(v *View, kinds []int, shadow float64) {
	for {
		first, kind, at := int64(None), 0, -1
		for _, k := range kinds {
			if v.Oldest[k] >= first || !v.Fits(k) {
				continue
			}
			limit := shadow
			if s.ahead.Spares(k) {
				limit = forever
			}
			if i := s.lines[k].find(s.lines[k].first, v.Now, limit); i >= 0 && s.lines[k].jobs[i].number < first {
				first, kind, at = s.lines[k].jobs[i].number, k, i
			}
		}
		if at < 0 {
			return
		}
		if j := s.lines[kind].jobs[at]; v.Now+j.estimate > shadow {
			s.beside(v, kind, at)
		} else {
			s.begin(v, kind, at)
		}
	}
}

// beside starts a job on units that are not reserved.
func (s *placedEasy) beside(v *View, kind, at int) {
	j := v.engine.Job(s.lines[kind].jobs[at].id)
	s.lines[kind].remove(at)
	s.ahead.StartSparing(j.ID)
	s.ends.insert(j.ID, j.Number, 1, v.Now+j.Estimate)
}
