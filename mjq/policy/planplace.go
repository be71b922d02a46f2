package policy

import "sort"

// at is the stretch of a time, which is not before the plan, and the step in it.
func (p *plan) at(t float64) (k, i int) {
	if len(p.stretches) > 1 {
		k = max(0, sort.Search(len(p.stretches), func(k int) bool { return p.stretches[k].from > t })-1)
	}
	steps := p.stretches[k].steps
	for end := len(steps); i+1 < end; { // the last that begins by t, or the first
		if half := (i + end) / 2; steps[half].from <= t {
			i = half
		} else {
			end = half
		}
	}
	return k, i
}

// place is the earliest time, not before a given one, from which a given number of servers
// are free for so long. One of the needs for which the plan was made is at least as large.
func (p *plan) place(need int, length, earliest float64) (at float64) {
	if !p.indexed {
		return p.first(need, length, earliest)
	}
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

// first is place in a plan of one stretch.
func (p *plan) first(need int, length, earliest float64) (at float64) {
	steps := p.stretches[0].steps
	_, from := p.at(earliest)
	at = earliest
	for i := from; i < len(steps) && (i == from || steps[i].from < at+length); i++ {
		if steps[i].free < need {
			from = i + 1
			at = steps[from].from
		}
	}
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
