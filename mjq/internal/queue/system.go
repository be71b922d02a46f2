// Package queue solves first come first served queues as Markov chains in which every state
// is listed: those that let in a limited number of jobs or whose jobs give up, and through
// time, with Poisson arrivals whose rate is piecewise constant, from a given state on or over
// a period.
//
// A state is what is in service, by phase, and the line: how many jobs wait, or their classes.
// The class of a job that waits is drawn when it reaches the head of the queue: a job that
// finds others waiting, or the room full, joins or is turned away whatever its class. Of the
// head all that is known is that it does not fit now (package states), also if jobs give up,
// as long as they all do so at one rate. Else the line is kept in order, so that rooms are
// small. Jobs of a line that is given at the start are known, and stand before the others.
package queue

import (
	"encoding/binary"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Class is a class of jobs with a service of phase type, which takes some time.
type Class struct {
	states.Class
	Keep  int     // servers that must stay free once a job has started
	Users int     // they send the jobs, in place of the arrivals; 0: none. Only without room or in order
	Think float64 // rate at which a user that thinks sends a job
	Leave float64 // rate at which a job that waits gives up; only in order
}

// System is a queue.
type System struct {
	Servers int
	Classes []Class
	Room    int              // the most jobs that wait
	Leave   float64          // rate at which each job that waits gives up, whatever its class; 0: never
	Ordered bool             // the line is kept in order
	Rate    float64          // of Poisson arrivals
	Arrives *states.Arrivals // nil: they are Poisson. Those that mark classes only without room or in order
}

// phase is a phase of service.
type phase struct {
	class int
	exit  float64
	moves []states.Move
}

// compiled is a system with its phases numbered through.
type compiled struct {
	*System
	phases []phase
	lo     []int // by class, its first phase
	least  []int // by class, the servers that must be free for a job to start
	drawn  []float64
	in     *states.Arrivals
	given  []int // classes of the line at the start, of which the last stay known
}

// compile numbers the phases. Poisson arrivals become a process of one phase.
func (s *System) compile() *compiled {
	c := &compiled{System: s, in: s.Arrives}
	for i := range s.Classes {
		k := &s.Classes[i]
		c.lo, c.least, c.drawn = append(c.lo, len(c.phases)), append(c.least, k.Need+k.Keep), append(c.drawn, k.Prob)
		first := len(c.phases)
		for a, row := range k.A {
			ph := phase{class: i, exit: -row[a]}
			for b, rate := range row {
				if b != a && rate > 0 {
					ph.exit = max(0, ph.exit-rate)
					ph.moves = append(ph.moves, states.Move{To: first + b, Rate: rate})
				}
			}
			if ph.exit < 1e-14*-row[a] { // what rounding leaves
				ph.exit = 0
			}
			c.phases = append(c.phases, ph)
		}
	}
	if c.in == nil {
		c.in = &states.Arrivals{D0: [][]float64{{0}}}
		if s.Rate > 0 {
			c.in.Events = []states.Event{{Rates: [][]float64{{s.Rate}}, Size: 1, Class: states.Open}}
		}
	}
	if c.in.Drawn != nil {
		c.drawn = c.in.Drawn
	}
	return c
}

// state is a state of the chain: the phase of the arrivals, the jobs in service by phase, and
// the line.
type state struct {
	phase  int
	served []int
	known  []int // classes of the first jobs that wait
	drawn  int   // jobs behind them, whose classes are drawn at the head
}

// line is how many jobs wait.
func (s *state) line() int { return len(s.known) + s.drawn }

// key is the state as a string.
func (c *compiled) key(s *state) string {
	b := binary.AppendUvarint(make([]byte, 0, 4+len(s.served)), uint64(s.phase))
	b = binary.AppendUvarint(b, uint64(s.drawn))
	for _, n := range s.served {
		b = binary.AppendUvarint(b, uint64(n))
	}
	if !c.Ordered {
		return string(binary.AppendUvarint(b, uint64(len(s.known))))
	}
	for _, k := range s.known {
		b = binary.AppendUvarint(b, uint64(k))
	}
	return string(b)
}

// read makes s the state of a key.
func (c *compiled) read(key string, s *state) {
	b := []byte(key)
	next := func() int {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int(v)
	}
	s.phase, s.drawn = next(), next()
	if s.served = s.served[:0]; cap(s.served) < len(c.phases) {
		s.served = make([]int, 0, len(c.phases))
	}
	for range c.phases {
		s.served = append(s.served, next())
	}
	if !c.Ordered {
		s.known = c.given[len(c.given)-next():]
		return
	}
	s.known = s.known[:0]
	for len(b) > 0 {
		s.known = append(s.known, next())
	}
}

// free is the number of idle servers.
func (c *compiled) free(s *state) int {
	n := c.Servers
	for j, k := range s.served {
		n -= k * c.Classes[c.phases[j].class].Need
	}
	return n
}

// jobs is the number of jobs in the system, which is the layer of a state.
func (s *state) jobs() int {
	n := s.line()
	for _, k := range s.served {
		n += k
	}
	return n
}

// inService is the number of jobs of a class in service.
func (c *compiled) inService(s *state, class int) (n int) {
	for j := c.lo[class]; j < len(c.phases) && c.phases[j].class == class; j++ {
		n += s.served[j]
	}
	return n
}

// thinking is the number of users of a class who think.
func (c *compiled) thinking(s *state, class int) int {
	n := c.Classes[class].Users - c.inService(s, class)
	for _, k := range s.known {
		if k == class {
			n--
		}
	}
	return n
}

// blocked is the probability that a job whose class is drawn does not fit in so many free
// servers.
func (c *compiled) blocked(free int) (sum float64) {
	for k, p := range c.drawn {
		if c.least[k] > free {
			sum += p
		}
	}
	return sum
}
