package spec

import "github.com/mjqueue/mjq/mjq/arrival"

// Features is a set of what a queue may have that not every method and question serves. The rows of
// methods, questions and goals list them, and refusals follow from the rows.
type Features uint32

// The features.
const (
	Typed      Features = 1 << iota // units of several types of resources, or of one by name, in one pool
	TypedNodes                      // the same on nodes
	Picked                          // servers that are told apart: named by jobs, or drawn at random
	Mixed                           // servers named by one class, and any servers for another: see Spec.Monotone
	Printed                         // the recursion as the paper prints it
	Placed                          // jobs that must fit on nodes
	Ordered                         // another order than first come first served: see Spec.FirstCome
	Leveled                         // the same by levels of a priority
	Preempting                      // the same, which stops jobs
	Bounded                         // room for a number of jobs, which turns others away
	Impatient                       // jobs that give up
	Dropping                        // jobs that leave when the policy stops them
	Keeping                         // servers that are kept free of a class
	Recalling                       // a policy that decides by what users have had
	Sent                            // jobs that users send, each after the one before is done
	Looped                          // users who may have to wait before they think again
	Marked                          // arrivals that say of which class a job is
	Dependent                       // interarrival times that depend on those before
	Periodic                        // a rate of arrivals that changes over a period
	Batched                         // jobs that come several at once

	Every    Features = 1<<iota - 1                             // all of these
	Turning           = Bounded | Impatient | Sent              // jobs that may not be served: see Spec.Turns
	Unlike            = Typed | Picked                          // servers of one pool that are not alike
	Arriving          = Marked | Dependent | Periodic | Batched // what arrivals alone have
	Serving           = Ordered | Leveled | Preempting          // what the order alone has
)

// These features are not among Every: what does not name them in its row refuses them.
const (
	Failing     Features = 1 << (iota + 24) // servers that fail
	Reserving                               // servers that are reserved for a time, or spare
	Interrupted                             // servers whose failures only interrupt jobs: see Spec.Interrupts
	Sleeping                                // servers that go off while no job needs them

	Resizing // jobs that run on other numbers of servers than they need

	Away = Failing | Reserving | Interrupted
)

// Has reports whether the set has any of others.
func (f Features) Has(any Features) bool { return f&any != 0 }

// Features is the set of what the queue has.
func (s *Spec) Features() (f Features) {
	for _, x := range [...]struct {
		has bool
		is  Features
	}{
		{len(s.Resources) > 0 && !s.OnNodes(), Typed}, {len(s.Resources) > 0 && s.OnNodes(), TypedNodes}, {s.Identities(), Picked}, {!s.Monotone(), Mixed}, {s.AsPrinted, Printed},
		{s.OnNodes(), Placed}, {!s.FirstCome() && (!s.OnNodes() || !s.recurrent()), Ordered}, {s.Room != nil, Bounded},
		{s.Impatient(), Impatient}, {s.Policy != nil && s.Policy.Properties().Drops && !s.FirstCome(), Dropping}, {s.Keeps(), Keeping}, {s.HasUsers(), Sent}, {s.Loops(), Looped},
		{s.Policy != nil && s.Policy.Properties().Remembers && !s.FirstCome(), Recalling},
		{s.Sleep != nil, Sleeping}, {s.Fails() && !s.Interrupts(), Failing}, {s.Interrupts(), Interrupted}, {len(s.Reservations) > 0 || s.Spares > 0 && !s.Fails(), Reserving}, {s.Resizes(), Resizing},
	} {
		if x.has {
			f |= x.is
		}
	}
	if f.Has(Ordered) && s.Policy != nil {
		if len(s.Levels()) > 1 {
			f |= Leveled
		}
		if s.Policy.Properties().Preemptive {
			f |= Preempting
		}
	}
	if s.Arrivals == nil {
		return f
	}
	if arrival.ClassRates(s.Arrivals) != nil {
		f |= Marked
	}
	if _, renewal := s.Gap(); !renewal {
		f |= Dependent
	}
	if arrival.Together(s.Arrivals) {
		f |= Batched
	}
	if _, periodic := s.Arrivals.(arrival.Profile); periodic {
		f |= Periodic
	}
	return f
}
