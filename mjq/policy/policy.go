// Package policy holds scheduling policies of the multiserver-job queue as plain values. Use it
// to write a policy of your own or to read the properties of one; package mjq has a function
// for each. A policy has a name, conditions on the system, properties, and a pass, which
// decides which jobs start and stop. An engine shows the pass a [View] of its queue and carries
// out the decisions.
//
// All policies share these rules.
//
//   - At one instant come all completions, then all arrivals in order of input, then
//     one pass. Services of length zero repeat the three.
//   - The queue is in order of arrival; jobs that arrive at one instant are in order
//     of input. A preempted job keeps its place.
//   - Needs decide, not classes: classes of equal need are one kind of job, and jobs
//     of a kind are served in order of arrival. The exceptions say so: Backfill, which
//     may prefer a shorter job of the kind, the SRPT forms, and [Priority], under which
//     a kind is a level and a need.
//   - Preemption is preemptive-resume: no work is lost and nothing is paid. [Priority]
//     also has other forms.
//
// Where jobs need units of several types of resources, or lie on nodes, a pass follows the same
// rules: a job fits if [View.Fits] says so. [Properties] says which policies carry over.
//
// A policy of one's own is [New] with a function, or any type with the methods of
// [Policy].
package policy

// Policy is a scheduling policy: an immutable value that goroutines may share. The
// zero value of every policy of this package is valid or says what it lacks.
type Policy interface {
	// String is the name with its parameters, such as "Window(4)".
	String() string
	// Properties returns the properties of the policy.
	Properties() Properties
	// Validate returns what keeps the policy from serving the system, all faults at once, each
	// with its remedy. The function Validate has checked before that every class fits.
	Validate(s System) error
	// Scheduler returns the state of the policy in one run of a system that has passed Validate.
	Scheduler(s System) Scheduler
}

// Properties holds the properties of a policy, and so which methods can answer for it.
type Properties struct {
	// Preemptive: running jobs may be stopped, to be resumed later. Their waiting
	// time is their response time less their service.
	Preemptive bool
	// Recurrence: starts follow from earlier jobs alone by the workload recurrence of
	// Baccelli, Olliaro, Ajmone Marsan and Marin, equation (2).
	Recurrence bool
	// Monotone: a longer service or an earlier arrival makes no job start earlier.
	Monotone bool
	// Saturated: with a queue that never empties a finite Markov chain describes the
	// jobs looked at, so that the greatest arrival rate can be computed.
	Saturated bool
	// Estimates: the pass looks at estimates of services; see Estimates.
	Estimates bool
	// Reservations is how many reservations a pass makes at most; All is one for every job
	// that waits.
	Reservations int
	// Given: these estimates must come with the jobs, as they do in a log.
	Given bool
	// Sizes: the pass knows how long services really are.
	Sizes bool
	// Loses: service of preempted jobs may be lost or added, so that servers may be busy
	// for longer or shorter than the services say.
	Loses bool
	// Remembers: it decides by what users have had in the past, which the jobs in the system do not tell.
	Remembers bool
	// Owned: it tells jobs by their owners, see [System.Owners].
	Owned bool
	// Drops: jobs that it stops may leave, so that not all jobs are served.
	Drops bool
	// Packs: where all jobs need the same, none waits while it would fit, so that the queue
	// is one of single servers. FCFS, which has solvers of its own, does not say so.
	Packs bool
	// InOrder: where all jobs are of one kind, the policy is first come first served. They
	// start in order of arrival, as soon as there is a place, and run to their end. FCFS, which
	// is so with all needs, does not say it.
	InOrder bool
	// Fills: where every need divides the next larger one and the largest the number of servers,
	// no server is idle for long while enough jobs wait to fill them.
	Fills bool
	// Optimal: it is stable whenever any policy is.
	Optimal bool
	// Passes: a job may start although one of a higher level waits, and delay it.
	Passes bool
	// ShortFirst: however long the queue is, a job that is short enough runs at once.
	ShortFirst bool
	// Interchangeable: nodes with the same jobs are the same to the pass, which asks only what fits.
	Interchangeable bool
	// Order is the order in which a pass serves jobs, if it follows from the numbers of jobs. Look is
	// the parameter of some orders.
	Order Order
	Look  int
	// Reserved: it plans with servers that are reserved at times; see [System.Booked].
	Reserved bool
	// Types and Nodes say whether the definition carries over to units of several types of
	// resources and to jobs on nodes.
	Types, Nodes Scope
}

// Order names the orders in which a pass may serve jobs, for solvers of the chains of numbers of jobs.
type Order string

// The orders. Those that a pass is Preemptive for choose among all jobs, the others among those that
// wait.
const (
	WindowOrder   Order = "window"   // of the first Look jobs the largest that fits
	FrontOrder    Order = "front"    // of the shortest prefix that needs all servers, the largest that fits
	LargestOrder  Order = "largest"  // the largest that fits
	SmallestOrder Order = "smallest" // the smallest, if it fits
	ArrivalOrder  Order = "arrival"  // the earliest that fits
	WeightOrder   Order = "weight"   // the set that MaxWeight serves
	SwapOrder     Order = "swap"     // that of Quickswap with Look as its threshold
	ArmedOrder    Order = "armed"    // that of ArmedQuickswap with Look as its threshold
	AdaptiveOrder Order = "adaptive" // that of AdaptiveQuickswap
)

// Scope is [Served], or else why a policy does not serve a system. It is "" if the policy does not
// say why.
type Scope string

// Served is the Scope of a policy whose definition carries over.
const Served Scope = "served"

// Scheduler is a policy in one run. It belongs to one goroutine.
type Scheduler interface {
	// Pass decides what starts now, and for a preemptive policy what stops, once all
	// completions and arrivals of the instant are known.
	Pass(v *View)
}

// Arriver is a Scheduler that is told of every arrival, in order and before the pass.
type Arriver interface {
	Arrived(v *View, j *Job)
}

// Simpler is a Policy that may come to another one in a system, of which more is known. Simpler returns
// that, or the policy itself.
type Simpler interface {
	Policy
	Simpler(s System) Policy
}

// Header is a Scheduler whose queue is in another order than that of level and arrival. Head is the
// kind of the job at its head, of a queue that is not empty.
type Header interface {
	Head(v *View) (kind int)
}

// Leaver is a Scheduler that is told of every completion, before the pass.
type Leaver interface {
	Left(v *View, j *Job)
}

// Clocked is a Scheduler that also decides at times of its own. They follow from numbers in [0,
// 1) that it draws from the engine, which are independent and the same in every run with the
// same randomness.
type Clocked interface {
	// Begin is called once, at time 0.
	Begin(draw func() float64)
	// Next is when the clock strikes next; +Inf if never again.
	Next() float64
	// Strike is called then, before the pass of that instant.
	Strike(draw func() float64)
}

// Shifter is a Scheduler that keeps times. An engine may move the origin of time in
// a long run: then all times become less by the same amount.
type Shifter interface {
	Shift(by float64)
}

// Estimator is a Policy whose jobs come with estimates of their services.
type Estimator interface {
	// Limits is the rule of the estimates, and whether a job is killed once it has
	// run so long.
	Limits() (rule Estimates, kill bool)
}
