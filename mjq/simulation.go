package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
)

// Simulation simulates the queue event by event, from an empty start, under any policy. Waiting
// and response times are those of the recorded jobs. WastedHOL, Idle, Utilization and MeanJobs
// are averages over the time in which these jobs arrive.
//
// It shares nothing with Forward except the random jobs. With the same Seed, replication r has
// the same jobs as that of Forward and gives each the same wait, so each checks the other. As
// with any start from empty, nothing shows whether the warm-up was long enough.
//
// With a target (RelErr, HalfWidth) it makes at least 32 replications, or with BatchMeans
// lengthens its run, until the interval is narrow enough. Run.Met reports whether it is.
//
// Cost: two to three times that of a forward run of the same jobs; O(log jobs in service) a
// job. Memory grows with the longest queue, not with the number of jobs.
//
// Source: Law, Simulation Modeling and Analysis, chapters 1 and 9.
type Simulation struct {
	// Jobs is the number of recorded jobs a replication. The default is that of Forward, a
	// million or, near the limit, more. With BatchMeans it is that of the whole run, rounded up
	// to batches of equal length.
	Jobs int
	// WarmUp is the number of jobs left out at the start of each replication; the default is a
	// fifth of Jobs, and None leaves out none.
	WarmUp int
	// Replications is the number of independent replications, from which the intervals come; the
	// default is 32. With a target it is the most that there may be, without limit by default.
	Replications int
	// BatchMeans makes one long run instead of replications, on one goroutine, and takes the
	// intervals from the means of this number of batches of successive jobs. It must be at
	// least 10; 20 to 30 are usual. There is one warm-up instead of many, but short batches are
	// correlated and give intervals that are too narrow. A note warns when the correlation of
	// successive batches exceeds 0.2.
	//
	// With a target, Jobs is the length of the run at the first interim check. While the
	// interval is too wide the run goes on, and neighbouring batches are joined whenever their
	// number has doubled. Only the target and the context end it.
	BatchMeans int
	// SlowdownThreshold is the smallest service time that counts in slowdowns (the bounded
	// slowdown of Feitelson; ten seconds in most logs). By default all service times count. The
	// mean slowdown is then infinite if service times can be arbitrarily short, as exponential
	// ones; a note says so.
	SlowdownThreshold float64
	// Within is the time within which a job must start, or be done, to count in ServiceLevel of
	// the result. By default that is unknown; NoWait has the fraction of jobs that do not wait.
	Within float64
	// Overtaking reports whether the result counts who overtakes whom, by class.
	Overtaking bool
}

func (x Simulation) set(a *asked)       { a.by(x) }
func (x Simulation) engine() run.Method { return simulation.Method(x) }
