package queue

import "github.com/mjqueue/mjq/mjq/internal/chain"

// settling is a configuration with how many jobs whose classes are drawn wait, from whose head jobs
// start until one does not fit.
type settling struct{ at, waiting int32 }

// settlement is one way in which it ends, with its probability.
type settlement struct {
	at, started int32
	p           float64
}

// mostSettled is how many settlements are kept: some 20 MB.
const mostSettled = 1 << 20

// settlements is how it ends. More jobs that wait than can start are as many as that.
func (c *chained) settlements(at, waiting int32) []settlement {
	if waiting == 0 {
		return []settlement{{at, 0, 1}}
	}
	if c.most > 0 {
		waiting = min(waiting, c.most)
	}
	key := settling{at, waiting}
	if known, ok := c.settled[key]; ok {
		return known
	}
	var list []settlement
	var now chain.Weighted[int32, int32]
	now.Add(at, at, 1)
	for started := int32(0); len(now.States) > 0; started++ {
		var next chain.Weighted[int32, int32]
		now.Each(func(at int32, p float64) {
			stays := p
			if started < waiting {
				stays *= c.blocked(at)
			}
			if stays > 0 {
				list = append(list, settlement{at, started, stays})
			}
			for k, share := range c.drawn {
				if started < waiting && share > 0 && c.place.Fits(at, k) {
					c.start(at, k, p*share, func(at int32, p float64) { next.Add(at, at, p) })
				}
			}
		})
		now = next
	}
	if c.kept += len(list); c.kept > mostSettled {
		clear(c.settled)
		c.kept = len(list)
	}
	c.settled[key] = list
	return list
}

// start calls to with where a job that starts leads.
func (c *chained) start(at int32, class int, rate float64, to func(at int32, rate float64)) {
	rest := 1.0
	for _, s := range c.place.Starts(at, class) {
		to(s.To, rate*s.Rate)
		rest -= s.Rate
	}
	if rest > noTime { // a service that takes no time
		to(at, rate*rest)
	}
}

// nothing says that the head is not known not to fit anywhere.
const nothing = -1

// fill starts jobs from the head while they fit. The head is known not to have fitted in another
// configuration, or nothing; a job that comes to the head then is drawn. Equal states are joined
// after each job that starts whose class is known.
func (c *chained) fill(s State, refused int32, rate float64, to turn) {
	if s.known == 0 {
		c.drawHead(s, refused, rate, to)
		return
	}
	var now chain.Weighted[State, State]
	now.Add(s, s, rate)
	for len(now.States) > 0 {
		var next chain.Weighted[State, State]
		now.Each(func(s State, rate float64) {
			if s.known == 0 {
				c.drawHead(s, nothing, rate, to)
				return
			}
			k := c.known(s)[0]
			if !c.place.Fits(s.at, k) {
				to(s, rate)
				return
			}
			rest := State{s.phase, s.at, c.lines.tail(s.known), s.drawn}
			c.start(s.at, k, rate, func(at int32, rate float64) {
				rest.at = at
				next.Add(rest, rest, rate)
			})
		})
		now = next
	}
}

// drawHead is fill of a line without known jobs.
func (c *chained) drawHead(s State, refused int32, rate float64, to turn) {
	if s.drawn == 0 {
		to(s, rate)
		return
	}
	settle := func(at, waiting int32, rate float64) {
		for _, e := range c.settlements(at, waiting) {
			to(State{s.phase, e.at, 0, waiting - e.started}, rate*e.p)
		}
	}
	if refused == nothing {
		settle(s.at, s.drawn, rate)
		return
	}
	all, stays := c.blocked(refused), 0.0
	for k, p := range c.drawn {
		switch {
		case p == 0 || c.place.Fits(refused, k):
		case c.place.Fits(s.at, k):
			c.start(s.at, k, rate*p/all, func(at int32, rate float64) { settle(at, s.drawn-1, rate) })
		default:
			stays += p
		}
	}
	if stays > 0 {
		to(s, rate*stays/all)
	}
}
