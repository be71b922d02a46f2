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
	c     *compiled
	graph *chain.Graph[string, string]
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
	var x, now state
	rule := chain.Rule[string, string]{Key: same,
		Layer: func(key string) int {
			c.read(key, &x)
			return x.jobs()
		},
		Moves: func(_ context.Context, key string, to func(string, float64)) {
			c.read(key, &now)
			c.moves(&now, func(s *state, rate float64) { to(c.key(s), rate) }, nil, nil)
		}}
	first := state{served: make([]int, len(c.phases))}
	graph, err := chain.Explore(ctx, rule, most, c.key(&first))
	if err != nil {
		return nil, err
	}
	law, err := graph.Stationary(ctx, most)
	if err != nil {
		return nil, err
	}
	return &Solution{c.measure(graph, law), c, graph, law}, nil
}

// same is the key of a state that is its own.
func same(key string) string { return key }

// marked reports whether the class of a job follows from the arrivals.
func (c *compiled) marked() bool {
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
func (c *compiled) measure(graph *chain.Graph[string, string], law *chain.Law) *Measures {
	n := len(c.Classes)
	m := &Measures{Arrived: make([]float64, n), Blocked: make([]float64, n), BlockedTime: make([]float64, n),
		Left: make([]float64, n), AtOnce: make([]float64, n), Queue: make([]float64, n), Served: make([]float64, n), States: len(law.P)}
	var s state
	graph.Each(law, func(key string, p float64) {
		c.read(key, &s)
		c.rates(&s, p, m)
		free := c.free(&s)
		m.Busy += p * float64(c.Servers-free)
		for k := range n {
			m.Served[k] += p * float64(c.inService(&s, k))
			if s.line() >= c.Room && (s.line() > 0 || c.least[k] > free) {
				m.BlockedTime[k] += p
			}
		}
		for len(m.Jobs) <= s.jobs() {
			m.Jobs = append(m.Jobs, 0)
		}
		m.Jobs[s.jobs()] += p
		if s.line() == 0 {
			return
		}
		m.Wasted += p * float64(free)
		for _, k := range s.known {
			m.Queue[k] += p
		}
		behind := s.drawn - 1
		if len(s.known) > 0 {
			behind++
		}
		blocked := c.blocked(free)
		for k, share := range c.drawn {
			m.Queue[k] += p * share * float64(behind)
			if len(s.known) > 0 {
				continue
			}
			if c.least[k] > free {
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
func (c *compiled) rates(s *state, p float64, m *Measures) {
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
	c.arrivals(s, func(*state, float64) {},
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
