package mjq

import (
	"context"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
)

// Path follows jobs one by one, from job number from up to but without job number to, counted
// from 0: when each arrives, starts and ends, and on which servers. Job 0 meets an empty system;
// earlier jobs that are still there are part of the path. A job takes the free servers of the
// lowest numbers. The jobs are those of the first replication of Simulation and Forward with the
// same seed; an unstable rate will do too.
//
// Under other policies than first come, first served the path ends when the job after the last
// arrives. A job that is preempted has a stretch of service between any two stops. Jobs that are
// not served when as many more have come as were asked for are left out, and the path is not
// Complete. On nodes Path.Nodes says where each node begins.
//
// Cost: O(s log s) a job for s servers. When ctx ends it returns the jobs followed by then,
// along with the error of ctx.
func (m Model) Path(ctx context.Context, from, to int, opts ...Option) (*result.Path, error) {
	a, p, err := m.request(ctx, "Path", opts)
	if err != nil {
		return nil, err
	}
	path, err := simulation.Path(ctx, p, from, to, a.o)
	if path != nil {
		path.Unit = p.Unit
	}
	return path, prefixed(err)
}

// Job is a job of a given sequence.
type Job struct {
	Class   string
	Service float64 // σ
	Gap     float64 // τ, until the next job arrives
}

// Waits lets the given jobs arrive at an empty system, the first at time 0, and returns how
// long each waits: the recurrence without any randomness, to follow an example by hand. It
// fails under other policies than first come first served, for classes that draw servers at
// random, for names that no class has, and for negative times.
func (m Model) Waits(jobs ...Job) ([]float64, error) {
	p, err := m.problem()
	if err != nil {
		return nil, err
	}
	var f check.Faults
	if questionOf("Waits").fits(&f, p.Spec); !f.None() {
		return nil, prefixed(f.Err("Waits"))
	}
	given := make([]simulation.Job, len(jobs))
	for i, j := range jobs {
		given[i] = simulation.Job(j)
	}
	waits, err := simulation.Waits(p, given...)
	return waits, prefixed(err)
}
