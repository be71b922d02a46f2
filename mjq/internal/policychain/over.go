package policychain

import "github.com/mjqueue/mjq/mjq/internal/states"

// over is a preemptive priority of two levels, the first of several needs, first come, first
// served, and the second of one kind. The line holds jobs of the first level alone, of which
// the head is looked at; those of the second are known as they arrive.
type over struct {
	*plan
	below int // the kind of the second level
}

// belowOne is how many kinds the first of two levels has, if the second has one; else 0.
func (p *plan) belowOne() int {
	n := len(p.kinds) - 1
	for k := range n {
		if p.kinds[k].level != p.kinds[0].level {
			return 0
		}
	}
	if p.kinds[n].level == p.kinds[0].level {
		return 0
	}
	return n
}

// newOver has arrivals of the second level come by themselves.
func newOver(p *plan, below int) over {
	first := 1 - p.kinds[below].prob
	of := func(share float64) [][]move { return [][]move{{{0, p.rate * share}}} }
	p.input = &process{moves: [][]move{nil}, poisson: true,
		events: []event{{1, states.Open, of(first)}, {1, below, of(1 - first)}}}
	for k := range below {
		p.kinds[k].prob /= first
	}
	p.kinds[below].prob = 0
	return over{p, below}
}

func (o over) next(s *state) action {
	head := false
	for k := range o.below {
		if s.queue[k] > 0 {
			if o.kinds[k].need <= o.left(s) {
				return action(k)
			}
			head = true
		}
	}
	if !head && s.line > 0 {
		return look
	}
	run := min(s.jobs(o.below), o.servers/o.kinds[o.below].need)
	if below := &o.kinds[o.below]; len(below.phases) > 1 || o.tells(*below) {
		run = o.serves(s, o.below)
	}
	if run > len(s.begun[o.below]) {
		return action(o.below)
	}
	return stop
}

// left is the servers that the first level leaves.
func (o over) left(s *state) int {
	left := o.servers
	for k := range o.below {
		left -= len(s.begun[k]) * o.kinds[k].need
	}
	return left
}

func (o over) serves(s *state, kind int) int {
	if kind < o.below {
		return len(s.begun[kind])
	}
	return min(s.jobs(kind), o.left(s)/o.kinds[kind].need)
}

// joins reports whether a job of a kind that arrives runs at once.
func (o over) joins(s *state, kind int) bool {
	if kind == o.below {
		return (s.jobs(kind)+1)*o.kinds[kind].need <= o.left(s)
	}
	for k := range o.below {
		if s.queue[k] > 0 {
			return false
		}
	}
	return s.line == 0 && o.kinds[kind].need <= o.left(s)
}
