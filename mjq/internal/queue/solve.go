package queue

import (
	"context"
	"errors"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Measures are what follows from the law of the chain, classes by their places.
type Measures struct {
	Arrived     []float64 // rate at which jobs come, those turned away included
	Blocked     []float64 // share of them that is turned away
	BlockedTime []float64 // share of the time in which a job of the class would be
	Left        []float64 // share of the jobs that come which gives up
	AtOnce      []float64 // share of the jobs that come which starts at once
	Queue       []float64 // mean number that waits
	Served      []float64 // mean number in service
	Busy        float64   // mean number of busy servers
	Wasted      float64   // mean number of servers idle although a job waits
	Jobs        []float64 // Jobs[n] is the probability of n jobs in the system
	States      int
}

// Solution is a solved queue.
type Solution struct {
	*Measures
	c     *chained
	graph *chain.Graph[State, State]
	law   *chain.Law
}

// ErrMarked is the error for classes that are not drawn independently while jobs may wait.
var ErrMarked = errors.New("queue: arrivals or users that say of which class a job is, where jobs wait")

// Solve finds the law of the queue.
func (s *System) Solve(ctx context.Context, most chain.Limits) (*Solution, error) {
	c := s.compile()
	if s.Room > 0 && c.marked() && !s.Ordered {
		return nil, ErrMarked
	}
	if s.Room > most.States { // some state has each number of waiting jobs
		return nil, chain.Large(float64(most.States), 0, "the chain has more than %.4g states", float64(most.States))
	}
	graph, err := chain.Explore(ctx, c.rule(), most, State{at: c.place.Empty()})
	if err != nil {
		return nil, err
	}
	law, err := graph.Stationary(ctx, most)
	if err != nil {
		return nil, err
	}
	return &Solution{c.measure(graph, law), c, graph, law}, nil
}

// Rule is what the chain of the queue does, whose layers are the numbers of jobs in the system.
func (s *System) Rule() chain.Rule[State, State] { return s.compile().rule() }

func (c *chained) rule() chain.Rule[State, State] {
	return chain.Rule[State, State]{Key: same, Layer: c.jobs,
		Moves: func(_ context.Context, s State, to func(State, float64)) { c.moves(s, to, nil, nil) }}
}

// Each calls f with every state and its probability.
func (x *Solution) Each(f func(s State, p float64)) { x.graph.Each(x.law, f) }

// same is the key of a state that is its own.
func same(s State) State { return s }

// marked reports whether the class of a job follows from the arrivals.
func (c *chained) marked() bool {
	for _, e := range c.in.Events {
		if e.Class != states.Open {
			return true
		}
	}
	for _, k := range c.Classes {
		if k.Users > 0 {
			return true
		}
	}
	return false
}

// measure adds up over the states.
func (c *chained) measure(graph *chain.Graph[State, State], law *chain.Law) *Measures {
	n := len(c.Classes)
	m := &Measures{Arrived: make([]float64, n), Blocked: make([]float64, n), BlockedTime: make([]float64, n),
		Left: make([]float64, n), AtOnce: make([]float64, n), Queue: make([]float64, n), Served: make([]float64, n), States: len(law.P)}
	graph.Each(law, func(s State, p float64) {
		c.rates(s, p, m)
		free, line := c.place.Free(s.at), c.line(s)
		m.Busy += p * float64(c.Servers-free)
		for k := range n {
			m.Served[k] += p * float64(c.place.Serves(s.at, k))
			if line >= c.Room && (line > 0 || !c.place.Fits(s.at, k)) {
				m.BlockedTime[k] += p
			}
		}
		for len(m.Jobs) <= c.jobs(s) {
			m.Jobs = append(m.Jobs, 0)
		}
		m.Jobs[c.jobs(s)] += p
		if line == 0 {
			return
		}
		m.Wasted += p * float64(free)
		known := c.known(s)
		for _, k := range known {
			m.Queue[k] += p
		}
		behind := s.drawn - 1
		if len(known) > 0 {
			behind++
		}
		blocked := c.blocked(s.at)
		for k, share := range c.drawn {
			m.Queue[k] += p * share * float64(behind)
			if len(known) > 0 {
				continue
			}
			if !c.place.Fits(s.at, k) {
				m.Queue[k] += p * share / blocked
			}
		}
	})
	for k, a := range m.Arrived {
		if a > 0 {
			m.Blocked[k] /= a
			m.AtOnce[k] /= a
			m.Left[k] = (c.Leave + c.Classes[k].Leave) * m.Queue[k] / a
		}
	}
	return m
}

// rates adds the rates at which jobs come, start at once and are turned away.
func (c *chained) rates(s State, p float64, m *Measures) {
	for _, e := range c.in.Events {
		for _, rate := range e.Rates[s.phase] {
			for k, share := range c.drawn {
				if e.Class == k {
					share = 1
				} else if e.Class != states.Open {
					share = 0
				}
				m.Arrived[k] += p * rate * share * float64(e.Size)
			}
		}
	}
	for k := range c.Classes {
		if u := &c.Classes[k]; u.Users > 0 {
			m.Arrived[k] += p * float64(c.thinking(s, k)) * u.Think
		}
	}
	c.arrivals(s, func(State, float64) {},
		func(k int, rate float64) { m.Blocked[k] += p * rate },
		func(k int, rate float64) { m.AtOnce[k] += p * rate })
}

// mostSummed is the most jobs that wait on average for which Cut sums; above it, twice as many
// wait with a probability that has no digits.
const mostSummed = 1e6

// Cut is a room so large that a queue whose jobs give up at a rate, and which come at a rate
// of at most arrive, has more in line with a probability below 1e-16: the numbers that wait
// fall at least as those of an M/M/∞ queue do above its mean.
func Cut(arrive, leave float64) int {
	mean := arrive / leave
	if mean > mostSummed {
		return int(check.Whole(2*mean, 0, math.MaxInt32))
	}
	tail, n := 1.0, math.Ceil(mean)
	for tail > 1e-18 {
		n++
		tail *= mean / n
	}
	return int(n) + 2
}
