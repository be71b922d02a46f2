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
// Where jobs need units of several types of resources, the policies that are [Typed] serve
// them, by the same rules.
//
// A policy of one's own is [New] with a function, or any type with the methods of
// [Policy].
package policy

import (
	"errors"
	"fmt"
)

// Policy is a scheduling policy: an immutable value that goroutines may share. The
// zero value of every policy of this package is valid or says what it lacks.
type Policy interface {
	// String is the name with its parameters, such as "Window(4)".
	String() string
	// Properties returns the properties of the policy.
	Properties() Properties
	// Validate says what keeps the policy from serving such classes, all faults at
	// once, each with its remedy.
	Validate(servers int, classes []Class) error
	// Scheduler is the state of the policy in one run: servers of which jobs ask for
	// the given needs, distinct and increasing. The arguments have passed Validate.
	Scheduler(servers int, needs []int) Scheduler
}

// Class is what Validate must know of a class of jobs.
type Class struct {
	Name string
	Need int // servers
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
	// Drops: jobs that it stops may leave, so that not all jobs are served.
	Drops bool
	// Packs: where all jobs need the same, none waits while it would fit, so that the queue
	// is one of single servers. FCFS, which has solvers of its own, does not say so.
	Packs bool
	// InOrder: where all jobs need the same, the policy is first come first served. They
	// start in order of arrival, as soon as there is a place, and run to their end. FCFS, which
	// is so with all needs, does not say it.
	InOrder bool
}

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

// fits says which classes need more servers than there are, or none.
func fits(p Policy, servers int, classes []Class) error {
	var faults []error
	for _, c := range classes {
		if c.Need < 1 || c.Need > servers {
			faults = append(faults, fmt.Errorf("policy %s: class %q needs %d servers of %d; give it a need from 1 to %d", p, c.Name, c.Need, servers, servers))
		}
	}
	return errors.Join(faults...)
}
