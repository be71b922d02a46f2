package problem

import (
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/spec"
)

// refusals say of features that somebody, #, does not serve what the queue has.
var refusals = []struct {
	of   spec.Features
	text string
}{
	{spec.Placed, "# is for servers that are one pool, and jobs here must fit on nodes"},
	{spec.Ordered, "policy @: # takes first come first served only"},
	{spec.Leveled, "policy @ has levels, and # knows none"},
	{spec.Preempting, "policy @ stops jobs, and # lets each end that has started"},
	{spec.Bounded | spec.Impatient, "# is for queues that serve all jobs, and this one turns jobs away or lets them give up"},
	{spec.Typed, "the queue has types of resources, and # knows identical servers only"},
	{spec.TypedNodes, "units on nodes are of several types, and # knows one type only"},
	{spec.Picked, "the queue has named servers or random assignment, and # does not tell servers apart"},
	{spec.Mixed, "a class asks for servers by number and another for any: the workload is not monotone, so that windows, by which # draws, do not bound it from below"},
	{spec.Printed, "the recursion as printed lets later jobs overtake, and # does not"},
	{spec.Recalling, "policy @: the usage of the past decides, which # does not look at"},
	{spec.Sent, "users send jobs as others are done, so that what comes depends on which are served, and # takes jobs that come whatever is served"},
	{spec.Keeping, "servers are kept free of a class, and # keeps none"},
	{spec.Marked, "arrivals ~ say of which class a job is: what a class meets depends on the state of the arrivals then, which # does not look at"},
	{spec.Failing | spec.Interrupted, "servers fail, and # takes servers that are always up"},
	{spec.Sleeping, "servers sleep, and # takes servers that are always on"},
	{spec.Reserving, "servers are reserved or spare, and # lets jobs have all of them at any time"},
	{spec.Resizing, "some jobs change the number of their servers, and # has jobs hold what they need"},
	{spec.Dependent, "arrivals ~: # draws gaps for copies of a path, which must not depend on those before"},
	{spec.Batched, "arrivals ~ bring several jobs at once, and # takes them one by one"},
}

// implied are features that no queue has without another: it is enough to refuse that.
var implied = []struct{ is, by spec.Features }{{spec.Leveled | spec.Preempting, spec.Ordered}, {spec.Batched, spec.Dependent}}

// Refuse says why somebody who serves some features is not for a queue, each fault with the remedy:
// for one on nodes that alone.
func Refuse(f *check.Faults, s *spec.Spec, serves spec.Features, who string, remedy func() string) {
	lacks := s.Features() &^ serves
	for _, x := range implied {
		if lacks.Has(x.by) {
			lacks &^= x.is
		}
	}
	policy, arrivals := "", ""
	if s.Policy != nil {
		policy = s.Policy.String()
	}
	if s.Arrivals != nil {
		arrivals = s.ArrivalName()
	}
	words := strings.NewReplacer("#", who, "@", policy, "~", arrivals)
	for _, r := range refusals {
		if !lacks.Has(r.of) || r.of == spec.Recalling && lacks.Has(spec.Ordered) {
			continue
		}
		if f.Add("%s; %s", words.Replace(r.text), remedy()); r.of == spec.Placed {
			return
		}
	}
}
