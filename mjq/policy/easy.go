package policy

// easy is EASY backfilling. The head that is blocked starts at the shadow time, when
// by the estimates its servers are free, all ends up to then counted; what is free
// then beyond its need is extra. A later job that fits starts if it ends by the shadow
// time, or if the extra servers suffice for it, of which it then takes its need.
// Cost: O(kinds log n) a start.
type easy struct {
	lines
	ends ends
}

// Left forgets a job that has run.
func (s *easy) Left(_ *View, j *Job) { s.ends.remove(j.ID, j.Need) }

// Shift moves the origin of time.
func (s *easy) Shift(by float64) { s.ends.shift(by) }

func (s *easy) begin(v *View, kind, at int) {
	j := s.start(v, kind, at)
	s.ends.insert(j.ID, j.Number, j.Need, v.Now+j.Estimate)
}

// heads starts jobs from the head of the queue while they fit. It returns the kind of
// the one that does not; false without one.
func (s *easy) heads(v *View) (kind int, blocked bool) {
	for v.Jobs > 0 {
		kind := v.Head()
		if v.Needs[kind] > v.Free {
			return kind, true
		}
		s.begin(v, kind, s.lines[kind].first)
	}
	return 0, false
}

func (s *easy) Pass(v *View) {
	kind, blocked := s.heads(v)
	if !blocked {
		return
	}
	need := v.Needs[kind]
	shadow := max(v.Now, s.ends.when(need-v.Free))
	extra := v.Free + s.ends.released(shadow) - need
	for {
		kind, at := s.next(v, shadow, extra)
		if at < 0 {
			return
		}
		if v.Now+s.lines[kind].jobs[at].estimate > shadow {
			extra -= v.Needs[kind]
		}
		s.begin(v, kind, at)
	}
}

// next is the first job of the queue that may start; at is -1 without one.
func (s *easy) next(v *View, shadow float64, extra int) (kind, at int) {
	first, at := int64(None), -1
	for k, need := range v.Needs {
		if need > v.Free {
			break
		}
		if v.Oldest[k] >= first {
			continue
		}
		limit := shadow
		if need <= extra {
			limit = forever
		}
		if i := s.lines[k].find(s.lines[k].first, v.Now, limit); i >= 0 && s.lines[k].jobs[i].number < first {
			first, kind, at = s.lines[k].jobs[i].number, k, i
		}
	}
	return kind, at
}
