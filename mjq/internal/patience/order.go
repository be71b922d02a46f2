package patience

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Class is a class of jobs with services of phase type, which take some time.
type Class struct {
	states.Class
	Leave float64 // rate at which a job that waits gives up
}

// Ordered is a first come first served queue with Poisson arrivals and a room, whose classes
// give up at rates of their own. A state is what is in service and the classes of the jobs
// that wait, in order, so that rooms are small.
type Ordered struct {
	Servers, Room int
	Rate          float64
	Classes       []Class
}

// Shares are what follows, by class.
type Shares struct {
	Blocked, Left, AtOnce []float64 // shares of the jobs that come
	Queue, Served         []float64 // mean numbers that wait and are in service
	Busy, Wasted          float64   // mean numbers of busy servers, and of those idle although a job waits
	Jobs                  []float64 // Jobs[n] is the probability of n jobs in the system
	States                int
}

// lineup is a state: jobs in service by phase, and the classes that wait.
type lineup struct {
	served []int
	line   []int
}

// ordered is a queue with its phases numbered through.
type ordered struct {
	*Ordered
	class []int // by phase
	lo    []int // by class
}

func (o *Ordered) compile() *ordered {
	c := &ordered{Ordered: o}
	for k := range o.Classes {
		c.lo = append(c.lo, len(c.class))
		for range o.Classes[k].A {
			c.class = append(c.class, k)
		}
	}
	return c
}

func (s *lineup) key() string {
	var b []byte
	for _, n := range s.served {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, k := range s.line {
		b = binary.AppendUvarint(b, uint64(k))
	}
	return string(b)
}

func (s *lineup) clone() *lineup { return &lineup{slices.Clone(s.served), slices.Clone(s.line)} }

func (c *ordered) free(s *lineup) int {
	n := c.Servers
	for j, k := range s.served {
		n -= k * c.Classes[c.class[j]].Need
	}
	return n
}

func (s *lineup) jobs() int {
	n := len(s.line)
	for _, k := range s.served {
		n += k
	}
	return n
}

// moves calls to with all that can follow a state.
func (c *ordered) moves(s *lineup, to func(s *lineup, rate float64)) {
	for j, n := range s.served {
		if n == 0 {
			continue
		}
		k := &c.Classes[c.class[j]]
		row := k.A[j-c.lo[c.class[j]]]
		exit := 0.0
		s.served[j]--
		for b, rate := range row {
			exit -= rate
			if b != j-c.lo[c.class[j]] && rate > 0 {
				s.served[c.lo[c.class[j]]+b]++
				to(s, float64(n)*rate)
				s.served[c.lo[c.class[j]]+b]--
			}
		}
		if exit > 0 {
			c.fill(s, float64(n)*exit, to)
		}
		s.served[j]++
	}
	for i, k := range s.line {
		rest := &lineup{s.served, append(append([]int(nil), s.line[:i]...), s.line[i+1:]...)}
		c.fill(rest, c.Classes[k].Leave, to)
	}
	for k := range c.Classes {
		rate := c.Rate * c.Classes[k].Prob
		if !c.startsAtOnce(s, k) && len(s.line) == c.Room {
			continue
		}
		c.fill(&lineup{s.served, append(append([]int(nil), s.line...), k)}, rate, to)
	}
}

// startsAtOnce reports whether a job that comes need not wait.
func (c *ordered) startsAtOnce(s *lineup, class int) bool {
	return len(s.line) == 0 && c.Classes[class].Need <= c.free(s)
}

// fill starts jobs from the head while they fit. Their phases are drawn, and equal states
// joined after each.
func (c *ordered) fill(s *lineup, rate float64, to func(s *lineup, rate float64)) {
	var now chain.Weighted[string, *lineup]
	now.Add("", s, rate)
	for len(now.States) > 0 {
		var next chain.Weighted[string, *lineup]
		now.Each(func(s *lineup, rate float64) {
			if len(s.line) == 0 || c.Classes[s.line[0]].Need > c.free(s) {
				to(s, rate)
				return
			}
			k := s.line[0]
			for a, p := range c.Classes[k].Alpha {
				if p > 0 {
					t := &lineup{slices.Clone(s.served), s.line[1:]}
					t.served[c.lo[k]+a]++
					next.Add(t.key(), t, rate*p)
				}
			}
		})
		now = next
	}
}

// Solve finds the shares.
func (o *Ordered) Solve(ctx context.Context, most chain.Limits) (*Shares, error) {
	c := o.compile()
	rule := chain.Rule[*lineup, string]{Key: (*lineup).key, Layer: (*lineup).jobs,
		Moves: func(_ context.Context, s *lineup, to func(*lineup, float64)) {
			c.moves(s, func(s *lineup, rate float64) { to(s.clone(), rate) })
		}}
	graph, err := chain.Explore(ctx, rule, most, &lineup{served: make([]int, len(c.class))})
	if err != nil {
		return nil, err
	}
	law, err := graph.Stationary(ctx, most)
	if err != nil {
		return nil, err
	}
	n := len(c.Classes)
	x := &Shares{Blocked: make([]float64, n), Left: make([]float64, n), AtOnce: make([]float64, n),
		Queue: make([]float64, n), Served: make([]float64, n), States: len(law.P)}
	graph.Each(law, func(s *lineup, p float64) { c.measure(s, p, x) })
	for k := range n {
		x.Left[k] = c.Classes[k].Leave * x.Queue[k] / (c.Rate * c.Classes[k].Prob)
	}
	return x, nil
}

// measure adds a state.
func (c *ordered) measure(s *lineup, p float64, x *Shares) {
	free := c.free(s)
	x.Busy += p * float64(c.Servers-free)
	if len(s.line) > 0 {
		x.Wasted += p * float64(free)
	}
	for len(x.Jobs) <= s.jobs() {
		x.Jobs = append(x.Jobs, 0)
	}
	x.Jobs[s.jobs()] += p
	for j, k := range s.served {
		x.Served[c.class[j]] += p * float64(k)
	}
	for _, k := range s.line {
		x.Queue[k] += p
	}
	for k := range c.Classes {
		if c.startsAtOnce(s, k) {
			x.AtOnce[k] += p
		} else if len(s.line) == c.Room {
			x.Blocked[k] += p
		}
	}
}
