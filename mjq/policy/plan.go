package policy

import (
	"math"
	"slices"
	"sort"
)

// forever is later than any end of a job.
const forever = math.MaxFloat64

// plan is how many servers are free from now on, by estimates and reservations: a step function,
// whose last step has no end. Its steps stand in stretches, each of which knows the least and the
// most that is free in it. Beside them stand, for several levels of need, the openings in which so
// much is free: a job that needs as much as a level takes the first opening that is long enough,
// and any other looks through the openings of the level below. A reservation touches the steps
// that it covers and the levels that it crosses there.
type plan struct {
	stretches []stretch
	levels    []openings // by need, ascending
}

// nextLevel is how much wider a level is than the one below, at least.
const nextLevel = 1.25

// newPlan is a plan for jobs of such needs, of which 0 does not count.
func newPlan(needs []int) (p plan) {
	needs = slices.Clone(needs)
	slices.Sort(needs)
	for _, n := range needs {
		if k := len(p.levels); n > 0 && (k == 0 || float64(n) >= nextLevel*float64(p.levels[k-1].need)) {
			p.levels = append(p.levels, openings{need: n})
		}
	}
	return p
}

// mostSteps is how many steps a stretch has; the last of reset may have one more.
const mostSteps = 64

// stretch is a part of a plan. It is not empty.
type stretch struct {
	from        float64 // of its first step
	least, most int     // free, of all its steps, without shift
	shift       int     // to be added to what is free in each step
	steps       []step
}

type step struct {
	from float64
	free int
}

// reset is the plan without reservations.
func (p *plan) reset(now float64, free int, running *ends) {
	p.stretches = p.stretches[:0]
	p.add(step{now, free})
	running.each(func(at float64, servers int) {
		last := &p.stretches[len(p.stretches)-1]
		top := &last.steps[len(last.steps)-1]
		free += servers
		if at <= top.from { // it ends together with the last, or it is overdue
			top.free, last.most = free, free
			if len(last.steps) == 1 {
				last.least = free
			}
			return
		}
		p.add(step{at, free})
	})
	p.open()
}

// open finds the openings of a plan in which ever more is free: one for each level, without an end.
func (p *plan) open() {
	k, i := 0, 0
	for l := range p.levels {
		for w := &p.levels[l]; ; {
			if s := &p.stretches[k]; i == len(s.steps) && k+1 < len(p.stretches) {
				k, i = k+1, 0
			} else if i == len(s.steps) || s.steps[i].free >= w.need {
				w.reset(s.steps[min(i, len(s.steps)-1)].from)
				break
			} else {
				i++
			}
		}
	}
}

// add appends a step, in which at least as many servers are free as in those before.
func (p *plan) add(s step) {
	n := len(p.stretches)
	if n > 0 && len(p.stretches[n-1].steps) < mostSteps/2 {
		last := &p.stretches[n-1]
		last.steps, last.most = append(last.steps, s), s.free
		return
	}
	if n < cap(p.stretches) {
		p.stretches = p.stretches[:n+1] // with the memory of a stretch that was
	} else {
		p.stretches = append(p.stretches, stretch{})
	}
	old := &p.stretches[n]
	if cap(old.steps) < mostSteps+1 {
		old.steps = make([]step, 0, mostSteps+1)
	}
	*old = stretch{from: s.from, least: s.free, most: s.free, steps: append(old.steps[:0], s)}
}

// made reports whether there is a plan.
func (p *plan) made() bool { return len(p.stretches) > 0 }

// begin is when the plan begins.
func (p *plan) begin() float64 { return p.stretches[0].from }

// forward drops what is past.
func (p *plan) forward(now float64) {
	past := 0
	for past+1 < len(p.stretches) && p.stretches[past+1].from <= now {
		past++
	}
	p.drop(past)
	first := &p.stretches[0]
	i := 0
	for i+1 < len(first.steps) && first.steps[i+1].from <= now {
		i++
	}
	first.from = now
	if i > 0 {
		first.steps = slices.Delete(first.steps, 0, i)
		first.span()
	}
	first.steps[0].from = now
	for l := range p.levels {
		p.levels[l].forward(now)
	}
}

// drop takes out the first stretches, whose memory goes to the end.
func (p *plan) drop(n int) {
	if n > 0 {
		gone := slices.Clone(p.stretches[:n])
		left := copy(p.stretches, p.stretches[n:])
		copy(p.stretches[left:], gone)
		p.stretches = p.stretches[:left]
	}
}

// span finds the least and the most that is free in a stretch.
func (s *stretch) span() {
	s.least, s.most = s.steps[0].free, s.steps[0].free
	for _, x := range s.steps[1:] {
		s.least, s.most = min(s.least, x.free), max(s.most, x.free)
	}
}

// at is the stretch of a time, which is not before the plan, and the step in it.
func (p *plan) at(t float64) (k, i int) {
	k = max(0, sort.Search(len(p.stretches), func(k int) bool { return p.stretches[k].from > t })-1)
	steps := p.stretches[k].steps
	i = max(0, sort.Search(len(steps), func(i int) bool { return steps[i].from > t })-1)
	return k, i
}

// place is the earliest time, not before a given one, from which a given number of servers
// are free for so long. One of the needs for which the plan was made is at least as large.
func (p *plan) place(need int, length, earliest float64) (at float64) {
	l := sort.Search(len(p.levels), func(l int) bool { return p.levels[l].need > need }) - 1
	w := &p.levels[l]
	w.each(earliest, length, func(x opening) bool {
		at = max(x.from, earliest)
		if w.need == need {
			return false
		}
		var found bool
		at, found = p.within(need, length, at, x.to)
		return !found
	})
	return at
}

// within is the earliest time as place has it, if there is one by which the servers are free
// until the end given.
func (p *plan) within(need int, length, earliest, end float64) (at float64, found bool) {
	at, found = earliest, true // servers have been free since at
	k, i := p.at(earliest)
	for first := true; k < len(p.stretches); k, i, first = k+1, 0, false {
		s := &p.stretches[k]
		need := need - s.shift
		switch {
		case !first && s.from >= end:
			return at, found && at+length <= end
		case found && !first && s.from >= at+length:
			return at, true
		case found && s.least >= need, !found && s.most < need:
			continue
		}
		for ; i < len(s.steps); i, first = i+1, false {
			x := &s.steps[i]
			if found && !first && x.from >= at+length {
				return at, true
			}
			switch {
			case x.free < need:
				found = false
			case !found:
				found, at = true, x.from
			}
		}
	}
	return at, found && at+length <= end
}

// reserve takes servers away for a stretch of time, from the plan's beginning or later.
// A job without length has them for the shortest time there is, so that it has its
// place as the others have.
func (p *plan) reserve(need int, from, length float64) {
	to := max(from+length, math.Nextafter(from, forever))
	p.cut(from)
	p.cut(to)
	for k, i := p.at(from); k < len(p.stretches) && p.stretches[k].from < to; k, i = k+1, 0 {
		s := &p.stretches[k]
		after := math.Inf(1)
		if k+1 < len(p.stretches) {
			after = p.stretches[k+1].from
		}
		if i == 0 && after <= to {
			p.close(s, 0, len(s.steps), after, need)
			s.shift -= need
			continue
		}
		j := i
		for j < len(s.steps) && s.steps[j].from < to {
			j++
		}
		if j < len(s.steps) {
			after = s.steps[j].from
		}
		p.close(s, i, j, after, need)
		for ; i < j; i++ {
			s.steps[i].free -= need
		}
		s.span()
	}
}

// close takes the steps from i to j of a stretch, which end at a time, out of the openings of the
// levels that they fall below when servers are taken away.
func (p *plan) close(s *stretch, i, j int, end float64, need int) {
	for l := range p.levels {
		w := &p.levels[l]
		level := w.need - s.shift
		if level > s.most {
			return
		}
		if level <= s.least-need {
			continue
		}
		for k := i; k < j; {
			free := s.steps[k].free
			if free < level || free-need >= level {
				k++
				continue
			}
			from, to := s.steps[k].from, end
			for k++; k < j && s.steps[k].free >= level && s.steps[k].free-need < level; k++ {
			}
			if k < j {
				to = s.steps[k].from
			}
			w.remove(from, to)
		}
	}
}

// cut has a step begin at a time.
func (p *plan) cut(t float64) {
	k, i := p.at(t)
	s := &p.stretches[k]
	if s.steps[i].from == t {
		return
	}
	s.steps = slices.Insert(s.steps, i+1, step{t, s.steps[i].free})
	if len(s.steps) > mostSteps {
		p.split(k)
	}
}

// split makes two stretches of one.
func (p *plan) split(k int) {
	half := mostSteps / 2
	var spare []step
	if n := len(p.stretches); n < cap(p.stretches) {
		spare = p.stretches[:n+1][n].steps[:0]
	}
	if cap(spare) < mostSteps+1 {
		spare = make([]step, 0, mostSteps+1)
	}
	s := &p.stretches[k]
	right := stretch{from: s.steps[half].from, shift: s.shift, steps: append(spare, s.steps[half:]...)}
	s.steps = s.steps[:half]
	s.span()
	right.span()
	p.stretches = slices.Insert(p.stretches, k+1, right)
}

// until is the time up to which a given number of servers are free from now on without a break;
// forever if they always are.
func (p *plan) until(need int) float64 {
	for k := range p.stretches {
		s := &p.stretches[k]
		if need := need - s.shift; s.least < need {
			for _, x := range s.steps {
				if x.free < need {
					return x.from
				}
			}
		}
	}
	return forever
}
