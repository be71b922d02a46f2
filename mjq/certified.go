package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Certified draws independent samples each of which is an exact sample of the stationary
// queue except with probability at most Eps: coupling from the past between an empty queue
// and one that lies above the stationary one. The upper bound is a single-server queue of
// blocks of jobs. With phase-type services and up to some thousand states of service its tail
// is calculated, at any load; otherwise it is proved by simulation, and the chance that this
// proof errs is part of Eps (half of it, once for all samples). Unlike the rules of Backward,
// no window can stop too soon.
//
// Arrivals may depend on each other (MAP, MMPP, batches), but not mark classes; bursts make
// windows longer. It needs services with exponential moments (phase-type, deterministic and
// bounded laws; not Lomax, lognormal or Weibull). Where a bound has to be proved by
// simulation, some block of at most 131072 jobs must provably be served faster than it
// arrives, by at most some hundred million jobs; where that is out of reach, as it is next to
// the limit, the error says so; take Unbiased there.
//
// Cost: the windows are as long as the upper queue needs to come down, about 1.5 ln(1/Eps)/θ
// over the distance of the load to 1, and a quarter more, in steps of the recurrence; the
// bound takes up to some seconds before, and up to half a minute of one core where hundreds
// of jobs run side by side. Where a mean is all that is wanted, PathLength makes far more of
// each window.
type Certified struct {
	// Eps is the error probability of a sample; the default is 10^-6.
	Eps float64
	// Samples is how many; the default is 10,000.
	Samples int
	// PathLength has each sample go on for a number of jobs; see Unbiased.PathLength.
	PathLength int
	// Device is the processor; see Processor. The bound is found on the cores.
	Device Processor
}

func (x Certified) set(a *asked)        { a.by(x) }
func (x Certified) engine() *run.Method { return sampler.Certified }

// Dominated draws independent samples of exactly the stationary queue by dominated coupling
// from the past: Algorithms 1 to 3 of Golovin, "Exact sampling for heterogeneous multiserver
// job model", after Sigman's for the M/G/c queue. No window is chosen and no error is left.
//
// The dominating queue is the one in which every job takes all servers: M/G/1, whose
// workload, the same under processor sharing, can be drawn in equilibrium and run backwards.
// So it needs Poisson arrivals, a load λ E[σ] of that queue below 1 (and not only below the
// limit: small jobs that run beside each other push it above) and services of finite
// variance. The error says which of these fails; take Certified or Backward there.
//
// Cost: see Cost; it grows as (1-λ E[σ])^-2. Memory follows the longest sample.
// Run.MinWindow and Run.MaxWindow of the result are the fewest and the most jobs of a sample.
type Dominated struct {
	// Samples is how many; the default is 10,000.
	Samples int
}

func (x Dominated) set(a *asked)        { a.by(x) }
func (x Dominated) engine() *run.Method { return sampler.Dominated }

// Cost is the expected number of jobs a sample of the model, each simulated in both queues:
// with ρ = λ E[σ] it is ρ/(1-ρ) present at time 0 and λ times the mean time λ E[σ²]/(2(1-ρ)²)
// that the dominating queue takes from equilibrium to empty. +Inf where Dominated does not
// apply, NaN without arrivals, and for a model at a load before Model.Resolve.
func (x Dominated) Cost(m Model) float64 { return sampler.DominatedCost(m.spec()) }
