package queue

import (
	"encoding/binary"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Place is what serves, which says in each of its configurations who fits, and what the jobs in
// service do. Configurations have numbers, which it gives out as it meets them.
type Place interface {
	Empty() int32                          // without jobs
	Fits(at int32, class int) bool         // whether a job can start
	Starts(at int32, class int) []Share    // where one that fits leads, in probabilities; what they lack of 1 is services that take no time
	Services(at int32) (ends, own []Share) // where services that end lead, and those that go on in another phase; until the next call
	Jobs(at int32) int                     // in service
	Serves(at int32, class int) int        // of a class
	Free(at int32) int                     // servers
}

// Share is a configuration with a probability or a rate.
type Share struct {
	To   int32
	Rate float64
}

// pool is servers that are alike. A configuration is the number of jobs in each phase of service.
type pool struct {
	servers int
	classes []Class
	phases  []phase
	lo      []int // by class, its first phase
	least   []int // by class, the servers that must be free for a job to start

	number      map[string]int32
	served      []uint16 // by configuration and phase
	free, jobs  []int32  // by configuration
	at          []uint16 // scratch
	key         []byte
	ends, moves []Share
}

// phase is a phase of service.
type phase struct {
	class int
	exit  float64
	moves []states.Move
}

// newPool numbers the phases.
func newPool(s *System) *pool {
	c := &pool{servers: s.Servers, classes: s.Classes, number: map[string]int32{}}
	for i := range s.Classes {
		k := &s.Classes[i]
		c.lo, c.least = append(c.lo, len(c.phases)), append(c.least, k.Need+k.Keep)
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
	c.at = make([]uint16, len(c.phases))
	return c
}

// Empty is the configuration without jobs.
func (c *pool) Empty() int32 {
	clear(c.at)
	return c.enter()
}

// enter is the number of the configuration in c.at.
func (c *pool) enter() int32 {
	c.key = c.key[:0]
	for _, n := range c.at {
		c.key = binary.AppendUvarint(c.key, uint64(n))
	}
	if n, known := c.number[string(c.key)]; known {
		return n
	}
	n := int32(len(c.free))
	c.number[string(c.key)] = n
	c.served = append(c.served, c.at...)
	free, jobs := c.servers, 0
	for j, k := range c.at {
		free -= int(k) * c.classes[c.phases[j].class].Need
		jobs += int(k)
	}
	c.free, c.jobs = append(c.free, int32(free)), append(c.jobs, int32(jobs))
	return n
}

// of is the jobs by phase.
func (c *pool) of(at int32) []uint16 {
	n := len(c.phases)
	return c.served[int(at)*n : int(at)*n+n]
}

// changed is a configuration with a job less in one phase and one more in another; -1 is none.
func (c *pool) changed(at int32, less, more int) int32 {
	copy(c.at, c.of(at))
	if less >= 0 {
		c.at[less]--
	}
	if more >= 0 {
		c.at[more]++
	}
	return c.enter()
}

// Fits reports whether a job of a class can start.
func (c *pool) Fits(at int32, class int) bool { return c.least[class] <= int(c.free[at]) }

// Starts is where a job that starts leads.
func (c *pool) Starts(at int32, class int) (list []Share) {
	for a, p := range c.classes[class].Alpha {
		if p > 0 {
			list = append(list, Share{c.changed(at, -1, c.lo[class]+a), p})
		}
	}
	return list
}

// Services is what the jobs in service do.
func (c *pool) Services(at int32) (ends, own []Share) {
	c.ends, c.moves = c.ends[:0], c.moves[:0]
	for j := range c.phases {
		n := float64(c.of(at)[j])
		if n == 0 {
			continue
		}
		ph := &c.phases[j]
		if ph.exit > 0 {
			c.ends = append(c.ends, Share{c.changed(at, j, -1), n * ph.exit})
		}
		for _, m := range ph.moves {
			c.moves = append(c.moves, Share{c.changed(at, j, m.To), n * m.Rate})
		}
	}
	return c.ends, c.moves
}

// Jobs is how many jobs are in service.
func (c *pool) Jobs(at int32) int { return int(c.jobs[at]) }

// Free is how many servers are idle.
func (c *pool) Free(at int32) int { return int(c.free[at]) }

// Serves is how many jobs of a class are in service.
func (c *pool) Serves(at int32, class int) (n int) {
	of := c.of(at)
	for j := c.lo[class]; j < len(c.phases) && c.phases[j].class == class; j++ {
		n += int(of[j])
	}
	return n
}
