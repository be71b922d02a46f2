// Package queue solves first come first served queues as Markov chains in which every state
// is listed: those that let in a limited number of jobs or whose jobs give up, and through
// time, with Poisson arrivals whose rate is piecewise constant, from a given state on or over
// a period.
//
// A state is the phase of the arrivals, the configuration of what serves (a Place: one pool of
// servers here, nodes in package nodes), and the line: how many jobs wait, or their classes. The class of a job that waits is drawn when it reaches the head of the queue: a job that
// finds others waiting, or the room full, joins or is turned away whatever its class. Of the
// head all that is known is that it does not fit now (package states), also if jobs give up,
// as long as they all do so at one rate. Else the line is kept in order, so that rooms are
// small. Jobs of a line that is given at the start are known, and stand before the others.
package queue

import "github.com/mjqueue/mjq/mjq/internal/states"

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
	Place   Place            // what serves, which has the needs and the services of the classes; nil: one pool of servers
	Room    int              // the most jobs that wait
	Leave   float64          // rate at which each job that waits gives up, whatever its class; 0: never
	Ordered bool             // the line is kept in order
	Rate    float64          // of Poisson arrivals
	Arrives *states.Arrivals // nil: they are Poisson. Those that mark classes only without room or in order
}

// chained is a system with what serves, its arrivals as a process of phases, and the lines met.
type chained struct {
	*System
	place   Place
	drawn   []float64
	in      *states.Arrivals
	lines   lines
	settled map[settling][]settlement
	kept    int   // settlements
	most    int32 // so many jobs that wait are as good as more where it is asked which of them start; 0: none are
}

// compile prepares a queue. Poisson arrivals become a process of one phase.
func (s *System) compile() *chained {
	c := &chained{System: s, in: s.Arrives, place: s.Place, lines: newLines(), settled: map[settling][]settlement{}}
	if c.place == nil {
		c.place = newPool(s)
	}
	least, instant := s.Servers, false
	for i := range s.Classes {
		k := &s.Classes[i]
		c.drawn = append(c.drawn, k.Prob)
		least = min(least, max(1, k.Need))
		rest := 1.0
		for _, p := range k.Alpha {
			rest -= p
		}
		instant = instant || rest > noTime
	}
	if !instant {
		c.most = int32(s.Servers/least + 1)
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
	all := 0.0
	for _, p := range c.drawn {
		all += p
	}
	if all > 0 && all != 1 {
		c.drawn = append([]float64(nil), c.drawn...)
		for k := range c.drawn {
			c.drawn[k] /= all
		}
	}
	return c
}

// noTime is the probability from which on a service takes no time.
const noTime = 1e-12

// State is a state of the chain: the phase of the arrivals, the configuration of what serves, and
// the line.
type State struct {
	phase int32
	at    int32
	known int32 // the first jobs that wait, whose classes are known, by the number of their line
	drawn int32 // jobs behind them, whose classes are drawn at the head
}

// Behind is a configuration in front of which so many jobs wait, whose classes are drawn.
func Behind(at int32, jobs int) State { return State{at: at, drawn: int32(jobs)} }

// At is the configuration.
func (s State) At() int32 { return s.at }

// Drawn is how many jobs wait whose classes are drawn.
func (s State) Drawn() int { return int(s.drawn) }

// known are the classes of the first jobs that wait.
func (c *chained) known(s State) []int { return c.lines.of[s.known] }

// line is how many jobs wait.
func (c *chained) line(s State) int { return len(c.known(s)) + int(s.drawn) }

// jobs is the number of jobs in the system, which is the layer of a state.
func (c *chained) jobs(s State) int { return c.line(s) + c.place.Jobs(s.at) }

// thinking is the number of users of a class who think.
func (c *chained) thinking(s State, class int) int {
	n := c.Classes[class].Users - c.place.Serves(s.at, class)
	for _, k := range c.known(s) {
		if k == class {
			n--
		}
	}
	return n
}

// blocked is the probability that a job whose class is drawn does not fit.
func (c *chained) blocked(at int32) (sum float64) {
	for k, p := range c.drawn {
		if !c.place.Fits(at, k) {
			sum += p
		}
	}
	return sum
}
