package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Forward runs the recurrence forward from an empty system in independent replications and
// records every job after a warm-up (F-MJSRE in the paper of Baccelli, Olliaro, Ajmone Marsan
// and Marin). It is the cheapest way to a mean, above all with Controls, but nothing in it
// shows whether the warm-up was long enough; near the limit it underestimates.
//
// Cost: one step a job. Memory does not grow with the number of jobs.
type Forward struct {
	// Jobs is the number of recorded jobs a replication. The default is a hundred times as many
	// as the queue needs to forget its state, 2 (c_a² + c_w²)/(1-load)² with the squared
	// coefficients of variation of the time between arrivals and of the work of a job, but at
	// least a million and at most ten million; other queues than the plain one have a million.
	// A note says when a replication is short against that; below three times that number it
	// has no intervals.
	Jobs int
	// WarmUp is the number of jobs left out at the start of each replication; the default is a
	// fifth of Jobs, and None leaves out none.
	WarmUp int
	// Replications is the number of independent replications, from which the intervals come;
	// the default is 32.
	Replications int
	// Controls has means and variances use what is known of the jobs that came.
	Controls Controls
	// Device is the processor; see Processor.
	Device Processor
}

func (x Forward) set(a *asked)        { a.by(x) }
func (x Forward) engine() *run.Method { return sampler.Forward }

// Controls are control variates: means and variances use what is known of the jobs that came.
// That more or less work than expected arrived, and how full the queue was then, explains
// much of the spread of the replications. The nearer the limit, the more it narrows the
// intervals; Run.VarianceReduction says by how much. Where a few large jobs make most of the
// waiting, the controls are fewer and stand in fixed proportions, so that the intervals hold;
// there are none then with arrivals that depend on each other and on a GPU. The estimates are
// then not the averages over the jobs that the same seed gives without it. Samples with a
// PathLength always do this; site/docs/methods/control-variates.md explains it.
type Controls string

const (
	// PlainControls look at the queue every 32 jobs.
	PlainControls Controls = "plain"
	// CloseControls look at the queue every 8 jobs, and have the squares of what single jobs
	// bring and the change of the queue from the start of a run to its end among them. They cost
	// half as much again a job and need fewer jobs, of some queues by a factor of hundreds.
	// Where a few rare classes make nearly all of the waits, as in Google Borg's cell B, the
	// queue of these alone, with Poisson arrivals and phase-type services, is solved beforehand,
	// and its waits on the same jobs are controls, too: of some queues that saves another factor
	// of a thousand. On a GPU, with types of resources, and where some services have no
	// exponential moments, they are the same as PlainControls.
	CloseControls Controls = "close"
)

// RareEvent estimates P(W > Wait), and P(W > Wait k/16) for k = 1 to 15, of every class and
// of all jobs, for a time so long that no run would see such a wait: down to 1e-9 and far
// below. They are in Waiting.TailProbability, and Waiting.Survival(Wait) has the last. The
// work that a job meets is watched along forward runs, and where it rises above one of a row
// of thresholds the run goes on in four copies with jobs of their own, which count less for it
// (RESTART, Villén-Altamirano and Villén-Altamirano 1991). Trial runs choose the thresholds,
// which changes the width of the intervals and nothing else. Intervals come from independent
// replications; where what came beyond is worth fewer than 100 independent rises there is
// none, but a note that says how many. Nor is there where the tail of a service falls hardly
// faster than that of the wait, so that single long services make it.
//
// It is for identical servers, independent gaps between arrivals and services with
// exponential moments: elsewhere one long service makes a long wait, and not many steps.
//
// Cost: about ln(1/P)/1.4 times that of a forward run with as many jobs. For the same relative
// error a factor of ten in P costs about half as much again.
type RareEvent struct {
	// Wait is the time; it must be given.
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

func (x RareEvent) set(a *asked)        { a.by(x) }
func (x RareEvent) engine() *run.Method { return sampler.RareEvent }
