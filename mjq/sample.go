package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// SampleQuery asks for samples of the stationary queue. A method chooses how: Backward,
// Certified, Dominated, Unbiased or Forward; the other methods set what is to be drawn.
// It is a value: each call returns a changed copy.
//
// Without a choice it is Forward, unless a target (RelErr, HalfWidth) is all that was set
// beside seed, level, workers and progress: then Run takes, with settings that suit, the
// one of Forward with control variates and Certified from which the target is expected at
// the lower cost, and a note of the result says which. (Unbiased may be cheaper still, see
// Model.Methods, but has no distributions.) The choice depends on the queue and the target
// only, not on the machine, and costs a run of about a million jobs.
//
// A setting that the chosen method does not take is a fault of Run that names the
// methods which do. What is not set has the default of the method.
type SampleQuery struct {
	m      *Model
	method *method.Method
	free   bool // no method was chosen
	o      method.Options
}

// Sample begins a query for samples of the stationary queue.
func (m *Model) Sample() SampleQuery { return SampleQuery{m, method.Forward, true, method.Defaults()} }

// Backward samples by Algorithm 1 of Baccelli, Olliaro, Ajmone Marsan and Marin (SPS):
// each sample starts empty ever further in the past until doubling the window changes
// nothing. Samples are independent lower bounds of stationary ones.
//
// A batch of samples stops only when all of it agrees (AgreeTogether), as in the
// authors' program; that is what makes the remaining bias small. It shrinks further
// with a longer Window. It does not become small for services of infinite variance,
// where most doublings change nothing and the next may change all: a note of the result
// says so then, and Forward is to be preferred. The recurrence must be monotone, which
// it is not where classes ask for servers by number and others for any.
//
// Cost: about the window, twice, in steps of the recurrence for every sample.
//
// It takes N, Window, MaxWindow, AgreeTogether, RelErr, HalfWidth and Device.
func (q SampleQuery) Backward() SampleQuery { return q.by(method.Backward) }

// Certified draws independent samples each of which is an exact sample of the
// stationary queue except with probability at most eps, 10^-6 say: coupling from the
// past between an empty queue and one that lies above the stationary one. The upper
// bound is a single-server queue of blocks of jobs. With phase-type services and up to
// some thousand states of service its tail is calculated, at any load; otherwise it is
// proved by simulation, and the chance that this proof errs is part of eps (half of it,
// once for all samples). Unlike the rules of Backward, no window can stop too soon.
//
// Arrivals may depend on each other (MAP, MMPP, batches), but not mark classes; bursts make
// windows longer. It needs services with exponential moments (phase-type, deterministic and bounded
// laws; not Lomax, lognormal or Weibull). Where a bound has to be proved by simulation,
// some block of at most 131072 jobs must provably be served faster than it arrives, by at
// most some hundred million jobs; where that is out of reach, as it is next to the limit,
// Run returns an error that says so; take Unbiased there.
//
// Cost: the windows are as long as the upper queue needs to come down, about
// 1.5 ln(1/eps)/θ over the distance of the load to 1, and a quarter more, in steps of
// the recurrence; the bound takes up to some seconds before, and up to half a minute of one
// core where hundreds of jobs run side by side. Where a mean is all that
// is wanted, PathLength makes far more of each window.
//
// It takes N, PathLength, RelErr, HalfWidth and Device.
func (q SampleQuery) Certified(eps float64) SampleQuery {
	q.o.Eps = eps
	return q.by(method.Certified)
}

// Dominated draws independent samples of exactly the stationary queue by dominated
// coupling from the past: Algorithms 1 to 3 of Golovin, "Exact sampling for
// heterogeneous multiserver job model", after Sigman's for the M/G/c queue. No window
// is chosen and no error is left.
//
// The dominating queue is the one in which every job takes all servers: M/G/1, whose
// workload, the same under processor sharing, can be drawn in equilibrium and run
// backwards. So it needs Poisson arrivals, a load λ E[σ] of that queue below 1 (and not
// only below the limit: small jobs that run beside each other push it above) and
// services of finite variance. Run says which of these fails; take Certified or
// Backward there.
//
// Cost: see Cost; it grows as (1-λ E[σ])^-2. Memory follows the longest sample.
//
// It takes N, RelErr and HalfWidth. Run.MinWindow and Run.MaxWindow of the result are the
// fewest and the most jobs of a sample.
func (q SampleQuery) Dominated() SampleQuery { return q.by(method.Dominated) }

// Unbiased estimates means and variances of waiting times, and the waste through
// blocking, without any bias: by randomised truncation of Loynes' increasing sequence
// (Rhee and Glynn, Operations Research 63, 2015). Each sample takes a random number of
// doublings and weighs the differences by the inverse probability of getting that far,
// so that no window is ever too short.
//
// The price is variance, which the interval shows; a single sample can be large or
// negative. It is finite when windows couple fast enough, as they do well below the
// limit; very near it take the interval with care. Under services of heavy tails there
// is none where theory says that it could not hold. There is no distribution and there
// are no quantiles. Prefer Backward for quantiles and at moderate load; prefer Unbiased
// for means near the limit, where the bias of Backward is unknown. The recurrence must
// be monotone, as for Backward.
//
// Cost: about eight windows in steps of the recurrence for every sample.
//
// Under any other policy than FCFS, and with any arrivals, each sample simulates the queue
// from job 0 on, and once more from job 1 on, until both hold the same jobs with the same
// work left: the differences until then, added to what the jobs of a path show, make
// their mean that of the stationary queue (Glynn and Rhee 2014; Jacob, O'Leary and
// Atchadé 2020; METHODS.md). No warm-up has to be long enough. It gives means, variances,
// distributions, slowdowns, preemptions, kills and the waste, with plain intervals from
// independent samples. Where pairs do not meet, because the queue is unstable or nearly
// so, a note says it and nothing has an interval. A scheduler of your own that remembers
// more than the jobs in the system must say so by policy.Modal. Cost: about that of
// simulating as many jobs, and 64 trial pairs that choose Window and PathLength.
//
// It takes N, Window, PathLength, RelErr, HalfWidth and Device, and under other policies
// than FCFS, which a GPU does not run, SlowdownThreshold and InTime.
func (q SampleQuery) Unbiased() SampleQuery { return q.by(method.Unbiased) }

// Forward runs the recurrence forward from an empty system in independent replications
// and records every job after a warm-up (F-MJSRE in the paper). It is the cheapest way
// to a mean, above all with ControlVariates, but nothing in it shows whether the
// warm-up was long enough; near the limit it underestimates.
//
// Cost: one step a job. Memory does not grow with the number of jobs.
//
// It takes Jobs, WarmUp, Replications, ControlVariates, CloseControlVariates, RelErr,
// HalfWidth and Device.
func (q SampleQuery) Forward() SampleQuery { return q.by(method.Forward) }

// Rare estimates P(W > x), and P(W > x k/16) for k = 1 to 15, of every class and of all
// jobs, for an x so large that no run would see such a wait: down to 1e-9 and far below.
// They are in Waiting.Beyond, and Waiting.Survival(x) has the last. The work that a job
// meets is watched along forward runs, and where it rises above one of a row of thresholds
// the run goes on in four copies with jobs of their own, which count less for it (RESTART,
// Villén-Altamirano and Villén-Altamirano 1991). Trial runs choose the thresholds, which
// changes the width of the intervals and nothing else. Intervals come from independent
// replications; where what came beyond x is worth fewer than 100 independent rises there is
// none, but a note that says how many. Nor is there where the tail of a service falls hardly
// faster than that of the wait, so that single long services make it.
//
// It is for identical servers, independent gaps between arrivals and services with
// exponential moments: elsewhere one long service makes a long wait, and not many steps.
//
// Cost: about ln(1/P)/1.4 times that of a forward run with as many jobs. For the
// same relative error a factor of ten in P costs about half as much again.
//
// It takes Jobs, WarmUp, Replications and RelErr, which is about P(W > x) of all jobs.
func (q SampleQuery) Rare(x float64) SampleQuery {
	q.o.SetReal(method.Beyond, x)
	return q.by(method.Rare)
}

func (q SampleQuery) by(m *method.Method) SampleQuery {
	q.method, q.free = m, false
	return q
}

// Cost is the expected number of jobs a sample of Dominated, each simulated in both
// queues: with ρ = λ E[σ] it is ρ/(1-ρ) present at time 0 and λ times the mean time
// λ E[σ²]/(2(1-ρ)²) that the dominating queue takes from equilibrium to empty. +Inf
// where Dominated does not apply, NaN without arrivals, and for a model at a load
// before Model.Resolve.
func (q SampleQuery) Cost() float64 { return method.DominatedCost(q.m.p.Spec) }

// Run draws the samples. When ctx ends it returns those completed, with the intervals
// that they allow, along with the error of the context. It fails, naming all faults, on
// settings that make no sense or that the method does not take, and on models that the
// method is not for.
func (q SampleQuery) Run(ctx context.Context) (*result.Result, error) {
	run := q.method.Run
	if q.free {
		run = method.RunChosen
	}
	r, err := run(ctx, q.m.p, q.o)
	return r, prefixed(err)
}
