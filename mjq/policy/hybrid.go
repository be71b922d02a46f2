package policy

// hybrid is backfilling with a few reservations. Cost: O(depth + running jobs) a pass
// whose queue has a head that is blocked, and O(kinds log n) a start.
type hybrid struct {
	queue
	depth int
	plan  plan
	from  []int // by kind, the place of the first job that has not been looked at
}

func (s *hybrid) Pass(v *View) {
	if _, blocked := s.heads(v); !blocked {
		return
	}
	s.plan.reset(v, &s.ends)
	s.from = s.from[:0]
	for k := range s.kinds {
		s.from = append(s.from, s.kinds[k].first)
	}
	for made := 0; made < s.depth; {
		kind, at := s.next(v, func(int) float64 { return forever })
		if at < 0 {
			return
		}
		s.from[kind] = at + 1
		need, length := v.Needs[kind], s.kinds[kind].jobs[at].estimate
		when := s.plan.place(need, length)
		s.plan.reserve(need, when, length)
		if when > v.Now || need > v.Free {
			made++
			continue
		}
		s.start(v, kind, at)
	}
	s.others(v)
}

// others starts the jobs behind the reservations that delay none of them.
func (s *hybrid) others(v *View) {
	for {
		kind, at := s.next(v, func(k int) float64 {
			if v.Needs[k] > v.Free {
				return v.Now - 1
			}
			return s.plan.until(v.Needs[k])
		})
		if at < 0 {
			return
		}
		if length := s.kinds[kind].jobs[at].estimate; v.Now+length > v.Now {
			s.plan.reserve(v.Needs[kind], v.Now, length)
		}
		s.start(v, kind, at)
	}
}

// next is the first job not looked at that ends by the limit of its kind if it starts
// now; at is -1 without one.
func (s *hybrid) next(v *View, limit func(kind int) float64) (kind, at int) {
	first, at := int64(None), -1
	for k := range s.kinds {
		q := &s.kinds[k]
		if q.count == 0 || s.from[k] >= q.next {
			continue
		}
		if i := q.find(s.from[k], v.Now, limit(k)); i >= 0 && q.jobs[i].number < first {
			first, kind, at = q.jobs[i].number, k, i
		}
	}
	return kind, at
}
