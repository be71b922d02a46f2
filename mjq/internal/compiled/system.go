// Package compiled has a queue as it is computed with: compiled once from its description, and
// read by the samplers, by the event engine and by the exact solvers.
package compiled

import (
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// System is a queue: what serves, what each class needs, who is let in and who gives up, and the
// jobs. The samplers of first come, first served read neither the policy nor what decides who is
// served. A replay has jobs of its own.
type System struct {
	Servers, Classes int
	Needs            []int           // servers by class; without a policy, jobs may need any number
	Probs            []float64       // by class, of any job; their sum is 1
	Open             []float64       // by class, of a job whose class the arrivals leave open; solvers alone read it
	Arrivals         arrival.Process // nil if none are given, or nobody but the stream of jobs knows them
	Rate             float64         // of the jobs that no user sends; NaN if it is not known
	Input            *stream.Source  // the jobs
	Policy           policy.Policy   // validated for the classes; nil: FCFS
	Known            []policy.Class  // what the policy may know of the classes; nil: what they need, by the names 0, 1, ...
	Owners           []policy.Owner  // of the jobs of a log; nil: each class is one
	Types            *Types          // of resources; nil: servers are alike
	Picks            []Pick          // by class, of servers with identities; nil: servers have none
	Ordered          bool            // servers drawn at random are positions of the ordered vector, which has the same law and is monotone; no class may then name servers
	AsPrinted        bool            // jobs lift only what they take, as the paper prints its recursions
	Nodes            *Nodes          // on which the units lie; nil: anywhere
	Room             *Room           // nil: any number of jobs may wait
	Patience         []law.Law       // by class, nil for those that never give up; nil if nobody does
	AlsoPreempted    bool            // jobs that are stopped give up too
	Sleep            *Sleep          // nil: servers are always on
	Users            []Users         // who send the jobs of some classes
	Alone            bool            // there are no jobs but those of users
	Failing          *Failing        // nil: servers never fail
	Elastic          *Elastic        // nil: jobs hold what they need
}

// Types are units of several types of resources, and what each class needs of them.
type Types struct {
	Units []int   // by type
	Needs [][]int // by class and type
}

// Pick is what a class asks of servers with identities.
type Pick struct {
	Any    int     // servers, whichever
	Random int     // drawn at random; with Named none
	Named  []int32 // these, numbered from 0
}

// Sampler draws a time from words, as laws do.
type Sampler interface {
	Sample(rng rand.Source) float64
}

// Sleep says how servers go off that no job needs.
type Sleep struct {
	After law.Law // nil: at once
	Setup law.Law
	Awake int // servers that never sleep
}

// Users send the jobs of a class, one each at most, in place of the arrivals.
type Users struct {
	Class, Number, Need int
	Think, Service      law.Law
}

// Room is how many jobs may wait, and what else decides who is let in.
type Room struct {
	Jobs int
	Keep []int // by class, servers that must stay free once a job has started
}

// Turns reports whether some jobs may not be served, or users send them.
func (q *System) Turns() bool { return q.Room != nil || q.Patience != nil || len(q.Users) > 0 }

// LosesWork reports whether some work may be done for nothing, or not at all: jobs may not be served, or are
// hit by failures.
func (q *System) LosesWork() bool { return q.Turns() || q.Failing != nil }

// Loops reports whether users may have to wait before they think again.
func (q *System) Loops() bool { return len(q.Users) > 0 && (q.Room == nil || q.Room.Jobs > 0) }

// Alike reports whether recurrences take all servers for alike: without types and identities, and
// on nodes, which they do not know.
func (q *System) Alike() bool { return q.Nodes != nil || q.Types == nil && q.Picks == nil }

// OfTypes is how many types of resources have a waste of their own in recurrences.
func (q *System) OfTypes() int {
	if q.Alike() || q.Types == nil {
		return 0
	}
	return len(q.Types.Units)
}
