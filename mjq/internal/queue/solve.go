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
	Arrived      []float64 // rate at which jobs come, those turned away included
	Blocked      []float64 // share of them that is turned away
	BlockedTime  []float64 // share of the time in which a job of the class would be
	Left         []float64 // share of the jobs that come which gives up
	AtOnce       []float64 // share of the jobs that come which starts at once
	Queue, Pairs []float64 // E[N] and, of lines that are drawn, E[N(N-1)] of the number N that waits
	Served       []float64 // mean number in service
	Busy         float64   // mean number of busy servers
	Wasted       float64   // mean number of servers idle although a job waits
	Jobs         []float64 // Jobs[n] is the probability of n jobs in the system, as far as it is listed
	Decay        float64   // of these far out; 0 where all are listed
	Mean, Square float64   // E[N] and E[N(N-1)] of the number N of jobs in the system
	States       int       // of a chain without end, those in which jobs wait
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
	x := &Solution{c.measure(graph, law), c, graph, law}
	x.States = len(law.P)
	return x, nil
}

// Any is a room for any number of jobs.
const Any = 1 << 30

// Probabilities of the number of jobs are kept until they are so small, and at most so many.
const (
	listed      = 512
	leastListed = 1e-18
)

// Unending finds the law of the queue with room for any number of jobs that are drawn at the head, of
// which so many are in service at most: a quasi-birth-and-death process, whose layers with more jobs are
// alike. first are the states to begin with, if any. It fails with *mam.Unstable beyond the stability
// limit, along with a solution of which that limit alone is known, and as chain.Explore and
// chain.Graph.Unending do.
func (s *System) Unending(ctx context.Context, most chain.Limits, serves int, first ...State) (*Solution, error) {
	own := *s
	own.Room = Any
	c := own.compile()
	rule := c.rule()
	rule.Repeat = &chain.Repeat[State]{From: serves + 1, Shift: func(s State, by int) State {
		s.drawn += int32(by)
		return s
	}}
	if first == nil {
		first = []State{{at: c.place.Empty()}}
	}
	graph, err := chain.Explore(ctx, rule, most, first...)
	if err != nil {
		return nil, err
	}
	law, err := graph.Unending(ctx, s.Rate, most)
	if err != nil {
		return &Solution{law: law}, err
	}
	x := &Solution{c.measure(graph, law), c, graph, law}
	x.Jobs, x.Decay, x.States = law.Layered(listed, leastListed), law.Decay, len(graph.ByLayer().Layer(serves+1))
	return x, nil
}

// Limit is the largest stable rate of arrivals of a queue with room for any number of jobs; 0 if it is
// not known.
func (x *Solution) Limit() float64 {
	if x == nil || x.law == nil {
		return 0
	}
	return x.law.Limit
}

// Saturated is what the chain of what serves does while jobs always wait.
func (s *System) Saturated() chain.Rule[State, State] {
	c := s.compile()
	return chain.Rule[State, State]{Key: same, Layer: func(s State) int { return c.place.Jobs(s.at) },
		Moves: func(_ context.Context, s State, to func(State, float64)) {
			c.services(Behind(s.at, Any), func(next State, rate float64) { to(State{at: next.at}, rate) })
		}}
}

// rule is what the chain of the queue does, whose layers are the numbers of jobs in the system.
func (c *chained) rule() chain.Rule[State, State] {
	return chain.Rule[State, State]{Key: same, Layer: c.jobs,
		Moves: func(_ context.Context, s State, to func(State, float64)) { c.moves(s, to, nil, nil) }}
}

// Each calls f with every state and its probability; see chain.Graph.Each.
func (x *Solution) Each(f func(s State, p, more, pairs float64)) { x.graph.Each(x.law, f) }

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
	list := func() []float64 { return make([]float64, len(c.Classes)) }
	m := &Measures{Arrived: list(), Blocked: list(), BlockedTime: list(), Left: list(), AtOnce: list(), Queue: list(), Pairs: list(), Served: list()}
	graph.Each(law, func(s State, p, more, pairs float64) {
		c.rates(s, p, m)
		free, line, n := c.place.Free(s.at), c.line(s), c.jobs(s)
		m.Busy += p * float64(c.Servers-free)
		m.Mean += p*float64(n) + more
		m.Square += p*float64(n)*float64(n-1) + 2*float64(n)*more + pairs
		for k := range c.Classes {
			m.Served[k] += p * float64(c.place.Serves(s.at, k))
			if line >= c.Room && (line > 0 || !c.place.Fits(s.at, k)) {
				m.BlockedTime[k] += p
			}
		}
		for len(m.Jobs) <= n {
			m.Jobs = append(m.Jobs, 0)
		}
		m.Jobs[n] += p
		if line > 0 {
			m.Wasted += p * float64(free)
			c.waiting(s, p, more, pairs, m)
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

// waiting adds the jobs that wait in a state, and behind them more by its probability, of which pairs are
// those of the numbers.
func (c *chained) waiting(s State, p, more, pairs float64, m *Measures) {
	known := c.known(s)
	for _, k := range known {
		m.Queue[k] += p
	}
	b := float64(s.drawn - 1) // behind the head
	if len(known) > 0 {
		b++
	}
	blocked := c.blocked(s.at)
	for k, share := range c.drawn {
		behind := p*b + more
		m.Queue[k] += share * behind
		m.Pairs[k] += share * share * (p*b*(b-1) + 2*b*more + pairs)
		if len(known) == 0 && !c.place.Fits(s.at, k) {
			head := share / blocked
			m.Queue[k] += p * head
			m.Pairs[k] += 2 * behind * share * head
		}
	}
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
