package rooms

import "github.com/mjqueue/mjq/mjq/internal/states"

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
	if c.Leave == 0 || s.waiting == 0 {
		return
	}
	s.waiting--
	c.fill(s, c.free(s), nothing, c.Leave, to)
	if s.waiting > 0 {
		to(s, float64(s.waiting)*c.Leave)
	}
	s.waiting++
}

// fill starts jobs from the head while they fit in what is free. The head is known not to
// have fitted in so many servers; a job that comes to the head then is drawn.
func (c *compiled) fill(s *state, free, refused int, rate float64, to turn) {
	if s.waiting == 0 {
		to(s, rate)
		return
	}
	all := 0.0
	for k, p := range c.drawn {
		if c.least[k] > refused {
			all += p
		}
	}
	stays := 0.0
	for k, p := range c.drawn {
		switch {
		case c.least[k] <= refused || p == 0:
		case c.least[k] > free:
			stays += p
		default:
			s.waiting--
			c.start(s, k, rate*p/all, func(s *state, rate float64) {
				c.fill(s, free-c.Classes[k].Need, nothing, rate, to)
			})
			s.waiting++
		}
	}
	if stays > 0 {
		to(s, rate*stays/all)
	}
}

// start puts a job into service.
func (c *compiled) start(s *state, class int, rate float64, to turn) {
	for a, p := range c.Classes[class].Alpha {
		if p > 0 {
			s.served[c.lo[class]+a]++
			to(s, rate*p)
			s.served[c.lo[class]+a]--
		}
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
			if rate := float64(u.Users-c.inService(s, k)) * u.Think; rate > 0 {
				c.come(s, 1, k, rate, to, turned, started)
			}
		}
	}
}

// come lets in so many jobs, one by one.
func (c *compiled) come(s *state, jobs, class int, rate float64, to turn, turned, started func(class int, rate float64)) {
	if jobs == 0 {
		to(s, rate)
		return
	}
	next := func(s *state, rate float64) { c.come(s, jobs-1, class, rate, to, turned, started) }
	away := func(class int, rate float64) {
		if turned != nil && rate > 0 {
			turned(class, rate)
		}
	}
	each := func(f func(k int, p float64)) {
		if class != states.Open {
			f(class, 1)
			return
		}
		for k, p := range c.drawn {
			f(k, p)
		}
	}
	if s.waiting > 0 {
		if s.waiting < c.Room {
			s.waiting++
			next(s, rate)
			s.waiting--
			return
		}
		each(func(k int, p float64) { away(k, rate*p) })
		next(s, rate)
		return
	}
	free, waits := c.free(s), 0.0
	each(func(k int, p float64) {
		switch {
		case p == 0:
		case c.least[k] <= free:
			if started != nil {
				started(k, rate*p)
			}
			c.start(s, k, rate*p, next)
		case c.Room > 0:
			waits += p
		default:
			away(k, rate*p)
			next(s, rate*p)
		}
	})
	if waits > 0 {
		s.waiting++
		next(s, rate*waits)
		s.waiting--
	}
}
