package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/timecourse"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// State is the state of a queue at a moment: jobs in service and waiting jobs. The zero value
// is an empty queue.
type State = spec.State

// Running are jobs of a class in service, with their ages or the distribution of their
// remaining times.
type Running = spec.Running

// Horizon is how far from now a transient goes.
type Horizon struct {
	Until float64 // the last moment, from now
	Parts int     // into so many equal parts the time is divided; the default is 12
}

// ByTime returns waits and numbers of jobs by the time of day, for arrivals with a Profile. The
// period is divided into equal parts, and a job counts in the part in which it arrives.
//
// Exact takes phase-type service times and few states, follows a truncated chain until no mean
// of a period moves by more than 10⁻⁹ of itself, and returns means and variances. Backward takes
// Samples for each part: lower bounds, without warm-up. Simulation takes any policy: each
// replication begins empty with a period, leaves out as many periods as bring WarmUp jobs, and
// observes as many as bring Jobs. Without a method it is Exact where that fits and is small, and
// otherwise Simulation.
//
// When ctx ends it returns the replications or parts completed, along with the error of ctx.
// Beyond the stability limit it has Stable false.
//
// Options: Exact, Backward or Simulation.
func (m Model) ByTime(ctx context.Context, parts int, opts ...Option) (*result.Transient, error) {
	return m.transient(ctx, "ByTime", timecourse.Options{Parts: parts}, opts)
}

// Transient returns what happens from a given state on: the number of jobs, the waits of the
// jobs that arrive, wasted servers, and the starts of the waiting jobs. Arrivals go on as if a
// job had just come, which for Poisson arrivals makes no difference. The queue need not be
// stable.
//
// Exact takes Poisson arrivals, with a Profile or without, phase-type service times and few
// states. The truncation grows until its error, which the result bounds, is below 10⁻⁹.
// Simulation takes any policy; one that would not run the jobs in service together is an error.
// It makes 10,000 replications by default.
//
// Without a method it is Exact where that fits and is small, and otherwise Simulation. When ctx
// ends it returns what was completed, along with the error of ctx.
//
// Options: Exact or Simulation.
func (m Model) Transient(ctx context.Context, now State, to Horizon, opts ...Option) (*result.Transient, error) {
	if to.Parts == 0 {
		to.Parts = 12
	}
	return m.transient(ctx, "Transient", timecourse.Options{Parts: to.Parts, Start: &now, Until: to.Until}, opts)
}

func (m Model) transient(ctx context.Context, question string, ask timecourse.Options, opts []Option) (*result.Transient, error) {
	a, p, err := m.request(ctx, question, opts)
	if err != nil {
		return nil, err
	}
	t, err := timecourse.Solve(ctx, p, a.engine(), ask, a.o)
	if t != nil {
		t.Unit = p.Unit
	}
	return t, prefixed(err)
}
