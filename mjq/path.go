package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// PathQuery asks for a sample path. It is a value: each call returns a changed copy.
type PathQuery struct {
	m *Model
	o method.Options
}

// Path asks for a sample path: when each job arrives, starts and ends, and on which
// servers. A job that starts takes the free servers of the lowest numbers; waits do not
// depend on that choice. The jobs are those of the first replication of Simulate and
// Forward with the same seed.
//
// Under other policies than first come first served the path ends when the job after the
// last arrives, and jobs that come later, which it does not show, may start before some
// that it shows. A job that is preempted has a stretch of service between any two stops.
//
// Cost: O(s log s) a job for s servers, more than the samplers, which do not know
// servers apart.
func (m *Model) Path() PathQuery { return PathQuery{m, method.Defaults()} }

// Jobs sets how many jobs to show, from the warm-up on; the default is 100.
func (q PathQuery) Jobs(n int) PathQuery {
	q.o.Set(method.Jobs, int64(n))
	return q
}

// WarmUp sets the number of jobs before those shown; the default is none, so that the
// path starts with an empty system. Earlier jobs that are still there when the first one
// shown arrives are part of the path too.
func (q PathQuery) WarmUp(n int) PathQuery {
	q.o.Set(method.WarmUp, int64(n))
	return q
}

// Seed chooses the randomness; see SampleQuery.Seed.
func (q PathQuery) Seed(seed uint64) PathQuery {
	q.o.SetSeed(seed)
	return q
}

// Progress has f called a few times a second with the jobs done and their number.
func (q PathQuery) Progress(f func(done, total float64)) PathQuery {
	q.o.Progress = f
	return q
}

// Run follows the jobs. Any arrival rate will do, an unstable one too. Jobs that a policy
// has not served when as many more have come as were asked for are left out, and the path
// is not Complete. When ctx ends it
// returns the jobs followed by then, along with the error of the context.
func (q PathQuery) Run(ctx context.Context) (*result.Path, error) {
	p, err := q.m.p.FindPath(ctx, q.o)
	return p, prefixed(err)
}

// Job is a job of a given sequence.
type Job struct {
	Class   string
	Service float64 // σ
	Gap     float64 // τ, until the next job arrives
}

// Waits lets the given jobs arrive at an empty system, the first at time 0, and returns
// how long each waits: the recurrence without any randomness, to follow an example by
// hand. It fails for classes that draw servers at random, for names that no class has,
// and for negative times.
func (m *Model) Waits(jobs ...Job) ([]float64, error) {
	given := make([]method.Job, len(jobs))
	for i, j := range jobs {
		given[i] = method.Job(j)
	}
	waits, err := m.p.Waits(given...)
	return waits, prefixed(err)
}
