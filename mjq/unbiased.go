package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Unbiased estimates means and variances of waiting times, and wasted servers, without bias. Use
// it for means near the limit, where the bias of Backward is unknown; use Backward for quantiles
// and at moderate load.
//
// Each sample takes a random number of doublings of its window and weighs the differences by the
// inverse probability of getting that far. A single sample can be large or negative; the
// interval shows that variance. Without PathLength there are no distributions and quantiles. The
// recurrence must be monotone, as for Backward.
//
// Under other policies than FCFS, on nodes, and where jobs are turned away or give up (Room,
// Loss, Patience), each sample simulates two queues one job apart until they meet. If pairs do
// not meet, a note says so and there are no means. A scheduler of your own that remembers more
// than the jobs in the system must say so by policy.Modal. It does not take Keep and Users.
//
// Cost: about eight windows, in steps of the recurrence, for every sample.
//
// Source: Rhee and Glynn, Operations Research 63, 2015; Glynn and Rhee, J. Appl. Probab. 51A,
// 2014; Jacob, O'Leary and Atchadé, J. R. Statist. Soc. B 82, 2020. See
// site/docs/methods/unbiased.md.
type Unbiased struct {
	// Samples is the number of samples; the default is 2000, or 512 under a policy other than
	// FCFS.
	Samples int
	// Window is the first window in jobs. The default is twice the mean distance between jobs
	// of the rarest class, at least 1000, over (1-load)^1.4. A longer one costs more and varies
	// less. Under a policy other than FCFS it is the number of jobs that a path leaves out.
	Window int
	// PathLength continues each sample for this number of jobs and takes the mean over them; by
	// default a sample observes job 0 alone. Use it when you want means, not quantiles. Nothing
	// becomes biased. A good length is four times r.Run.Window of a run r of one sample; with a
	// target there are at least 128 samples. Example: Unbiased{PathLength: 65_000}.
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
