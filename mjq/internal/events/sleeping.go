package events

import (
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/law"
)

// sleeping are servers that go off. View.Free counts those that are on and not busy.
type sleeping struct {
	*compiled.Sleep
	on     int         // servers
	setups turnings    // of the servers that are set up, in the order in which that began
	idle   turnings    // of those that are on and not needed, in the order in which they became so
	after  law.Sampler // nil: at once
	setup  law.Sampler
	heads  []int32 // used again
	rng    *rand.PCG
}

func newSleeping(q *compiled.Sleep) *sleeping {
	z := &sleeping{Sleep: q, setup: law.Prepare(q.Setup)}
	if q.After != nil {
		z.after = law.Prepare(q.After)
	}
	return z
}

// turnings are times at which something ends, in the order in which it began.
type turnings []float64

// first is the index and the time of the earliest.
func (c turnings) first() (at int, time float64) {
	time = math.Inf(1)
	for i, t := range c {
		if t < time {
			at, time = i, t
		}
	}
	return at, time
}

// remove takes out one, and keeps the order of the others.
func (c *turnings) remove(at int) { *c = append((*c)[:at], (*c)[at+1:]...) }

func (c turnings) shift(by float64) {
	for i := range c {
		c[i] -= by
	}
}

// reset has all servers off but those that stay awake.
func (z *sleeping) reset(s *Simulator) {
	z.on, s.view.Free = z.Awake, z.Awake
	z.setups, z.idle = z.setups[:0], z.idle[:0]
	z.rng = rand.NewPCG(s.key, 0xd1342543de82ef95)
}

// next is when a server goes on or off.
func (z *sleeping) next() float64 {
	_, setup := z.setups.first()
	_, idle := z.idle.first()
	return min(setup, idle)
}

// turning is when a server goes on or off next; +Inf if all are always on.
func (s *Simulator) turning() float64 {
	if s.sleep == nil {
		return math.Inf(1)
	}
	return s.sleep.next()
}

// turns reports whether a server goes on or off before all else, and before a pass that is due.
func (z *sleeping) turns(s *Simulator) bool {
	next := z.next()
	return !math.IsInf(next, 1) && next <= min(s.ends.first(), s.arrival, s.strikes(), s.nextDeadline()) && !(s.passDue && next > s.view.Now) && !s.Done()
}

// turn has one go on or off.
func (z *sleeping) turn(s *Simulator) {
	at, setup := z.setups.first()
	off, idle := z.idle.first()
	s.advance(min(setup, idle))
	if idle < setup {
		z.idle.remove(off)
		z.on--
		s.view.Free--
		return
	}
	z.setups.remove(at)
	z.on++
	s.view.Free++
	s.passDue = true
}

// needed is how many servers the jobs in service need together with those that wait, in order, as many as
// fit. The lists of the kinds are merged as far as that, for the queue may be long.
func (z *sleeping) needed(s *Simulator) int {
	need := z.on - s.view.Free
	z.heads = z.heads[:0]
	for _, line := range s.waiting {
		z.heads = append(z.heads, line.head)
	}
	for need < s.view.Servers {
		first := -1
		for k, id := range z.heads {
			if id != nobody && (first < 0 || s.system.all[id].Number < s.system.all[z.heads[first]].Number) {
				first = k
			}
		}
		if first < 0 {
			break
		}
		j := &s.system.all[z.heads[first]]
		if need+j.Need > s.view.Servers {
			break
		}
		need += j.Need
		z.heads[first] = j.next
	}
	return need
}

// adjust sets up the servers that are needed, and has those go off that are not.
func (z *sleeping) adjust(s *Simulator) {
	want := max(z.needed(s), z.Awake)
	if over := min(z.on+len(z.setups)-want, len(z.setups)); over > 0 {
		z.setups = z.setups[:len(z.setups)-over]
	}
	idle := max(0, z.on-want)
	if z.after == nil {
		z.on -= idle
		s.view.Free -= idle
	}
	for len(z.idle) > idle {
		z.idle = z.idle[:len(z.idle)-1]
	}
	for z.after != nil && len(z.idle) < idle {
		z.idle = append(z.idle, s.view.Now+z.after.Sample(z.rng))
	}
	for z.on+len(z.setups) < want {
		z.setups = append(z.setups, s.view.Now+z.setup.Sample(z.rng))
	}
}
