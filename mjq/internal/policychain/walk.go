package policychain

import (
	"context"
)

// Where a policy looks at all jobs of two needs, two counts have no bound: the jobs that
// wait, by need; under FirstFit the large jobs passed over and the jobs not looked at.
// What else there is, the phases, is finite, and does not depend on a count but for
// whether it is 0. So the queue is a random walk in the quarter plane, modulated by the
// phases.
//
// To keep its steps single, a pass is taken apart: each look and each start is a step of
// its own, for which the clock stands still. Watched only while no pass is going on, the
// walk is the queue, so that means over time are those over the settled states.

// tally is one of the two: a need whose waiting jobs are counted, or the line.
type tally int

const theLine tally = -1

func (c tally) of(s *state) *int {
	if c == theLine {
		return &s.line
	}
	return &s.queue[c]
}

// walk is a queue as a walk of two counts.
type walk struct {
	*Queue
	counts [2]tally
	step   float64 // rate of the steps of a pass; which does not matter
	most   int     // phases
}

// walkOf is the walk of a queue, if its policy has one that is known.
func walkOf(q *Queue) (w *walk, ok bool) {
	if len(q.kinds) != 2 {
		return nil, false
	}
	w = &walk{Queue: q, counts: [2]tally{0, 1}}
	for _, k := range q.kinds {
		for _, ph := range k.phases {
			w.step += float64(q.servers) * ph.exit
		}
	}
	switch q.rule.(type) {
	case firstFit:
		w.counts = [2]tally{1, theLine}
	case mostServers, leastServers, inTurn, adaptive, quickswap:
	default:
		return nil, false
	}
	return w, true
}

// many stands for a count without end.
const many = 1 << 14

// jump is a step from one phase to another, with what it adds to the counts. Its rate
// is base and, of an arrival, more times the rate of arrivals.
type jump struct {
	from, to   int
	add        [2]int
	base, more float64
}

// phases are the states of a walk but for the counts, at the values of these at which
// they can be found.
type phases struct {
	states  []*state
	passing []bool // in the midst of a pass
	jumps   []jump
	place   map[string]int
}

func newPhases() *phases { return &phases{place: map[string]int{}} }

// put is the place of a phase, and whether it is new.
func (p *phases) put(w *walk, s *state, passing bool) (place int, fresh bool) {
	s = s.clone()
	for _, c := range w.counts {
		*c.of(s) = 0
	}
	key := s.key()
	if passing {
		key += "+"
	}
	if at, ok := p.place[key]; ok {
		return at, false
	}
	p.place[key] = len(p.states)
	p.states, p.passing = append(p.states, s), append(p.passing, passing)
	return len(p.states) - 1, true
}

// jumps visits the steps from a phase with the counts at given values.
func (w *walk) jumps(from *state, passing bool, at [2]int, visit func(to *state, passing bool, add [2]int, base, more float64)) {
	s := from.clone()
	for i, c := range w.counts {
		*c.of(s) = at[i]
	}
	emit := func(t *state, passing bool, base, more float64) {
		var add [2]int
		for i, c := range w.counts {
			add[i] = *c.of(t) - at[i]
		}
		visit(t, passing, add, base, more)
	}
	if passing {
		w.onward(s, func(t *state, passing bool, p float64) { emit(t, passing, w.step*p, 0) })
		return
	}
	w.events(s, func(t *state, base, more float64) {
		u, passing := w.entered(t)
		emit(u, passing, base, more)
	})
}

// events are the completions, changes of phase and arrivals of a settled state.
func (w *walk) events(s *state, visit func(t *state, base, more float64)) {
	for k := range w.kinds {
		for i, now := range s.begun[k] {
			ph := w.kinds[k].phases[now]
			if ph.exit > 0 {
				visit(w.ended(s, k, i), ph.exit, 0)
			}
			for _, f := range w.changes(s, k, i, 1, nil) {
				visit(f.to, f.rate, 0)
			}
		}
	}
	if w.counts[1] == theLine {
		t := s.clone()
		t.line++
		visit(t, 0, 1)
		return
	}
	for k := range w.kinds {
		t := s.clone()
		t.queue[k]++
		visit(t, 0, w.kinds[k].prob)
	}
}

// all are the phases that the walk, begun empty, can have with both counts above 0. How
// far above does not matter, so that a count that falls may have come to 0 or not.
func (w *walk) all(ctx context.Context) (*phases, error) {
	var at [2][2]*phases // by whether the counts are above 0
	for i := range at {
		at[i] = [2]*phases{newPhases(), newPhases()}
	}
	type found struct{ place, first, second int }
	var work []found
	visit := func(s *state, passing bool, first, second int) {
		if place, fresh := at[first][second].put(w, s, passing); fresh {
			work = append(work, found{place, first, second})
		}
	}
	for visit(w.empty(), true, 1, 1); len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		p := at[f.first][f.second]
		if err := p.fits(ctx, w.most); err != nil {
			return nil, err
		}
		w.jumps(p.states[f.place], p.passing[f.place], [2]int{many * f.first, many * f.second}, func(t *state, passing bool, add [2]int, _, _ float64) {
			for _, first := range signs(f.first, add[0]) {
				for _, second := range signs(f.second, add[1]) {
					visit(t, passing, first, second)
				}
			}
		})
	}
	return at[1][1], nil
}

// signs are whether a count may be above 0 after a step.
func signs(before, add int) []int {
	switch {
	case add < 0:
		return []int{0, 1}
	case add > 0:
		return []int{1}
	}
	return []int{before}
}

// interior are the jumps among all phases while both counts are without end.
func (w *walk) interior(all *phases) (jumps []jump) {
	for from, s := range all.states {
		w.jumps(s, all.passing[from], [2]int{many, many}, func(t *state, passing bool, add [2]int, base, more float64) {
			to, _ := all.put(w, t, passing)
			jumps = append(jumps, jump{from, to, add, base, more})
		})
	}
	return jumps
}

// fits refuses more phases than can be solved.
func (p *phases) fits(ctx context.Context, most int) error {
	if len(p.states) > most {
		return large(float64(len(p.states)), denseBytes(len(p.states)), "so many phases of the walk, steps of passes among them")
	}
	return ctx.Err()
}
