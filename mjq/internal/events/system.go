package events

import "github.com/mjqueue/mjq/mjq/policy"

// System is a queue as the engine has it: what serves, what each class needs, who is let in
// and who gives up. The jobs themselves come from elsewhere.
type System struct {
	Servers, Classes int
	Policy           policy.Policy // validated for the classes; nil: FCFS
	Needs            []int         // servers by class; without a policy, jobs may need any number
	Types            *Types        // of resources; nil: servers are alike
	Nodes            *Nodes        // on which the units lie; nil: anywhere
	Room             *Room         // nil: any number of jobs may wait
	Patience         []Sampler     // by class, nil for those that never give up; nil if nobody does
	AlsoPreempted    bool          // jobs that are stopped give up too
}

// New is an empty system. Users, and servers that are kept free, are for a Plan alone.
func (q System) New() *Simulator {
	p := q.Policy
	if p == nil {
		p = policy.FCFS{}
	}
	s := emptySimulator(p)
	switch {
	case q.Nodes != nil:
		s.place(q.Nodes)
	case q.Types != nil:
		s.typed(q.Types)
	default:
		s.pool(q.Servers, q.Needs)
		s.adds = q.Policy == nil
	}
	s.room, s.laws, s.stopped = q.Room, q.Patience, q.AlsoPreempted
	return s
}

// turns reports whether some jobs may not be served.
func (q *System) turns() bool { return q.Room != nil || q.Patience != nil }
