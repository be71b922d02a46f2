package policy

// easy is EASY backfilling. The head that is blocked starts at the shadow time, when
// by the estimates its servers are free, all ends up to then counted; what is free
// then beyond its need is extra. A later job that fits starts if it ends by the shadow
// time, or if the extra servers suffice for it, of which it then takes its need.
// Cost: O(kinds log n) a start.
type easy struct{ queue }

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
		if v.Now+s.kinds[kind].jobs[at].estimate > shadow {
			extra -= v.Needs[kind]
		}
		s.start(v, kind, at)
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
		if i := s.kinds[k].find(s.kinds[k].first, v.Now, limit); i >= 0 && s.kinds[k].jobs[i].number < first {
			first, kind, at = s.kinds[k].jobs[i].number, k, i
		}
	}
	return kind, at
}
