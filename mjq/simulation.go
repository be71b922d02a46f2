package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
)

// Simulation simulates the queue by a list of future events, from an empty start, under any
// policy. It shares nothing with the recurrence behind Forward but the random input: with the
// same Seed replication r has the same jobs as that of Forward and must give each the same
// wait, so each checks the other. Waiting and response times are those of the recorded jobs.
// WastedHOL, Idle, Utilization and MeanJobs are measured over the time in which these arrive,
// with intervals; the samplers have them by Little's law instead.
//
// Cost: O(log jobs in service) a job, two to three times that of a forward run of the same
// jobs (BenchmarkSimulateToForward); under first come first served, for all but checking
// prefer Forward. Memory grows with the longest line, not with the number of jobs. As with
// any start from empty, nothing shows whether the warm-up was long enough.
//
// With a target (RelErr, HalfWidth) it makes replications until the interval is that narrow,
// at least 32 of them, or, with BatchMeans, lengthens its run. Run.Met reports whether the
// target was reached, and a note if it was not. Stopping when an interval is narrow favours
// those that are too narrow; what the least numbers leave of that is small: of 400 intervals
// at 95 % on M/M/1, 95 % of replications and 95 % of batches held the mean
// (TestSimulateTargetCoverage).
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
	// intervals from the means of so many batches of successive jobs: one warm-up instead of
	// many, but batches that are too short are correlated and give intervals that are too
	// narrow. The result warns when the correlation of the mean waits of successive batches
	// exceeds 0.2; with few batches that is a blunt test. At least 10 are needed; 20 to 30 are
	// usual.
	//
	// With a target, Jobs is the length of the run at the first look. While the interval is too
	// wide the run goes on, and whenever it has twice as many batches neighbours are joined, so
	// that they grow with the run. Only the target and the context end it.
	BatchMeans int
	// SlowdownThreshold has services count as no shorter than a time in slowdowns (the bounded
	// slowdown of Feitelson, ten seconds in most logs); the default is the services themselves.
	// Then the mean slowdown is infinite where services may be as short as exponential ones, and
	// a note says so.
	SlowdownThreshold float64
	// Within is the time within which a job must start, or be done, to count as served in time
	// (ServiceLevel of the result); by default it is not known, and NoWait has the share that
	// does not wait.
	Within float64
	// Overtaking counts who overtakes whom, by class.
	Overtaking bool
}

func (x Simulation) set(a *asked)        { a.by(x) }
func (x Simulation) engine() *run.Method { return simulation.Method }
