package queue

import (
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// A turn is one of the ways in which an event goes on, with its rate.
type turn func(s State, rate float64)

// moves calls to with all that can follow a state. Unless it is nil, turned is told of the
// rates at which jobs of each class are turned away, and started of those at which they
// start as they arrive.
func (c *chained) moves(s State, to turn, turned, started func(class int, rate float64)) {
	c.services(s, to)
	c.leaves(s, to)
	c.arrivals(s, to, turned, started)
}

// services are the ends and the changes of phase of services.
func (c *chained) services(s State, to turn) {
	ends, own := c.place.Services(s.at)
	for _, e := range own {
		to(State{s.phase, e.To, s.known, s.drawn}, e.Rate)
	}
	for _, e := range ends {
		c.fill(State{s.phase, e.To, s.known, s.drawn}, s.at, e.Rate, to)
	}
}

// leaves are the jobs that give up: the head, after which others may start, and those
// behind it.
func (c *chained) leaves(s State, to turn) {
	known := c.known(s)
	for i, k := range known {
		rate := c.Leave + c.Classes[k].Leave
		if rate == 0 {
			continue
		}
		if i == 0 {
			c.fill(State{s.phase, s.at, c.lines.tail(s.known), s.drawn}, nothing, rate, to)
			continue
		}
		to(State{s.phase, s.at, c.lines.without(s.known, i), s.drawn}, rate)
	}
	if c.Leave == 0 || s.drawn == 0 {
		return
	}
	rest := State{s.phase, s.at, s.known, s.drawn - 1}
	behind := rest.drawn
	if len(known) > 0 {
		behind++
	} else {
		c.fill(rest, nothing, c.Leave, to)
	}
	if behind > 0 {
		to(rest, float64(behind)*c.Leave)
	}
}

// arrivals are the changes of the phase of the arrivals, and the jobs that come.
func (c *chained) arrivals(s State, to turn, turned, started func(class int, rate float64)) {
	in := s
	for next, rate := range c.in.D0[s.phase] {
		if next != int(s.phase) && rate > 0 {
			in.phase = int32(next)
			to(in, rate)
		}
	}
	for _, e := range c.in.Events {
		for next, rate := range e.Rates[s.phase] {
			if rate > 0 {
				in.phase = int32(next)
				c.come(in, e.Size, e.Class, rate, to, turned, started)
			}
		}
	}
	for k := range c.Classes {
		if u := &c.Classes[k]; u.Users > 0 {
			if rate := float64(c.thinking(s, k)) * u.Think; rate > 0 {
				c.come(s, 1, k, rate, to, turned, started)
			}
		}
	}
}

// come lets in so many jobs, one by one. Equal states are joined after each.
func (c *chained) come(s State, jobs, class int, rate float64, to turn, turned, started func(class int, rate float64)) {
	arriving := arriving{c, class, to, turned, started}
	if jobs == 1 {
		arriving.job(s, 1, rate, to)
		return
	}
	var now chain.Weighted[State, State]
	now.Add(s, s, rate)
	for left := jobs; left > 0 && len(now.States) > 0; left-- {
		var next chain.Weighted[State, State]
		now.Each(func(s State, rate float64) {
			arriving.job(s, left, rate, func(s State, rate float64) { next.Add(s, s, rate) })
		})
		now = next
	}
	now.Each(to)
}

// arriving is how jobs of a batch come in.
type arriving struct {
	*chained
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
func (a *arriving) job(s State, left int, rate float64, next turn) {
	if a.Ordered {
		a.inOrder(s, rate, next)
		return
	}
	stuck := a.line(s) > 0 // whatever their classes
	if !stuck {
		stuck = true
		a.each(func(k int, _ float64) { stuck = stuck && !a.place.Fits(s.at, k) })
	}
	if stuck {
		joins := min(left, a.Room-a.line(s))
		a.away(rate*float64(left-joins), nothing)
		s.drawn += int32(joins)
		a.to(s, rate)
		return
	}
	stays := 0.0
	a.each(func(k int, p float64) {
		if !a.place.Fits(s.at, k) {
			stays += p
			return
		}
		a.starts(s, k, rate*p, next)
	})
	switch {
	case stays == 0:
	case a.Room > 0:
		s.drawn++
		next(s, rate*stays)
	default:
		a.away(rate, s.at)
		next(s, rate*stays)
	}
}

// starts has a job start as it comes.
func (a *arriving) starts(s State, class int, rate float64, next turn) {
	if a.started != nil {
		a.started(class, rate)
	}
	a.start(s.at, class, rate, func(at int32, rate float64) { next(State{s.phase, at, s.known, s.drawn}, rate) })
}

// inOrder lets in a job where the line is kept in order.
func (a *arriving) inOrder(s State, rate float64, next turn) {
	a.each(func(k int, p float64) {
		line := s.known
		switch {
		case line == 0 && a.place.Fits(s.at, k):
			a.starts(s, k, rate*p, next)
			return
		case len(a.known(s)) < a.Room:
			line = a.lines.joined(line, k)
		case a.turned != nil:
			a.turned(k, rate*p)
		}
		next(State{s.phase, s.at, line, s.drawn}, rate*p)
	})
}

// away tells of jobs that are turned away at a rate: those of them that do not fit, or all if
// nothing is said.
func (a *arriving) away(rate float64, at int32) {
	if a.turned == nil || rate == 0 {
		return
	}
	a.each(func(k int, p float64) {
		if at == nothing || !a.place.Fits(at, k) {
			a.turned(k, rate*p)
		}
	})
}
