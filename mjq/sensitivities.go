package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/internal/planning"
	"github.com/mjqueue/mjq/mjq/result"
)

// SensitivitiesQuery asks what would change the mean wait most; see Model.Sensitivities.
// It is a value: each call returns a changed copy.
type SensitivitiesQuery struct {
	m    *Model
	o    method.Options
	jobs int64
}

// Sensitivities asks how the mean wait of all jobs changes with the arrival rate
// (dE[W]/dλ, and 1 % fewer jobs), with one server more and one fewer, and, class by class,
// with jobs that need one server less and with services 1 % shorter. Where the queue and
// all of these have exact solutions that take no more than a second or so, the changes are
// exact. Otherwise all are simulated with the same jobs, and the intervals are of paired
// differences, which are much narrower than the two results alone would give. It is for
// identical servers.
//
// Cost: that of Simulate, or of Exact, for the queue and about two variants a class.
//
// Source: Law, Simulation Modeling and Analysis, section 11.2 (common random numbers);
// Glasserman, Gradient Estimation via Perturbation Analysis, 1991.
func (m *Model) Sensitivities() SensitivitiesQuery {
	o := method.Defaults()
	return SensitivitiesQuery{m: m, o: o}
}

// Jobs sets the number of recorded jobs a replication, of 32; the default is 100,000, and
// more near the stability limit.
func (q SensitivitiesQuery) Jobs(n int) SensitivitiesQuery {
	q.jobs = int64(n)
	return q
}

// Seed chooses the randomness, which is that of Simulate with the same seed.
func (q SensitivitiesQuery) Seed(seed uint64) SensitivitiesQuery {
	q.o.SetSeed(seed)
	return q
}

// Level sets the confidence level of all intervals; the default is 0.95.
func (q SensitivitiesQuery) Level(level float64) SensitivitiesQuery {
	q.o.Level = level
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q SensitivitiesQuery) Workers(n int) SensitivitiesQuery {
	q.o.Workers = n
	return q
}

// Progress has f called a few times a second with the jobs done and their number, those
// of all variants together.
func (q SensitivitiesQuery) Progress(f func(done, total float64)) SensitivitiesQuery {
	q.o.Progress = f
	return q
}

// Run computes. When ctx ends it returns the changes found by then, along with the error
// of the context.
func (q SensitivitiesQuery) Run(ctx context.Context) (*result.Sensitivities, error) {
	s, err := planning.Sensitivities(ctx, q.m.p, q.o, q.jobs)
	return s, prefixed(err)
}
