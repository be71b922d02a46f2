package policychain

import (
	"context"
	"slices"
)

// flow is a rate, or a probability, of going to a state.
type flow struct {
	to   *state
	rate float64
}

// empty is the system without jobs.
func (q *Queue) empty() *state {
	return &state{begun: make([][]uint8, len(q.kinds)), queue: make([]int, len(q.kinds))}
}

// running is how many jobs of a kind are in service.
func (q *Queue) running(s *state, kind int) int {
	if p, ok := q.rule.(preemptive); ok {
		return p.serves(s, kind)
	}
	return len(s.begun[kind])
}

// decide appends the states that the pass leads to from s, with their rates. Each
// decision is the rule's; only the class of a job looked at and the first phase of
// one that begins are random. Equal states are joined at each step: the ways to look at
// n jobs are as many as there are classes to the power n. When ctx ends, states are missing:
// a pass may look at thousands of jobs.
func (q *Queue) decide(ctx context.Context, s *state, rate float64, out []flow) []flow {
	for now := []flow{{s, rate}}; len(now) > 0 && ctx.Err() == nil; {
		var next []flow
		for _, f := range now {
			switch a := q.rule.next(f.to); {
			case a == stop:
				out = append(out, f)
			case a == look:
				next = q.reveal(f, next)
			default:
				next = q.begin(f, int(a), next)
			}
		}
		now = joined(next)
	}
	return out
}

// reveal appends the states in which the next of the line has shown its kind.
func (q *Queue) reveal(f flow, out []flow) []flow {
	for k := range q.kinds {
		if q.kinds[k].prob == 0 {
			continue
		}
		t := f.to.clone()
		t.line--
		t.queue[k]++
		out = append(out, flow{t, f.rate * q.kinds[k].prob})
	}
	return out
}

// onward visits what the next step of a pass leads to, in probabilities: the pass ends, the kind of the
// next of the line shows, or a job begins.
func (q *Queue) onward(s *state, visit func(t *state, passing bool, p float64)) {
	var list []flow
	switch a := q.rule.next(s); a {
	case stop:
		visit(s, false, 1)
	case look:
		list = q.reveal(flow{s, 1}, nil)
	default:
		list = q.begin(flow{s, 1}, int(a), nil)
	}
	for _, f := range list {
		visit(f.to, true, f.rate)
	}
}

// entered is the state after an event, and whether it is in the midst of a pass that has anything to do.
func (q *Queue) entered(s *state) (t *state, passing bool) {
	t = s.clone()
	if q.rule.next(t) == stop {
		return t, false
	}
	return s, true
}

// ended is the state after the service of a job that has begun.
func (q *Queue) ended(s *state, kind, i int) *state {
	t := s.with(kind, slices.Delete(slices.Clone(s.begun[kind]), i, i+1))
	if l, ok := q.rule.(leaver); ok {
		l.left(t, kind)
	}
	return t
}

// joined are the flows with those to equal states added up. After as many steps equal
// states have equal lines. Few are left as they are.
func joined(flows []flow) []flow {
	if len(flows) <= 8 {
		return flows
	}
	place := make(map[string]int, len(flows))
	out := flows[:0]
	for _, f := range flows {
		key := f.to.key()
		if i, ok := place[key]; ok {
			out[i].rate += f.rate
			continue
		}
		place[key] = len(out)
		out = append(out, f)
	}
	return out
}

// begin appends the states in which a waiting job of a kind has begun.
func (q *Queue) begin(f flow, kind int, out []flow) []flow {
	for p, ph := range q.kinds[kind].phases {
		if ph.start == 0 {
			continue
		}
		t := f.to.with(kind, q.insert(f.to.begun[kind], uint8(p)))
		t.queue[kind]--
		out = append(out, flow{t, f.rate * ph.start})
	}
	return out
}

// insert is a list of phases with one more, which is that of the latest job.
func (q *Queue) insert(list []uint8, phase uint8) []uint8 {
	list = append(slices.Clone(list), phase)
	return q.order(list)
}

func (q *Queue) order(list []uint8) []uint8 {
	if _, ok := q.rule.(preemptive); !ok {
		slices.Sort(list)
	}
	return list
}

// startsAtOnce says whether a job of a kind that arrives starts in the pass of its
// arrival: no job of the kind waits after it, and none is left unlooked at.
func (q *Queue) startsAtOnce(s *state, kind int) bool {
	if s.line > 0 {
		return false
	}
	t := s.clone()
	t.line++
	for {
		switch a := q.rule.next(t); {
		case a == stop:
			return t.line == 0 && t.queue[kind] == 0
		case a == look:
			t.line--
			t.queue[kind]++
		default:
			t = q.begin(flow{t, 1}, int(a), nil)[0].to
		}
	}
}

// services are the completions and the changes of phase, of arrivals too, with their
// rates.
func (q *Queue) services(ctx context.Context, s *state) (down, local []flow) {
	if s.coming > 0 {
		return nil, nil
	}
	local = q.turns(s, nil)
	for k := range q.kinds {
		list := s.begun[k][:q.running(s, k)]
		for i := 0; i < len(list); {
			equal := 1 // jobs in a row of which it does not matter which one leaves
			for i+equal < len(list) && list[i+equal] == list[i] {
				equal++
			}
			if ph := q.kinds[k].phases[list[i]]; ph.exit > 0 {
				down = q.decide(ctx, q.ended(s, k, i), float64(equal)*ph.exit, down)
			}
			local = q.changes(s, k, i, equal, local)
			i += equal
		}
	}
	return q.goes(ctx, s, down), local
}

// changes appends the changes of phase of equal jobs in a row.
func (q *Queue) changes(s *state, kind, first, equal int, out []flow) []flow {
	for i := first; i < first+equal; i++ {
		for _, m := range q.kinds[kind].phases[s.begun[kind][i]].moves {
			changed := slices.Clone(s.begun[kind])
			changed[i] = m.to
			out = append(out, flow{s.with(kind, q.order(changed)), m.rate})
		}
	}
	return out
}
