package policy

// easy is EASY backfilling. The head that is blocked starts at the shadow time, when by the estimates
// it fits, all ends up to then counted. A later job that fits starts if it ends by the shadow time, or
// if the head still fits then beside it.
// Cost: O(kinds that wait + log n) a start, for each type of resource, and what the outlook costs.
type easy struct {
	lines
	present *present
	outlook
	fit []int // kinds that may start behind the head
}

// outlook answers for a place: when does a kind fit by the estimates, and what may run beside it.
type outlook interface {
	// shadow is when a kind can start by the estimates, and reserves what it needs then.
	shadow(v *View, kind int) (at float64)
	// spares reports whether a job of a kind that fits now takes nothing reserved.
	spares(kind int) bool
	// start starts a job, on nothing reserved if it runs beyond the shadow time.
	start(v *View, j *Job, beyond bool)
	// continues expects the end of a job that has begun again where it runs.
	continues(v *View, j *Job)
	// Left forgets a job that has run.
	Left(v *View, j *Job)
	// Shift moves the origin of time.
	Shift(by float64)
}

func newEasy(kinds int, o outlook) *easy {
	return &easy{lines: make(lines, kinds), present: newPresent(kinds), outlook: o}
}

// Arrived puts a job into the line of its kind.
func (s *easy) Arrived(v *View, j *Job) {
	s.lines.Arrived(v, j)
	s.present.Arrived(v, j)
}

func (s *easy) Pass(v *View) {
	if v.Jobs == 0 {
		return
	}
	kinds := s.present.in(v)
	for v.Jobs > 0 {
		kind := s.look(v, kinds)
		if !v.Fits(kind) {
			if len(s.fit) > 0 {
				s.backfill(v, s.shadow(v, kind))
			}
			return
		}
		s.start(v, s.take(v, kind, s.lines[kind].first), false)
	}
}

// look is the kind of the earliest job that waits, of some kinds. It lists those that fit.
func (s *easy) look(v *View, kinds []int) (kind int) {
	first, oldest := int64(None), v.Oldest
	s.fit = s.fit[:0]
	for _, k := range kinds {
		number := oldest[k]
		if number == None {
			continue
		}
		if v.Fits(k) {
			s.fit = append(s.fit, k)
		}
		if number < first {
			first, kind = number, k
		}
	}
	return kind
}

// backfill starts jobs behind the head that do not delay it.
func (s *easy) backfill(v *View, shadow float64) {
	for {
		kind, at := s.next(v, shadow)
		if at < 0 {
			return
		}
		beyond := v.Now+s.lines[kind].jobs[at].estimate > shadow
		s.start(v, s.take(v, kind, at), beyond)
	}
}

// next is the first job of the queue that may start; at is -1 without one.
func (s *easy) next(v *View, shadow float64) (kind, at int) {
	first, at := int64(None), -1
	for _, k := range s.fit {
		if v.Oldest[k] >= first || !v.Fits(k) {
			continue
		}
		limit := shadow
		if s.spares(k) {
			limit = forever
		}
		if i := s.lines[k].find(s.lines[k].first, v.Now, limit); i >= 0 && s.lines[k].jobs[i].number < first {
			first, kind, at = s.lines[k].jobs[i].number, k, i
		}
	}
	return kind, at
}

// unitsAhead is the outlook of a pool: the shadow time is when the units of all types that the head
// needs are free, and every type has units that are extra then. Up to the shadow time the running
// jobs only give back, so that no plan is needed.
type unitsAhead struct {
	running
	extra []int // by type
}

func newUnitsAhead(s System) *unitsAhead {
	return &unitsAhead{newRunning(s), make([]int, len(s.units()))}
}

func (a *unitsAhead) shadow(v *View, kind int) (at float64) {
	at = v.Now
	for t, n := range a.needs[kind] {
		if free := v.free(t); n > free {
			at = max(at, a.ends[t].when(n-free))
		}
	}
	for t, n := range a.needs[kind] {
		a.extra[t] = v.free(t) + a.ends[t].released(at) - n
	}
	return at
}

func (a *unitsAhead) spares(kind int) bool {
	for t, n := range a.needs[kind] {
		if n > 0 && n > a.extra[t] {
			return false
		}
	}
	return true
}

func (a *unitsAhead) start(v *View, j *Job, beyond bool) {
	if !beyond {
		v.engine.StartJob(j.ID)
		a.begins(v, j)
		return
	}
	if e, sizes := v.engine.(sizer); sizes && a.pool {
		e.StartWithin(j.ID, a.extra[0])
	} else {
		v.engine.StartJob(j.ID)
	}
	a.begins(v, j)
	for t := range a.extra {
		a.extra[t] -= a.holds(j, t)
	}
}

// sizer is an Engine some of whose jobs take more servers than they need when they start.
type sizer interface {
	// StartWithin starts a job that takes no more servers than given.
	StartWithin(id int32, servers int)
}
