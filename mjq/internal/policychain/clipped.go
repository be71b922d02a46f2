package policychain

import (
	"context"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// clipped is the queue with the counts that have no bound clipped: a count of most stands
// for all from there on. No rule looks at more of a count than whether it is above 0 (with
// phases, whether it is above what the servers hold), so that what a state can do does not
// depend on by how much a clipped count is larger, and finitely many rows stand for the
// generator of the queue without end.
//
// As in a walk, each look and each start of a pass is a step of its own, that takes no time.
type clipped struct {
	*Queue
	counts  []tally
	lined   bool // the line is the last of them
	most    int
	states  []*state
	passing []bool // in the midst of a pass
	jobs    []int
	place   map[string]int

	row    []int32 // where the cases of a state begin; of one more state than there are
	start  []int32 // where the arrows of a case begin; of one more case than there are
	arrows []reach
	ends   []end
}

// reach is a rate to where one of the ends from first to before last is: which one
// depends on how large a clipped count is.
type reach struct {
	first, last int32
	rate        float64
}

// end is a state, with what is added to the counts beyond most: a place in the list of
// factors, by base 3.
type end struct{ to, tilt int32 }

// mostClipped is the most states with clipped counts, passes included.
const mostClipped = 150_000

// clip explores the queue with counts clipped, or returns nil if it has too many states, or
// has batches, or a policy that weighs counts against each other and services of
// more than one phase, or a priority over several needs.
func (q *Queue) clip(ctx context.Context, most int) (*clipped, error) {
	c := &clipped{Queue: q, most: most, place: map[string]int{}}
	_, weighs := q.rule.(maxWeight)
	_, levels := q.rule.(over) // of which the arrivals are not those of the line alone
	if levels || q.input.largest() > 1 || weighs && slices.ContainsFunc(q.kinds, func(k kind) bool { return len(k.phases) > 1 }) {
		return nil, nil
	}
	switch q.rule.(type) {
	case firstFit:
		c.counts, c.lined = []tally{tally(len(q.kinds) - 1), theLine}, true
	default:
		for k := range q.kinds {
			c.counts = append(c.counts, tally(k))
		}
	}
	c.put(q.empty(), false)
	for i := 0; i < len(c.states); i++ {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(c.states) > mostClipped {
			return nil, nil
		}
		c.explore(i)
	}
	c.row, c.start = append(c.row, int32(len(c.start))), append(c.start, int32(len(c.arrows)))
	return c, nil
}

// put is the place of a state whose counts are clipped.
func (c *clipped) put(s *state, passing bool) int {
	key := c.name(s, passing)
	at, ok := c.place[key]
	if !ok {
		at = len(c.states)
		c.place[key] = at
		c.states, c.passing = append(c.states, s), append(c.passing, passing)
		c.jobs = append(c.jobs, s.total())
	}
	return at
}

// name is the key of a state; key leaves out the line.
func (c *clipped) name(s *state, passing bool) string {
	key := s.key()
	if s.line > 0 {
		key += string(rune(s.line))
	}
	if passing {
		key += "+"
	}
	return key
}

// explore finds the steps of a state. Under MaxWeight there are as many cases as there are
// ways to serve that some numbers of jobs behind the clipped counts call for.
func (c *clipped) explore(i int) {
	s := c.states[i]
	c.row = append(c.row, int32(len(c.start)))
	emit := func(t *state, passing bool, rate float64) {
		first := len(c.ends)
		c.ends = c.candidates(s, t, passing, c.ends)
		c.arrows = append(c.arrows, reach{int32(first), int32(len(c.ends)), rate})
	}
	if c.passing[i] {
		c.start = append(c.start, int32(len(c.arrows)))
		c.onward(s.clone(), emit)
		return
	}
	for _, served := range c.served(s) {
		c.start = append(c.start, int32(len(c.arrows)))
		c.serve(s, served, emit)
		c.arrive(s, emit)
	}
}

// candidates appends where a step from s to t leads if a count of most stands for most, and
// if it stands for more. Steps change a count by one.
func (c *clipped) candidates(s, t *state, passing bool, list []end) []end {
	at := []*state{t.clone()}
	tilts := []int32{0}
	digit := int32(1)
	for _, count := range c.counts {
		before, after := *count.of(s), *count.of(t)
		for i, u := range at {
			switch {
			case after > c.most:
				*count.of(u) = c.most
				tilts[i] += 2 * digit
			case before == c.most && after < before:
				more := u.clone()
				*count.of(more) = before
				at, tilts = append(at, more), append(tilts, tilts[i])
				tilts[i] += digit
			default:
				tilts[i] += digit
			}
		}
		digit *= 3
	}
	for i, u := range at {
		list = append(list, end{int32(c.put(u, passing)), tilts[i]})
	}
	return list
}

// enter goes to the state after an event, in the midst of a pass if there is anything to do.
func (c *clipped) enter(t *state, rate float64, emit func(t *state, passing bool, rate float64)) {
	u, passing := c.entered(t)
	emit(u, passing, rate)
}

// served are the numbers of jobs in service, by kind, that there can be.
func (c *clipped) served(s *state) [][]int {
	if m, ok := c.rule.(maxWeight); ok {
		jobs, more := make([]int, len(c.kinds)), make([]bool, len(c.kinds))
		for k := range c.kinds {
			jobs[k], more[k] = s.jobs(k), s.queue[k] == c.most
		}
		return m.possible(jobs, more)
	}
	list := make([]int, len(c.kinds))
	for k := range c.kinds {
		list[k] = c.running(s, k)
	}
	return [][]int{list}
}

// serve finds the completions and the changes of phase, of arrivals too.
func (c *clipped) serve(s *state, served []int, emit func(t *state, passing bool, rate float64)) {
	for _, f := range c.turns(s, nil) {
		emit(f.to, false, f.rate)
	}
	for k := range c.kinds {
		for i, now := range s.begun[k][:served[k]] {
			if ph := c.kinds[k].phases[now]; ph.exit > 0 {
				c.enter(c.ended(s, k, i), ph.exit, emit)
			}
			for _, f := range c.changes(s, k, i, 1, nil) {
				emit(f.to, false, f.rate)
			}
		}
	}
}

// arrive finds the arrivals. But for the line a job shows its kind as it comes.
func (c *clipped) arrive(s *state, emit func(t *state, passing bool, rate float64)) {
	for _, e := range c.input.events {
		for _, m := range e.moves[s.phase] {
			t := s.clone()
			t.phase = m.to
			if c.lined {
				t.line++
				c.enter(t, m.rate, emit)
				continue
			}
			for k, kind := range c.kinds {
				p := kind.prob
				if e.kind != states.Open {
					p = 0
					if e.kind == k {
						p = 1
					}
				}
				if p > 0 {
					u := t.clone()
					u.queue[k]++
					c.enter(u, m.rate*p, emit)
				}
			}
		}
	}
}

// find is the place of a settled state of the queue with its counts clipped, and by how much
// each of them is larger.
func (c *clipped) find(s *state, excess []int) (place int, ok bool) {
	t := s
	for i, count := range c.counts {
		if excess[i] = max(0, *count.of(s)-c.most); excess[i] > 0 {
			if t == s {
				t = s.clone()
			}
			*count.of(t) = c.most
		}
	}
	place, ok = c.place[c.name(t, false)]
	return place, ok
}

// clips are the values at which counts are clipped in turn: those from which on no rule
// looks at more of them, and larger ones.
func (q *Queue) clips() (list []int) {
	least := 3
	for _, k := range q.kinds {
		if _, ok := q.rule.(preemptive); ok && len(k.phases) > 1 {
			least = q.servers/q.least() + 2
		}
	}
	for _, most := range []int{10, 32} {
		if len(q.kinds) > 2 {
			most /= 3
		}
		if most = max(most, least); !slices.Contains(list, most) {
			list = append(list, most)
		}
	}
	return list
}
