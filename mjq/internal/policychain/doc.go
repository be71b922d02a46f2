// Package policychain solves multiserver-job queues under scheduling policies, with
// Poisson or Markovian arrivals and phase-type services, by deferred revelation: the class of a
// job is drawn when the policy first looks at the job. Classes that no decision has
// depended on are independent of all that has happened, so that of the jobs behind
// those looked at only the number belongs into the state.
//
// Where the policy looks at a bounded number of jobs (Window, ServerFilling) the chain
// is a quasi-birth-and-death process in the number of jobs, solved by matrix-analytic
// methods, and its limit of stability is the throughput of a finite chain.
// The others (MostServersFirst, LeastServersFirst, the preemptive forms, MaxWeight, the
// quickswaps, and FirstFit for two needs) have several unbounded counts. Their chains
// are cut at a number of jobs, which grows until the answers no longer move; that they are
// close to those of the chain without end is then proved by a Lyapunov function, if one is
// found.
//
// Markovian arrivals add their phase to the state. The jobs of a batch come one by one
// while the clock stands still, so that the number of jobs keeps moving by single steps;
// means are those over the time in which it runs. Jobs whose class the arrivals mark must
// be looked at when they come, or their classes would depend on the phases.
//
// Needs decide, not classes: jobs of one need are one kind, served in order of
// arrival, whose service is the mixture of those of its classes.
package policychain
