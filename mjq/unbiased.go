package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Unbiased estimates means and variances of waiting times, and wasted servers, without bias.
// Use it for means near the limit, where the bias of Backward is unknown; use Backward for
// quantiles and at moderate load.
//
// Each sample takes a random number of doublings of its window and weighs the differences by
// the inverse probability of getting that far. So no window is ever too short. A single sample
// can be large or negative, and the interval shows that variance. It is finite when windows
// couple fast enough, as they do well below the limit. With heavy tails there is no interval
// where theory says that it could not be valid. There are no distributions and quantiles
// without PathLength. The recurrence must be monotone, as for Backward. Cost: about eight
// windows, in steps of the recurrence, for every sample.
//
// Under other policies than FCFS, each sample simulates the queue from job 0 on, and again from
// job 1 on, until both hold the same jobs with the same work left. The differences until then
// correct the mean over a path. This gives means, variances, distributions, slowdowns,
// preemptions, kills and wasted servers. If pairs do not meet, because the queue is unstable or
// nearly so, a note says so and there are no means. A scheduler of your own that remembers more
// than the jobs in the system must say so by policy.Modal. Cost: that of simulating as many
// jobs, and 64 trial pairs that choose Window and PathLength.
//
// So it does where jobs are turned away or give up (Room, Loss, Patience), also under FCFS. Counts
// of jobs served, turned away and gone are then unbiased, and shares and mean waits are ratios of
// such counts and sums. It does not take Keep and Users.
//
// So it does on nodes, where both queues must hold the same jobs on the same nodes, whatever the
// numbers of these unless the policy or the placement goes by them. A tie takes time in
// proportion to the nodes that are preferred equally. On many nodes queues meet late; Simulation is cheaper there.
//
// Source: Rhee and Glynn, Operations Research 63, 2015; under other policies Glynn and Rhee, J.
// Appl. Probab. 51A, 2014, and Jacob, O'Leary and Atchadé, J. R. Statist. Soc. B 82, 2020. See
// site/docs/methods/unbiased.md.
type Unbiased struct {
	// Samples is the number of samples; the default is 2000, or 512 under a policy other than
	// FCFS.
	Samples int
	// Window is the first window in jobs. The default is twice the mean distance between jobs
	// of the rarest class, at least 1000, over (1-load)^1.4. A longer one costs more and varies
	// less. Under a policy other than FCFS it is the number of jobs that a path leaves out,
	// which changes the variance only; the default is the job by which 15 of 16 trial pairs had
	// met.
	Window int
	// PathLength makes each sample much more informative at little cost. Use it when you want
	// means, not quantiles. By default a sample observes job 0 alone. With PathLength it
	// continues for this number of jobs and is the mean over observations every 32 to 1024
	// jobs. Control variates narrow the intervals further, by Run.VarianceReduction. Nothing
	// becomes biased, and intervals come from independent paths. Example: Unbiased{PathLength:
	// 65_000}.
	//
	// A good length is four times r.Run.Window of a run r of one sample: it costs four times as
	// many steps and is worth dozens of samples. With a target (RelErr, HalfWidth) there are at
	// least 128 samples, so do not make paths so long that the target needs fewer. A rare large
	// job whose effect outlasts the windows still shows in a few samples only.
	PathLength int
	// SlowdownThreshold is the shortest service time that slowdowns count, under policies other
	// than FCFS; see Simulation.SlowdownThreshold.
	SlowdownThreshold float64
	// Within is the time within which a job must start, or be done, to count as served in time,
	// under policies other than FCFS; see Simulation.Within.
	Within float64
	// Device is the processor; see Processor. A GPU runs first come first served only.
	Device Processor
}

func (x Unbiased) set(a *asked)       { a.by(x) }
func (x Unbiased) engine() run.Method { return sampler.Unbiased(x) }
