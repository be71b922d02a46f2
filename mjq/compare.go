package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// CompareQuery asks for a comparison of policies. It is a value: each call returns a
// changed copy.
type CompareQuery struct {
	m        *Model
	policies []Policy
	o        method.Options
}

// Compare asks for a simulation of the queue under each policy, all with the same jobs
// (common random numbers), and for the differences between every two of them with
// intervals from pairs of replications: these are narrower than what the two results
// alone would give, the more so the more alike the policies are. The policy of the model
// itself does not count. A model at a load is at that fraction of the limit of first come
// first served. One that is unstable under a policy has infinite waits there, and no
// differences.
//
// Where there is one, the lower bound that no policy can beat comes along: the mean
// response of the same jobs at one server as fast as all together that serves the least
// work left first, or the mean service if that is longer.
//
// Cost: that of Simulate for each policy, and once more for the bound. Source: Law,
// Simulation Modeling and Analysis, section 11.2.
func Compare(m *Model, policies ...Policy) CompareQuery {
	return CompareQuery{m, policies, method.Defaults()}
}

// CompareReplay asks for a comparison of policies on a log: every policy serves its jobs,
// and the waits under the scheduler that wrote the log stand beside, if the log has them.
// See trace.Trace.Compare.
func CompareReplay(log *trace.Trace, servers int, policies ...Policy) trace.CompareQuery {
	return log.Compare(servers, policies...)
}

// Jobs sets the number of recorded jobs a replication; see SimulateQuery.Jobs. The default
// is what the policy that forgets its state most slowly asks for.
func (q CompareQuery) Jobs(n int) CompareQuery { return q.set(method.Jobs, n) }

// WarmUp sets the number of jobs left out at the start of each replication; the default
// is a fifth of Jobs.
func (q CompareQuery) WarmUp(n int) CompareQuery { return q.set(method.WarmUp, n) }

// Replications sets the number of independent replications, from which the intervals
// come; the default is 32. With a target it is the most that there may be of a policy.
func (q CompareQuery) Replications(n int) CompareQuery { return q.set(method.Replications, n) }

// RelErr has each policy make replications until the half-width of the interval of its
// mean waiting time is at most r times the mean. The differences are over the
// replications that both policies have.
func (q CompareQuery) RelErr(r float64) CompareQuery {
	q.o.SetReal(method.RelErr, r)
	return q
}

// HalfWidth is RelErr with an absolute bound h, in units of time.
func (q CompareQuery) HalfWidth(h float64) CompareQuery {
	q.o.SetReal(method.HalfWidth, h)
	return q
}

// SlowdownThreshold has services count as no shorter than a time in slowdowns; see
// SimulateQuery.SlowdownThreshold.
func (q CompareQuery) SlowdownThreshold(time float64) CompareQuery {
	q.o.SetReal(method.SlowdownThreshold, time)
	return q
}

// InTime sets the time within which a job must start, or be done, to count as served in
// time; see SimulateQuery.InTime.
func (q CompareQuery) InTime(time float64) CompareQuery {
	q.o.SetReal(method.InTime, time)
	return q
}

// Seed chooses the randomness, which is that of Simulate with the same seed.
func (q CompareQuery) Seed(seed uint64) CompareQuery {
	q.o.SetSeed(seed)
	return q
}

// Level sets the confidence level of all intervals; the default is 0.95.
func (q CompareQuery) Level(level float64) CompareQuery {
	q.o.Level = level
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q CompareQuery) Workers(n int) CompareQuery {
	q.o.Workers = n
	return q
}

// Progress has f called a few times a second with the jobs done and their number, those
// of all policies together.
func (q CompareQuery) Progress(f func(done, total float64)) CompareQuery {
	q.o.Progress = f
	return q
}

// Run compares. When ctx ends it returns the policies done by then, along with the error
// of the context.
func (q CompareQuery) Run(ctx context.Context) (*result.Comparison, error) {
	c, err := q.m.p.Compare(ctx, q.policies, q.o)
	return c, prefixed(err)
}

func (q CompareQuery) set(s method.Setting, n int) CompareQuery {
	q.o.Set(s, int64(n))
	return q
}
