package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Unbiased estimates means and variances of waiting times, and the waste through blocking,
// without any bias: by randomised truncation of Loynes' increasing sequence (Rhee and Glynn,
// Operations Research 63, 2015). Each sample takes a random number of doublings and weighs
// the differences by the inverse probability of getting that far, so that no window is ever
// too short.
//
// The price is variance, which the interval shows; a single sample can be large or negative.
// It is finite when windows couple fast enough, as they do well below the limit; very near it
// take the interval with care. Under services of heavy tails there is none where theory says
// that it could not hold. There is no distribution and there are no quantiles. Prefer
// Backward for quantiles and at moderate load; prefer Unbiased for means near the limit,
// where the bias of Backward is unknown. The recurrence must be monotone, as for Backward.
//
// Cost: about eight windows in steps of the recurrence for every sample.
//
// Under any other policy than FCFS, and with any arrivals, each sample simulates the queue
// from job 0 on, and once more from job 1 on, until both hold the same jobs with the same work
// left: the differences until then, added to what the jobs of a path show, make their mean
// that of the stationary queue (Glynn and Rhee 2014; Jacob, O'Leary and Atchadé 2020;
// site/docs/methods/unbiased.md). No warm-up has to be long enough. It gives means, variances, distributions,
// slowdowns, preemptions, kills and the waste, with plain intervals from independent samples.
// Where pairs do not meet, because the queue is unstable or nearly so, a note says it and
// nothing has an interval. A scheduler of your own that remembers more than the jobs in the
// system must say so by policy.Modal. Cost: about that of simulating as many jobs, and 64
// trial pairs that choose Window and PathLength.
type Unbiased struct {
	// Samples is how many; the default is 2000, or 512 under a policy other than FCFS.
	Samples int
	// Window is the first window in jobs. The default is twice the mean distance between jobs
	// of the rarest class, at least 1000, over (1-load)^1.4: on the queue of 1 and 256 servers
	// that came near the least product of cost and variance from a tenth of the limit to nine
	// tenths. A longer one costs more and varies less. Under a policy other than FCFS it is the
	// number of jobs that a path leaves out, which changes the variance alone; the default is
	// the job by which 15 of 16 trial pairs had met.
	Window int
	// PathLength has each sample go on for a number of jobs: the queue that is stationary at job
	// 0 is so at every later job, and is looked at again now and then: every 32 jobs, or if the
	// window is long as many times as there are 64 looks in it, up to every 1024. A sample is
	// then the mean over its looks; these depend on each other, the samples do not, so that
	// intervals come from independent replications and hold as they do without it, and nothing
	// becomes biased. What came along the paths serves as control variates of means, variances
	// and the waste (site/docs/methods/control-variates.md), whose intervals become much narrower, by
	// Run.VarianceReduction. The interval of a quantile comes from how much its fraction varies
	// between paths; see Metric.Quantile.
	//
	// By default a sample looks at job 0 alone. A look ahead costs far less than a window: with
	// four times r.Run.Window, r being a run of one sample, a sample costs four times as many
	// steps as without and tells as much as dozens. With a target (RelErr, HalfWidth) at least
	// 128 samples are drawn, so do not make paths so long that the target needs fewer. A rare
	// large job whose effect outlasts the windows still shows in a few samples only.
	PathLength int
	// SlowdownThreshold has services count as no shorter than a time in slowdowns, which are
	// measured under policies other than FCFS; see Simulation.SlowdownThreshold.
	SlowdownThreshold float64
	// Within is the time within which a job must start, or be done, to count as served in time,
	// under policies other than FCFS; see Simulation.Within.
	Within float64
	// Device is the processor; see Processor. A GPU runs first come first served only.
	Device Processor
}

func (x Unbiased) set(a *asked)        { a.by(x) }
func (x Unbiased) engine() *run.Method { return sampler.Unbiased }
