package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Certified draws independent samples that are exact except with probability at most Eps each.
// It couples an empty queue with one that lies above the stationary queue, so no window can stop
// too soon.
//
// It needs service times with exponential moments: phase-type, deterministic or bounded; not
// Lomax, lognormal or Weibull. Arrivals may be correlated (MAP, MMPP, batches), but must not
// decide classes. The tail of the upper queue is calculated for phase-type service times with up
// to some thousand states, and else proved by simulation, at half of Eps; near the limit that
// fails, and the error says so. Use Unbiased there. Where failures interrupt jobs, the time for
// which they hold servers needs these moments: under Restart no unbounded work has them.
//
// Cost: a window takes about 1.5 ln(1/Eps)/θ steps, divided by the distance of the load to 1,
// and a quarter more; the bound takes up to some seconds, and half a minute with hundreds of
// jobs side by side. If you only want a mean, set PathLength. See
// site/docs/methods/certified.md.
type Certified struct {
	// Eps is the error probability of a sample; the default is 10^-6.
	Eps float64
	// Samples is the number of samples; the default is 10,000.
	Samples int
	// PathLength continues each sample for this number of jobs; see Unbiased.PathLength.
	// Example: Certified{PathLength: 65_000}.
	PathLength int
	// Device is the processor; see Processor. The bound is found on the cores.
	Device Processor
}

func (x Certified) set(a *asked)       { a.by(x) }
func (x Certified) engine() run.Method { return sampler.Certified(x) }

// Dominated draws independent samples of exactly the stationary queue, by dominated coupling
// from the past. No window is chosen and no error remains.
//
// It assumes Poisson arrivals, service times of finite variance, and λ E[σ] < 1: one server
// could do all the work if jobs ran one at a time. The dominating queue is M/G/1, in which
// every job takes all servers. The error says which assumption fails; use Certified or Backward
// then.
//
// Cost: see Cost; it grows as (1-λ E[σ])^-2. Memory follows the longest sample. Run.MinWindow
// and Run.MaxWindow of the result are the fewest and the most jobs of a sample.
//
// Source: Algorithms 1 to 3 of Golovin, "Exact sampling for heterogeneous multiserver job
// model", after Sigman's for the M/G/c queue.
type Dominated struct {
	// Samples is the number of samples; the default is 10,000.
	Samples int
}

func (x Dominated) set(a *asked)       { a.by(x) }
func (x Dominated) engine() run.Method { return sampler.Dominated(x) }

// Cost returns the expected number of jobs of a sample of the model, each simulated in both
// queues. With ρ = λ E[σ], ρ/(1-ρ) jobs are present at time 0, and the dominating queue takes
// the mean time λ E[σ²]/(2(1-ρ)²) from equilibrium to empty. It is +Inf where Dominated does
// not apply, and NaN without arrivals or for a model at a load before Model.Resolve.
func (x Dominated) Cost(m Model) float64 { return sampler.DominatedCost(m.spec()) }
