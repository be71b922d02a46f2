package policy

// hybrid is backfilling with a few reservations. Cost: O(types × (depth + running jobs)) a
// pass whose queue has a head that is blocked, and O(kinds log n) a start.
type hybrid struct {
	lines
	agenda
	depth int
	from  []int // by kind, the place of the first job that has not been looked at
}

func newHybrid(depth int, s System) *hybrid {
	if depth == All {
		depth = None
	}
	return &hybrid{lines: make(lines, len(s.Kinds)), agenda: newAgenda(s), depth: depth}
}

func (s *hybrid) begin(v *View, kind, at int) {
	j := s.take(v, kind, at)
	v.engine.StartJob(j.ID)
	s.begins(v, j)
}

func (s *hybrid) Pass(v *View) {
	if s.depth == None { // those that start now also have reservations
		if v.Jobs > 0 {
			s.backfill(v)
		}
		return
	}
	for v.Jobs > 0 {
		kind := s.head()
		if !v.Fits(kind) {
			s.backfill(v)
			return
		}
		s.begin(v, kind, s.lines[kind].first)
	}
}

// head is the kind of the job at the head of the queue, which must not be empty. Its order
// is that of the numbers that came with Arrived.
func (s *hybrid) head() (kind int) {
	first := int64(None)
	for k := range s.lines {
		if q := &s.lines[k]; q.count > 0 && q.jobs[q.first].number < first {
			first, kind = q.jobs[q.first].number, k
		}
	}
	return kind
}

// backfill makes the reservations and starts what delays none of them.
func (s *hybrid) backfill(v *View) {
	s.reset(v)
	s.from = s.from[:0]
	for k := range s.lines {
		s.from = append(s.from, s.lines[k].first)
	}
	for made := 0; made < s.depth; {
		kind, at := s.next(v, func(int) float64 { return forever })
		if at < 0 {
			return
		}
		s.from[kind] = at + 1
		length := s.lines[kind].jobs[at].estimate
		when := s.place(kind, length)
		s.reserve(kind, when, length)
		if when > v.Now || !v.Fits(kind) {
			made++
			continue
		}
		s.begin(v, kind, at)
	}
	s.others(v)
}

// others starts the jobs behind the reservations that delay none of them.
func (s *hybrid) others(v *View) {
	for {
		kind, at := s.next(v, func(k int) float64 {
			if !v.Fits(k) {
				return v.Now - 1
			}
			return s.until(k)
		})
		if at < 0 {
			return
		}
		if length := s.lines[kind].jobs[at].estimate; v.Now+length > v.Now {
			s.reserve(kind, v.Now, length)
		}
		s.begin(v, kind, at)
	}
}

// next is the first job not looked at that ends by the limit of its kind if it starts
// now; at is -1 without one.
func (s *hybrid) next(v *View, limit func(kind int) float64) (kind, at int) {
	first, at := int64(None), -1
	for k := range s.lines {
		q := &s.lines[k]
		if q.count == 0 || s.from[k] >= q.next {
			continue
		}
		if i := q.find(s.from[k], v.Now, limit(k)); i >= 0 && q.jobs[i].number < first {
			first, kind, at = q.jobs[i].number, k, i
		}
	}
	return kind, at
}
