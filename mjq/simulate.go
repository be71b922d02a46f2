package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// SimulateQuery asks for a discrete-event simulation of the queue. It is a value: each
// call returns a changed copy.
type SimulateQuery struct {
	m *Model
	o method.Options
}

// Simulate asks for a classical simulation by a list of future events, from an empty
// start. It shares nothing with the recurrence behind Sample but the random input: with
// the same Seed replication r has the same jobs as that of Forward and must give each
// the same wait, so each checks the other. Waiting and response times are those of the
// recorded jobs. WastedHOL, Idle, Utilization and MeanJobs are measured over the time
// in which these arrive, with intervals; Sample has them by Little's law instead.
//
// Cost: O(log jobs in service) a job, two to three times that of a forward run of the same
// jobs (BenchmarkSimulateToForward); for all but checking prefer Sample. Memory grows with the
// longest line, not with the number of jobs. It is an error if the model has no
// arrivals. As with any start from empty, nothing shows whether the warm-up was long
// enough.
//
// With a target (RelErr, HalfWidth) it makes replications until the interval is that
// narrow, at least 32 of them, or, with BatchMeans, lengthens its run; see there.
// Run.Met reports whether the target was reached, and a note if it was not. Stopping when
// an interval is narrow favours those that are too narrow; what the least numbers leave
// of that is small: of 400 intervals at 95 % on M/M/1, 95 % of replications and 95 % of
// batches held the mean (TestSimulateTargetCoverage).
//
// Source: Law, Simulation Modeling and Analysis, chapters 1 and 9.
func (m *Model) Simulate() SimulateQuery { return SimulateQuery{m, method.Defaults()} }

// Jobs sets the number of recorded jobs a replication. The default is that of
// SampleQuery.Jobs, a million or, near the limit, more. With BatchMeans it is that of
// the whole run, rounded up to batches of equal length.
func (q SimulateQuery) Jobs(n int) SimulateQuery { return q.set(method.Jobs, n) }

// WarmUp sets the number of jobs left out at the start of each replication; the default
// is a fifth of Jobs.
func (q SimulateQuery) WarmUp(n int) SimulateQuery { return q.set(method.WarmUp, n) }

// Replications sets the number of independent replications, from which the intervals
// come; the default is 32. With a target it is the most that there may be, without
// limit by default.
func (q SimulateQuery) Replications(n int) SimulateQuery { return q.set(method.Replications, n) }

// BatchMeans makes one long run instead of replications, on one goroutine, and takes
// the intervals from the means of n batches of successive jobs: one warm-up instead of
// many, but batches that are too short are correlated and give intervals that are too
// narrow. The result warns when the correlation of the mean waits of successive batches
// exceeds 0.2; with few batches that is a blunt test. At least 10 are needed; 20 to 30
// are usual.
//
// With a target, Jobs is the length of the run at the first look. While the interval is
// too wide the run goes on, and whenever it has 2n batches neighbours are joined, so
// that there are always n to 2n and they grow with the run. Only the target and the
// context end it.
func (q SimulateQuery) BatchMeans(n int) SimulateQuery { return q.set(method.BatchMeans, n) }

// RelErr has the simulation go on until the half-width of the interval of the mean
// waiting time of all jobs is at most r times the mean; see SampleQuery.RelErr.
func (q SimulateQuery) RelErr(r float64) SimulateQuery {
	q.o.SetReal(method.RelErr, r)
	return q
}

// HalfWidth is RelErr with an absolute bound h, in units of time.
func (q SimulateQuery) HalfWidth(h float64) SimulateQuery {
	q.o.SetReal(method.HalfWidth, h)
	return q
}

// SlowdownThreshold has services count as no shorter than a time in slowdowns (the bounded
// slowdown of Feitelson, ten seconds in most logs); the default is the services themselves.
// Then the mean slowdown is infinite where services may be as short as exponential ones,
// and a note says so.
func (q SimulateQuery) SlowdownThreshold(time float64) SimulateQuery {
	q.o.SetReal(method.SlowdownThreshold, time)
	return q
}

// InTime sets the time within which a job must start, or be done, to count as served in
// time; the default is 0, so that the share is that of jobs which do not wait.
func (q SimulateQuery) InTime(time float64) SimulateQuery {
	q.o.SetReal(method.InTime, time)
	return q
}

// Overtaking counts who overtakes whom, by class.
func (q SimulateQuery) Overtaking() SimulateQuery { return q.set(method.Overtaking, 1) }

// Seed chooses the randomness; see SampleQuery.Seed.
func (q SimulateQuery) Seed(seed uint64) SimulateQuery {
	q.o.SetSeed(seed)
	return q
}

// Level sets the confidence level of all intervals; the default is 0.95.
func (q SimulateQuery) Level(level float64) SimulateQuery {
	q.o.Level = level
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q SimulateQuery) Workers(n int) SimulateQuery {
	q.o.Workers = n
	return q
}

// Progress has f called a few times a second with the jobs done and their number; see
// SampleQuery.Progress.
func (q SimulateQuery) Progress(f func(done, total float64)) SimulateQuery {
	q.o.Progress = f
	return q
}

// Run simulates. When ctx ends it returns the replications or batches completed by
// then, along with the error of the context.
func (q SimulateQuery) Run(ctx context.Context) (*result.Result, error) {
	r, err := method.Simulate.Run(ctx, q.m.p, q.o)
	return r, prefixed(err)
}

func (q SimulateQuery) set(s method.Setting, n int) SimulateQuery {
	q.o.Set(s, int64(n))
	return q
}
