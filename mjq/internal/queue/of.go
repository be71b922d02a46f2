package queue

import (
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
)

// Of is a queue whose services are of phase type on one pool of servers. Without a room it has one so
// large that those who give up leave the rest of it empty. With the line in order classes give up at
// rates of their own, else all at one.
func Of(q *compiled.System, ordered bool) *System {
	x := &System{Servers: q.Servers, Rate: q.Rate, Ordered: ordered, Arrives: states.ArrivalsOf(q)}
	rates, _ := states.Leaving(q)
	for i := range q.Known {
		var k Class
		k.Class, _ = states.ClassOf(q, i)
		k.Prob = q.Open[i]
		if ordered {
			k.Leave = rates[i]
		}
		if q.Room != nil && q.Room.Keep != nil {
			k.Keep = q.Room.Keep[i]
		}
		x.Classes = append(x.Classes, k)
	}
	for _, u := range q.Users {
		k := &x.Classes[u.Class]
		k.Users, k.Prob = u.Number, 0
		k.Think, _ = law.MemorylessRate(u.Think)
	}
	if !ordered {
		x.Leave, _ = states.OneLeave(q)
	}
	switch {
	case q.Room != nil:
		x.Room = q.Room.Jobs
	case x.Leave > 0:
		x.Room = Cut(x.most(), x.Leave)
	}
	return x
}

// most is the largest rate of jobs in any phase of the arrivals.
func (s *System) most() (most float64) {
	if s.Arrives == nil {
		return s.Rate
	}
	for i := range s.Arrives.D0 {
		rate := 0.0
		for _, e := range s.Arrives.Events {
			for _, v := range e.Rates[i] {
				rate += v * float64(e.Size)
			}
		}
		most = max(most, rate)
	}
	return most
}
