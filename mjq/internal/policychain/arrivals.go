package policychain

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// mostBatch is the most jobs that arrive at once.
const mostBatch = 255

// process is an arrival process compiled.
type process struct {
	moves  [][]move // by phase, without an arrival
	events []event
	marks  bool
	poisson
}

// poisson says that jobs come one by one in a Poisson process.
type poisson bool

// event brings size jobs of a kind, or of kinds that are drawn.
type event struct {
	size, kind int
	moves      [][]move // by phase
}

// steady is the Poisson process of a rate.
func steady(rate float64) *process {
	return &process{moves: [][]move{nil}, events: []event{{1, states.Open, [][]move{{{0, rate}}}}}, poisson: true}
}

// arrive gives the plan an arrival process.
func (p *plan) arrive(a *states.Arrivals) {
	p.input = &process{moves: listed(a.D0, true)}
	for _, e := range a.Events {
		kind := states.Open
		if e.Class != states.Open {
			kind, p.input.marks = p.classes[e.Class].kind, true
		}
		p.input.events = append(p.input.events, event{e.Size, kind, listed(e.Rates, false)})
	}
	if a.Drawn == nil {
		return
	}
	for k := range p.kinds {
		p.kinds[k].prob = 0
	}
	for i, prob := range a.Drawn {
		if prob > 0 {
			p.kinds[p.classes[i].kind].prob += prob
		}
	}
}

// listed is the rates that are not 0, off the diagonal or all.
func listed(rows [][]float64, off bool) [][]move {
	list := make([][]move, len(rows))
	for i, row := range rows {
		for j, rate := range row {
			if rate > 0 && !(off && i == j) {
				list[i] = append(list[i], move{uint8(j), rate})
			}
		}
	}
	return list
}

// largest is the most jobs that come at once.
func (p *process) largest() (n int) {
	for _, e := range p.events {
		n = max(n, e.size)
	}
	return n
}

// arrivalFaults says what of the process cannot be solved.
func arrivalFaults(a *states.Arrivals, classes []states.Class, fault func(format string, args ...any)) {
	if len(a.D0) == 0 || len(a.D0) > math.MaxUint8 {
		fault("arrivals of %d phases; give 1 to %d", len(a.D0), math.MaxUint8)
	}
	for _, e := range a.Events {
		if e.Size < 1 || e.Size > mostBatch {
			fault("batches of %d jobs; give 1 to %d", e.Size, mostBatch)
		}
		if len(e.Rates) != len(a.D0) {
			fault("an event with the rates of %d phases of %d", len(e.Rates), len(a.D0))
		}
		if e.Class == states.Open {
			continue
		}
		for i, c := range classes {
			if i != e.Class && c.Prob > 0 && c.Need == classes[e.Class].Need {
				fault("arrivals mark jobs of need %d by class, which the policy does not tell apart; give each class that is marked a need of its own", c.Need)
				break
			}
		}
	}
}

// takes reports whether a rule can be solved with a process: marked jobs must be looked
// at when they arrive, or their order would belong into the state.
func (p *process) takes(r rule) error {
	switch r.(type) {
	case window, filling, firstFit:
		if p.marks {
			return fmt.Errorf("arrivals that mark classes: which class comes depends on the phase, so that the classes of jobs not yet looked at would belong into the state; take a policy that goes by counts, such as MostServersFirst, or simulate it")
		}
	}
	return nil
}

// arrivals are the states after an arrival that has room, with their rates. Of a batch the first
// job comes, and the clock stands still until all have.
func (q *Queue) arrivals(ctx context.Context, s *state, room int) (out []flow) {
	if s.coming > 0 {
		return q.comes(ctx, s.clone(), s.marked, 1, nil)
	}
	for _, e := range q.input.events {
		if e.size > room {
			continue
		}
		for _, m := range e.moves[s.phase] {
			t := s.clone()
			t.phase, t.coming, t.marked = m.to, uint8(e.size), uint8(e.kind+1)
			out = q.comes(ctx, t, t.marked, m.rate, out)
		}
	}
	return out
}

// comes has one of the jobs that come arrive, and after the last one the pass.
func (q *Queue) comes(ctx context.Context, t *state, marked uint8, rate float64, out []flow) []flow {
	if marked > 0 {
		t.queue[marked-1]++
	} else {
		t.line++
	}
	if t.coming--; t.coming > 0 {
		return append(out, flow{t, rate})
	}
	t.marked = 0
	return q.decide(ctx, t, rate, out)
}

// turns are the changes of the arrivals' phase.
func (q *Queue) turns(s *state, out []flow) []flow {
	for _, m := range q.input.moves[s.phase] {
		t := s.clone()
		t.phase = m.to
		out = append(out, flow{t, m.rate})
	}
	return out
}

// started adds to the rates, by kind, at which jobs start in the pass of their arrival,
// given the probability of a state.
func (q *Queue) started(s *state, p float64, rates []float64) {
	if s.line > 0 {
		return // nothing behind a job that is not looked at starts
	}
	for _, e := range q.input.events {
		for _, m := range e.moves[s.phase] {
			t := s.clone()
			if e.kind == states.Open {
				t.line += e.size
			} else {
				t.queue[e.kind] += e.size
			}
			for _, f := range q.decide(context.Background(), t, m.rate, nil) {
				for k := range rates {
					rates[k] += p * f.rate * float64(len(f.to.begun[k])-len(s.begun[k]))
				}
			}
		}
	}
}
