package policy

import "slices"

// Booker is an Engine whose servers fail, or are reserved at times. Servers that are reserved now are not free.
type Booker interface {
	// SparesReserved is Spared of the earliest job of a kind that waits.
	SparesReserved(kind int) bool
	// Spared reports whether a job that starts now leaves free, by the estimates, what is reserved for
	// as long as it runs.
	Spared(id int32) bool
	// Left returns how many servers are up, not held and not reserved now, and how many more jobs may
	// hold. The first is negative where jobs hold servers that are reserved.
	Left() (open, more int)
	// Ahead appends in order of time how many servers jobs give back, and how many more are reserved,
	// from now on up to a time, by the estimates.
	Ahead(until float64, dst []Change) []Change
}

// Change is how many more servers than before are given back by jobs at a time, and how many more are
// reserved.
type Change struct {
	At             float64
	Back, Reserved int
}

// booked is Backfill where servers fail or are reserved at times; the latter are in the plan as jobs
// that start on time. It keeps no account of jobs, which may return to the queue, and goes through the queue at every pass. Cost: O(queue × (jobs that run + windows)) a pass.
type booked struct {
	depth int
	made  []held   // reservations of this pass
	plan  []Change // used again
}

// held is what a job has reserved.
type held struct {
	from, to float64
	need     int
}

func (s *booked) Pass(v *View) {
	s.made = s.made[:0]
	count := 0
	for j := range v.Queue() {
		if v.Free == 0 {
			return
		}
		at := s.place(v, j, count < s.depth || s.depth == All)
		if at <= v.Now && v.StartJob(j) {
			continue
		}
		if count < s.depth || s.depth == All {
			count++
			if at < forever {
				s.made = append(s.made, held{at, at + j.Estimate, j.Need})
			}
		}
	}
}

// mostAhead is how often the plan is made twice as long before a job is taken to have no place.
const mostAhead = 12

// place is the earliest time from which a job has its servers by plan for its whole estimate, or, if
// later times do not matter, whether that is now; forever if there is none.
func (s *booked) place(v *View, j *Job, later bool) (at float64) {
	if !later {
		if !v.Fits(j.Kind) {
			return forever
		}
		return s.search(v, j, v.Now+j.Estimate, false)
	}
	for ahead, n := j.Estimate+(v.Now-j.Arrival), 0; n < mostAhead; ahead, n = 2*ahead+1, n+1 {
		if at = s.search(v, j, v.Now+ahead, true); at <= v.Now+ahead { // as far as the plan goes
			return at
		}
	}
	return forever
}

// search looks for a place in a plan up to a time.
func (s *booked) search(v *View, j *Job, until float64, later bool) (at float64) {
	s.plan = v.booker.Ahead(until+j.Estimate, s.plan[:0])
	for _, x := range s.made {
		s.plan = append(s.plan, Change{x.from, -x.need, 0}, Change{x.to, x.need, 0})
	}
	slices.SortStableFunc(s.plan, func(a, b Change) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	open, more := v.booker.Left()
	now := planned{open, more}
	at = v.Now
	end := j.Estimate * (1 - 1e-12)
	for i := 0; ; {
		for ; i < len(s.plan) && s.plan[i].At <= at; i++ {
			now.change(&s.plan[i])
		}
		fits := now.free() >= j.Need
		for k, then := i, now; fits && k < len(s.plan) && s.plan[k].At < at+end; {
			for t := s.plan[k].At; k < len(s.plan) && s.plan[k].At == t; k++ {
				then.change(&s.plan[k])
			}
			fits = then.free() >= j.Need
		}
		if fits {
			return at
		}
		if !later || i == len(s.plan) {
			return forever
		}
		at = s.plan[i].At
	}
}

// planned is what a Booker has left at a time.
type planned struct{ open, more int }

func (p *planned) change(x *Change) {
	p.open += x.Back - x.Reserved
	p.more += x.Back
}

func (p *planned) free() int { return min(p.open, p.more) }
