package policy

import (
	"math"
	"slices"
)

// forever is later than any end of a job.
const forever = math.MaxFloat64

// plan is how many servers are free from now on, by estimates and reservations: a step function,
// whose last step has no end. Its steps stand in stretches, each of which knows the least and the
// most that is free in it. Beside them stand, for several levels of need, the openings in which so
// much is free: a job that needs as much as a level takes the first opening that is long enough,
// and any other looks through the openings of the level below. A reservation touches the steps
// that it covers and the levels that it crosses there. A plan of one stretch does without levels:
// looking through it costs less than keeping them.
type plan struct {
	stretches []stretch
	levels    []openings // by need, ascending
	indexed   bool       // levels are up to date
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
	if p.indexed = len(p.stretches) > 1; p.indexed {
		p.index()
	}
}

// index finds the openings of all levels.
func (p *plan) index() {
	for l := range p.levels {
		p.levels[l].blocks = p.levels[l].blocks[:0]
	}
	open := 0 // so many levels, from the lowest, have an opening now
	for k := range p.stretches {
		s := &p.stretches[k]
		for _, x := range s.steps {
			free := x.free + s.shift
			for ; open < len(p.levels) && p.levels[open].need <= free; open++ {
				p.levels[open].begin(x.from)
			}
			for ; open > 0 && p.levels[open-1].need > free; open-- {
				p.levels[open-1].end(x.from)
			}
		}
	}
	for l := range p.levels {
		p.levels[l].summarize()
	}
	p.indexed = true
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
	if p.indexed = p.indexed && len(p.stretches) > 1; !p.indexed {
		return
	}
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
