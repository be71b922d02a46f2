package queue

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// nothing says that no servers are known to have been too few for the head.
const nothing = -1

// A turn is one of the ways in which an event goes on, with its rate.
type turn func(s *state, rate float64)

// moves calls to with all that can follow a state. Unless it is nil, turned is told of the
// rates at which jobs of each class are turned away, and started of those at which they
// start as they arrive.
func (c *compiled) moves(s *state, to turn, turned, started func(class int, rate float64)) {
	c.services(s, to)
	c.leaves(s, to)
	c.arrivals(s, to, turned, started)
}

// services are the ends and the changes of phase of services.
func (c *compiled) services(s *state, to turn) {
	free := c.free(s)
	for j, n := range s.served {
		if n == 0 {
			continue
		}
		ph := &c.phases[j]
		s.served[j]--
		if rate := float64(n) * ph.exit; rate > 0 {
			c.fill(s, free+c.Classes[ph.class].Need, free, rate, to)
		}
		for _, m := range ph.moves {
			s.served[m.To]++
			to(s, float64(n)*m.Rate)
			s.served[m.To]--
		}
		s.served[j]++
	}
}

// leaves are the jobs that give up: the head, after which others may start, and those
// behind it.
func (c *compiled) leaves(s *state, to turn) {
	known := s.known
	for i, k := range known {
		rate := c.Leave + c.Classes[k].Leave
		if s.known = known[1:]; i == 0 {
			c.fill(s, c.free(s), nothing, rate, to)
			continue
		}
		s.known = append(slices.Clone(known[:i]), known[i+1:]...)
		to(s, rate)
	}
	if s.known = known; c.Leave == 0 || s.drawn == 0 {
		return
	}
	s.drawn--
	behind := s.drawn
	if len(known) > 0 {
		behind++
	} else {
		c.fill(s, c.free(s), nothing, c.Leave, to)
	}
	if behind > 0 {
		to(s, float64(behind)*c.Leave)
	}
	s.drawn++
}

// fill starts jobs from the head while they fit in what is free. The head is known not to
// have fitted in so many servers; a job that comes to the head then is drawn. Equal states
// are joined after each job that starts.
func (c *compiled) fill(s *state, free, refused int, rate float64, to turn) {
	var now chain.Weighted[string, string]
	c.head(s, free, refused, rate, to, &now)
	for len(now.States) > 0 {
		var next chain.Weighted[string, string]
		now.Each(func(key string, rate float64) {
			var s state
			c.read(key, &s)
			c.head(&s, c.free(&s), nothing, rate, to, &next)
		})
		now = next
	}
}

// head draws the job at the head unless its class is known, and starts it if it fits. What more
// jobs may follow goes into more, all else to to.
func (c *compiled) head(s *state, free, refused int, rate float64, to turn, more *chain.Weighted[string, string]) {
	next := func(s *state, rate float64) {
		if s.line() == 0 {
			to(s, rate)
			return
		}
		key := c.key(s)
		more.Add(key, key, rate)
	}
	if known := s.known; len(known) > 0 && c.least[known[0]] <= free {
		s.known = known[1:]
		c.start(s, known[0], rate, next)
		s.known = known
		return
	}
	if len(s.known) > 0 || s.drawn == 0 {
		to(s, rate)
		return
	}
	all, stays := 0.0, 0.0
	for k, p := range c.drawn {
		if c.least[k] > refused {
			all += p
		}
		if c.least[k] > max(free, refused) {
			stays += p
		}
	}
	for k, p := range c.drawn {
		if p == 0 || c.least[k] <= refused || c.least[k] > free {
			continue
		}
		s.drawn--
		c.start(s, k, rate*p/all, next)
		s.drawn++
	}
	if stays > 0 {
		to(s, rate*stays/all)
	}
}

// start puts a job into service.
func (c *compiled) start(s *state, class int, rate float64, to turn) {
	rest := 1.0
	for a, p := range c.Classes[class].Alpha {
		if p > 0 {
			s.served[c.lo[class]+a]++
			to(s, rate*p)
			s.served[c.lo[class]+a]--
			rest -= p
		}
	}
	if rest > 1e-12 { // a service that takes no time
		to(s, rate*rest)
	}
}

// arrivals are the changes of the phase of the arrivals, and the jobs that come.
func (c *compiled) arrivals(s *state, to turn, turned, started func(class int, rate float64)) {
	from := s.phase
	defer func() { s.phase = from }()
	for next, rate := range c.in.D0[from] {
		if next != from && rate > 0 {
			s.phase = next
			to(s, rate)
		}
	}
	for _, e := range c.in.Events {
		for next, rate := range e.Rates[from] {
			if rate > 0 {
				s.phase = next
				c.come(s, e.Size, e.Class, rate, to, turned, started)
			}
		}
	}
	s.phase = from
	for k := range c.Classes {
		if u := &c.Classes[k]; u.Users > 0 {
			if rate := float64(c.thinking(s, k)) * u.Think; rate > 0 {
				c.come(s, 1, k, rate, to, turned, started)
			}
		}
	}
}

// come lets in so many jobs, one by one. Equal states are joined after each.
func (c *compiled) come(s *state, jobs, class int, rate float64, to turn, turned, started func(class int, rate float64)) {
	if jobs == 0 {
		to(s, rate)
		return
	}
	arriving := arriving{c, class, to, turned, started}
	if jobs == 1 {
		arriving.job(s, 1, rate, to)
		return
	}
	var now chain.Weighted[string, string]
	key := c.key(s)
	now.Add(key, key, rate)
	for left := jobs; left > 0 && len(now.States) > 0; left-- {
		var next chain.Weighted[string, string]
		now.Each(func(key string, rate float64) {
			var s state
			c.read(key, &s)
			arriving.job(&s, left, rate, func(s *state, rate float64) {
				if left == 1 {
					to(s, rate)
					return
				}
				key := c.key(s)
				next.Add(key, key, rate)
			})
		})
		now = next
	}
}

// arriving is how jobs of a batch come in.
type arriving struct {
	*compiled
	class           int // Open draws that of each
	to              turn
	turned, started func(class int, rate float64)
}

// each calls f with the classes that a job can have, and their probabilities.
func (a *arriving) each(f func(class int, p float64)) {
	if a.class != states.Open {
		f(a.class, 1)
		return
	}
	for k, p := range a.drawn {
		if p > 0 {
			f(k, p)
		}
	}
}

// job lets in the first of so many jobs that are left, or all of them if none can start, and
// goes on to next, or to the end.
func (a *arriving) job(s *state, left int, rate float64, next turn) {
	free := a.free(s)
	stuck := s.line() > 0 // whatever their classes
	if !stuck {
		stuck = true
		a.each(func(k int, _ float64) { stuck = stuck && a.least[k] > free })
	}
	if a.Ordered {
		a.inOrder(s, free, rate, next)
		return
	}
	if stuck {
		joins := min(left, a.Room-s.line())
		a.away(rate*float64(left-joins), nothing)
		s.drawn += joins
		a.to(s, rate)
		s.drawn -= joins
		return
	}
	stays := 0.0
	a.each(func(k int, p float64) {
		if a.least[k] > free {
			stays += p
			return
		}
		if a.started != nil {
			a.started(k, rate*p)
		}
		a.start(s, k, rate*p, next)
	})
	switch {
	case stays == 0:
	case a.Room > 0:
		s.drawn++
		next(s, rate*stays)
		s.drawn--
	default:
		a.away(rate, free)
		next(s, rate*stays)
	}
}

// inOrder lets in a job where the line is kept in order.
func (a *arriving) inOrder(s *state, free int, rate float64, next turn) {
	known := s.known
	a.each(func(k int, p float64) {
		switch {
		case len(known) == 0 && a.least[k] <= free:
			if a.started != nil {
				a.started(k, rate*p)
			}
			a.start(s, k, rate*p, next)
			return
		case len(known) < a.Room:
			s.known = append(slices.Clip(known), k)
		case a.turned != nil:
			a.turned(k, rate*p)
		}
		next(s, rate*p)
		s.known = known
	})
}

// away tells of jobs that are turned away at a rate, those of them that need more than is
// free.
func (a *arriving) away(rate float64, free int) {
	if a.turned == nil || rate == 0 {
		return
	}
	a.each(func(k int, p float64) {
		if a.least[k] > free {
			a.turned(k, rate*p)
		}
	})
}
