package events

import (
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/policy"
)

// New is an empty system. Servers that are kept free are for a Plan alone.
func New(q compiled.System) *Simulator {
	p := q.Policy
	if p == nil {
		p = policy.FCFS{}
	}
	s := emptySimulator(p, q.Seen(p))
	_, leveled := p.(policy.Leveled)
	switch {
	case q.Nodes != nil:
		s.place(q.Nodes)
	case q.Types == nil && !leveled && s.stopper == nil:
		s.byNeed()
		s.adds = q.Policy == nil
	}
	if q.Types != nil || q.Nodes != nil && q.Nodes.Typed {
		units := len(s.sees.Units)
		s.types = &types{idle: make([]float64, units), wasted: make([]float64, units)}
	}
	s.room, s.laws, s.stopped = q.Room, patiences(q.Patience), q.AlsoPreempted
	if q.Sleep != nil {
		s.sleep = newSleeping(q.Sleep)
	}
	if len(q.Users) > 0 {
		s.senders, s.alone = newUsers(q.Users), q.Alone
	}
	if q.Elastic != nil {
		s.stretch = &stretching{Elastic: q.Elastic}
	}
	if q.Failing != nil {
		s.fail(q.Failing)
	}
	if s.stretch != nil && s.failing != nil {
		s.endure = &enduring{}
	}
	return s
}
