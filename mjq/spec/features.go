package spec

import (
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
)

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

	Every     Features = 1<<iota - 1                             // all of these
	Turning            = Bounded | Impatient | Sent              // jobs that may not be served: see Spec.Turns
	Unlike             = Typed | Picked                          // servers of one pool that are not alike
	Arriving           = Marked | Dependent | Periodic | Batched // what arrivals alone have
	Serving            = Ordered | Leveled | Preempting          // what the order alone has
	Reordered          = Ordered | Placed                        // what recurrences of first come first served do not know: see Spec.FirstCome
)

// These features are not among Every: what does not name them in its row refuses them.
const (
	Failing     Features = 1 << (iota + 24) // servers that fail
	Reserving                               // servers that are reserved for a time, or spare
	Interrupted                             // servers whose failures only interrupt jobs: see Spec.Interrupts
	Sleeping                                // servers that go off while no job needs them

	Resizing // jobs that run on other numbers of servers than they need

	Away = Failing | Reserving | Interrupted
	All  = Every | Away | Sleeping | Resizing
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

// refusals say of features that somebody, #, does not serve what the queue has.
var refusals = []struct {
	of   Features
	text string
}{
	{Placed, "# is for servers that are one pool, and jobs here must fit on nodes"},
	{Ordered, "policy @: # takes first come first served only"},
	{Leveled, "policy @ has levels, and # knows none"},
	{Preempting, "policy @ stops jobs, and # lets each end that has started"},
	{Bounded | Impatient, "# is for queues that serve all jobs, and this one turns jobs away or lets them give up"},
	{Typed, "the queue has types of resources, and # knows identical servers only"},
	{TypedNodes, "units on nodes are of several types, and # knows one type only"},
	{Picked, "the queue has named servers or random assignment, and # does not tell servers apart"},
	{Mixed, "a class asks for servers by number and another for any: the workload is not monotone, so that windows, by which # draws, do not bound it from below"},
	{Printed, "the recursion as printed lets later jobs overtake, and # does not"},
	{Recalling, "policy @: the usage of the past decides, which # does not look at"},
	{Sent, "users send jobs as others are done, so that what comes depends on which are served, and # takes jobs that come whatever is served"},
	{Keeping, "servers are kept free of a class, and # keeps none"},
	{Marked, "arrivals ~ say of which class a job is: what a class meets depends on the state of the arrivals then, which # does not look at"},
	{Failing | Interrupted, "servers fail, and # takes servers that are always up"},
	{Sleeping, "servers sleep, and # takes servers that are always on"},
	{Reserving, "servers are reserved or spare, and # lets jobs have all of them at any time"},
	{Resizing, "some jobs change the number of their servers, and # has jobs hold what they need"},
	{Dependent, "arrivals ~: # draws gaps for copies of a path, which must not depend on those before"},
	{Batched, "arrivals ~ bring several jobs at once, and # takes them one by one"},
}

// implied are features that no queue has without another: it is enough to refuse that.
var implied = []struct{ is, by Features }{{Leveled | Preempting, Ordered}, {Batched, Dependent}}

// Refuse says why somebody who serves some features is not for a queue, each fault with the remedy:
// for one on nodes that alone.
func Refuse(f *check.Faults, s *Spec, serves Features, who string, remedy func() string) {
	lacks := s.Features() &^ serves
	for _, x := range implied {
		if lacks.Has(x.by) {
			lacks &^= x.is
		}
	}
	discipline, arrivals := "", ""
	if s.Policy != nil {
		discipline = s.Policy.String()
	}
	if s.Arrivals != nil {
		arrivals = s.ArrivalName()
	}
	words := strings.NewReplacer("#", who, "@", discipline, "~", arrivals)
	for _, r := range refusals {
		if !lacks.Has(r.of) || r.of == Recalling && lacks.Has(Ordered) {
			continue
		}
		if f.Add("%s; %s", words.Replace(r.text), remedy()); r.of == Placed {
			return
		}
	}
}
