package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Forward runs the recurrence forward from an empty system in independent replications, and
// records every job after a warm-up. It is the cheapest way to a mean, above all with Controls.
// Nothing in the result shows whether the warm-up was long enough; near the limit Forward
// underestimates.
//
// Cost: one step a job. Memory does not grow with the number of jobs.
//
// Source: F-MJSRE of Baccelli, Olliaro, Ajmone Marsan and Marin.
type Forward struct {
	// Jobs is the number of recorded jobs per replication. The default is a hundred times the
	// relaxation time, 2 (c_a² + c_w²)/(1-load)² jobs, with the squared coefficients of
	// variation of interarrival times and of the work of a job. It is at least a million and at
	// most ten million; typed resources and named servers have a million. A note says if a
	// replication is shorter than ten relaxation times; below three it has no intervals.
	Jobs int
	// WarmUp is the number of jobs left out at the start of each replication; the default is a
	// fifth of Jobs, and None leaves out none.
	WarmUp int
	// Replications is the number of independent replications, from which the intervals come;
	// the default is 32.
	Replications int
	// Controls are the control variates of means and variances; the default is none. Example:
	// Forward{Controls: CloseControls}.
	Controls Controls
	// Device is the processor; see Processor.
	Device Processor
}

func (x Forward) set(a *asked)       { a.by(x) }
func (x Forward) engine() run.Method { return sampler.Forward(x) }

// Controls names a set of control variates: quantities of the run with a known expectation,
// which remove noise from means and variances. They are sums of interarrival times and work,
// and of the same times the fullness of the queue. The nearer the limit, the narrower the
// intervals become; Run.VarianceReduction is the factor. If a few large jobs cause most
// waiting, the controls are fewer and stand in fixed proportions; with correlated arrivals and
// on a GPU there are then none. Estimates with controls are not the averages over the same jobs
// without them. Samples with a PathLength always use them. See
// site/docs/methods/control-variates.md.
type Controls = problem.Controls

const (
	// PlainControls observes the queue every 32 jobs.
	PlainControls Controls = problem.PlainControls
	// CloseControls uses a larger set of control variates than PlainControls: it observes the
	// queue every 8 jobs and adds squares of the input. Each job costs about 1.5 times as much,
	// and means often need far fewer jobs. It does not narrow quantiles. If a few rare classes
	// cause nearly all waits, it also uses the exact queue of these classes alone. On a GPU,
	// with typed resources, and without exponential moments it is the same as PlainControls.
	CloseControls Controls = problem.CloseControls
)

// RareEvent estimates P(W > Wait), and P(W > Wait k/16) for k = 1 to 15, of every class and of
// all jobs, down to 1e-9 and far below. They are in Waiting.TailProbability;
// Waiting.Survival(Wait) has the last.
//
// It splits forward runs where the work that a job meets rises above a threshold. With fewer
// than 100 independent excursions, or if the tail of a service time falls about as slowly as
// that of the wait, there is a note in place of an interval. It is for identical servers,
// independent interarrival times and service times with exponential moments.
//
// Cost: about ln(1/P)/1.4 times that of a forward run with as many jobs.
//
// Source: RESTART, Villén-Altamirano and Villén-Altamirano 1991. See
// site/docs/methods/heavy-tails.md.
type RareEvent struct {
	// Wait is the waiting time x of P(W > x), in the unit of time of the model. It must be
	// given.
	Wait float64
	// Jobs is the number of recorded jobs a replication; the default is as many as the queue
	// needs to forget its state, and to come down from such a wait, many times over.
	Jobs int
	// WarmUp is the number of jobs left out at the start of each replication; the default is a
	// fifth of Jobs, and None leaves out none.
	WarmUp int
	// Replications is the number of independent replications; the default is 32.
	Replications int
}

func (x RareEvent) set(a *asked)       { a.by(x) }
func (x RareEvent) engine() run.Method { return sampler.RareEvent(x) }
