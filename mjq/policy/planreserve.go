package policy

import (
	"math"
	"slices"
)

// reserve takes servers away for a stretch of time, from the plan's beginning or later.
// A job without length has them for the shortest time there is, so that it has its
// place as the others have.
func (p *plan) reserve(need int, from, length float64) {
	to := max(from+length, math.Nextafter(from, forever))
	first, last := p.cut(from), p.cut(to)
	if len(p.stretches) == 1 {
		s := &p.stretches[0]
		for ; first < last; first++ {
			s.steps[first].free -= need
		}
		s.span()
		return
	}
	if !p.indexed {
		p.index()
	}
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
	if !p.indexed {
		return
	}
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

// cut has a step begin at a time, and returns its place in its stretch as that was before the cut.
func (p *plan) cut(t float64) int {
	k, i := p.at(t)
	s := &p.stretches[k]
	if s.steps[i].from == t {
		return i
	}
	s.steps = slices.Insert(s.steps, i+1, step{t, s.steps[i].free})
	if len(s.steps) > mostSteps {
		p.split(k)
	}
	return i + 1
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
