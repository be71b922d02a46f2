package compiled

import (
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/policy"
)

// Seen is the queue as the policy sees it.
func (q *System) Seen(p policy.Policy) policy.System {
	x := policy.System{Servers: q.Servers, Classes: q.Known, Nodes: q.Nodes != nil, Owners: q.Owners, Fails: q.Failing != nil}
	x.Booked = x.Fails && len(q.Failing.Bookings) > 0
	switch {
	case x.Nodes:
		x.Servers, x.Units = q.Nodes.units()
		for _, k := range q.Nodes.Kinds {
			x.NodeCount += k.Count
		}
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
