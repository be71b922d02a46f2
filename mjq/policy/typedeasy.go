package policy

// typedEasy is easy where jobs need units of several types: the shadow time is when the units of
// all types that the head needs are free, and every type has units that are extra then. Up to the
// shadow time the running jobs only give back, so that no plan is needed.
// Cost: O(types × (kinds that wait + log n)) a start.
type typedEasy struct {
	lines
	present *present
	needs   [][]int // by kind and type
	ends    []ends  // by type
	extra   []int   // by type
	fit     []int   // kinds that may start behind the head
}

func newTypedEasy(types int, needs [][]int) *typedEasy {
	return &typedEasy{lines: make(lines, len(needs)), present: newPresent(len(needs)), needs: needs, ends: make([]ends, types), extra: make([]int, types)}
}

// Arrived puts a job into the line of its kind.
func (s *typedEasy) Arrived(v *View, j *Job) {
	s.lines.Arrived(v, j)
	s.present.Arrived(v, j)
}

// Left forgets a job that has run.
func (s *typedEasy) Left(_ *View, j *Job) {
	for t, n := range s.needs[j.Kind] {
		if n > 0 {
			s.ends[t].remove(j.ID, n)
		}
	}
}

// Shift moves the origin of time.
func (s *typedEasy) Shift(by float64) {
	for t := range s.ends {
		s.ends[t].shift(by)
	}
}

func (s *typedEasy) begin(v *View, kind, at int) {
	j := s.start(v, kind, at)
	for t, n := range s.needs[kind] {
		if n > 0 {
			s.ends[t].insert(j.ID, j.Number, n, v.Now+j.Estimate)
		}
	}
}

func (s *typedEasy) Pass(v *View) {
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

// oldest is the kind of the earliest job of some kinds.
func oldest(v *View, kinds []int) (kind int) {
	first := int64(None)
	for _, k := range kinds {
		if v.Oldest[k] < first {
			first, kind = v.Oldest[k], k
		}
	}
	return kind
}

// shadow is when a kind can start by the estimates. It also finds what is extra then.
func (s *typedEasy) shadow(v *View, kind int) (at float64) {
	at = v.Now
	for t, n := range s.needs[kind] {
		if n > v.FreeUnits[t] {
			at = max(at, s.ends[t].when(n-v.FreeUnits[t]))
		}
	}
	for t, n := range s.needs[kind] {
		s.extra[t] = v.FreeUnits[t] + s.ends[t].released(at) - n
	}
	return at
}

// backfill starts jobs behind the head that do not delay it.
func (s *typedEasy) backfill(v *View, kinds []int, shadow float64) {
	s.fit = s.fit[:0]
	for _, k := range kinds {
		if v.Fits(k) {
			s.fit = append(s.fit, k)
		}
	}
	for {
		kind, at := s.next(v, shadow)
		if at < 0 {
			return
		}
		if v.Now+s.lines[kind].jobs[at].estimate > shadow {
			for t, n := range s.needs[kind] {
				s.extra[t] -= n
			}
		}
		s.begin(v, kind, at)
	}
}

// next is the first job of the queue that may start; at is -1 without one.
func (s *typedEasy) next(v *View, shadow float64) (kind, at int) {
	first, at := int64(None), -1
	for _, k := range s.fit {
		if v.Oldest[k] >= first || !v.Fits(k) {
			continue
		}
		limit := shadow
		if most(s.needs[k], s.extra) > 0 {
			limit = forever
		}
		if i := s.lines[k].find(s.lines[k].first, v.Now, limit); i >= 0 && s.lines[k].jobs[i].number < first {
			first, kind, at = s.lines[k].jobs[i].number, k, i
		}
	}
	return kind, at
}
