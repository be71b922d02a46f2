package events

import (
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/policy"
)

// System is a queue as the engine has it: what serves, what each class needs, who is let in
// and who gives up. The jobs themselves come from elsewhere.
type System struct {
	Servers, Classes int
	Policy           policy.Policy  // validated for the classes; nil: FCFS
	Needs            []int          // servers by class; without a policy, jobs may need any number
	Known            []policy.Class // what the policy may know of the classes; nil: what they need, by the names 0, 1, ...
	Types            *Types         // of resources; nil: servers are alike
	Nodes            *Nodes         // on which the units lie; nil: anywhere
	Room             *Room          // nil: any number of jobs may wait
	Patience         []Sampler      // by class, nil for those that never give up; nil if nobody does
	AlsoPreempted    bool           // jobs that are stopped give up too
}

// New is an empty system. Users, and servers that are kept free, are for a Plan alone.
func (q System) New() *Simulator {
	p := q.Policy
	if p == nil {
		p = policy.FCFS{}
	}
	s := emptySimulator(p, q.seen(p))
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
	s.room, s.laws, s.stopped = q.Room, q.Patience, q.AlsoPreempted
	return s
}

// seen is the queue as the policy sees it.
func (q *System) seen(p policy.Policy) policy.System {
	x := policy.System{Servers: q.Servers, Classes: q.Known, Nodes: q.Nodes != nil}
	switch {
	case x.Nodes:
		x.Servers, x.Units = q.Nodes.units()
	case q.Types != nil:
		x.Servers, x.Units = sum(q.Types.Units), q.Types.Units
	}
	if x.Classes == nil {
		x.Classes = q.needed()
	}
	return x.For(p)
}

// needed are the classes, of which nothing is known but their needs.
func (q *System) needed() (classes []policy.Class) {
	switch {
	case q.Nodes != nil:
		for _, span := range q.Nodes.Spans {
			units := slices.Clone(span.Each)
			for j := range units {
				units[j] *= max(1, span.Nodes)
			}
			classes = append(classes, policy.Class{Need: sum(units), Units: units, Nodes: span.Nodes})
		}
	case q.Types != nil:
		for _, units := range q.Types.Needs {
			classes = append(classes, policy.Class{Need: sum(units), Units: units})
		}
	default:
		for _, need := range q.Needs {
			classes = append(classes, policy.Class{Need: need})
		}
	}
	for i := range classes {
		classes[i].Name = strconv.Itoa(i)
	}
	return classes
}

// units are those of all nodes, and by type of resource where averages of types are wanted.
func (n *Nodes) units() (all int, byType []int) {
	byType = make([]int, len(n.Kinds[0].Units))
	for _, k := range n.Kinds {
		for j, units := range k.Units {
			byType[j] += k.Count * units
		}
	}
	all = sum(byType)
	if !n.Typed {
		byType = nil
	}
	return all, byType
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

// turns reports whether some jobs may not be served.
func (q *System) turns() bool { return q.Room != nil || q.Patience != nil }
