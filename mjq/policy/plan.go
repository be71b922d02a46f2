package policy

import (
	"cmp"
	"math"
	"slices"
)

// forever is later than any end of a job.
const forever = math.MaxFloat64

// plan is how many servers are free from now on, by estimates and reservations: a
// step function, whose last step has no end.
type plan struct{ steps []step }

type step struct {
	from float64
	free int
}

// reset is the plan without reservations.
func (p *plan) reset(now float64, free int, running *ends) {
	p.steps = append(p.steps[:0], step{now, free})
	running.each(func(at float64, servers int) {
		last := &p.steps[len(p.steps)-1]
		if at <= last.from { // it ends together with the last, or it is overdue
			last.free += servers
			return
		}
		p.steps = append(p.steps, step{at, last.free + servers})
	})
}

// forward drops what is past.
func (p *plan) forward(now float64) {
	i := 0
	for i+1 < len(p.steps) && p.steps[i+1].from <= now {
		i++
	}
	p.steps = slices.Delete(p.steps, 0, i)
	p.steps[0].from = now
}

// place is the earliest time, not before a given one, from which a given number of servers
// are free for so long.
func (p *plan) place(need int, length, earliest float64) (at float64) {
	start := p.stepAt(earliest)
	at = earliest
	for i := start; i < len(p.steps) && (i == start || p.steps[i].from < at+length); i++ {
		if p.steps[i].free < need {
			start = i + 1
			at = p.steps[start].from
		}
	}
	return at
}

// stepAt is the index of the step at a time, which is not before the first.
func (p *plan) stepAt(at float64) int {
	if at <= p.steps[0].from {
		return 0
	}
	i, found := slices.BinarySearchFunc(p.steps, at, func(s step, at float64) int { return cmp.Compare(s.from, at) })
	if !found {
		i--
	}
	return i
}

// reserve takes servers away for a stretch of time, from the plan's beginning or later.
// A job without length has them for the shortest time there is, so that it has its
// place as the others have.
func (p *plan) reserve(need int, from, length float64) {
	to := max(from+length, math.Nextafter(from, forever))
	first := p.cut(from)
	last := p.cut(to)
	for i := first; i < last; i++ {
		p.steps[i].free -= need
	}
}

// cut has a step begin at a time and returns its index.
func (p *plan) cut(at float64) int {
	i, found := slices.BinarySearchFunc(p.steps, at, func(s step, at float64) int { return cmp.Compare(s.from, at) })
	if !found {
		p.steps = slices.Insert(p.steps, i, step{at, p.steps[i-1].free})
	}
	return i
}

// until is the time up to which a given number of servers are free from now on without a break;
// forever if they always are.
func (p *plan) until(need int) float64 {
	for _, s := range p.steps {
		if s.free < need {
			return s.from
		}
	}
	return forever
}
