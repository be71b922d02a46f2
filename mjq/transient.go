package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/course"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// State is what is going on in a queue at a moment: jobs in service and jobs in line. The
// zero value is an empty queue.
type State = spec.State

// Running are jobs of a class in service, with what is known of how long they still take.
type Running = spec.Running

// Horizon is how far from now a transient goes.
type Horizon struct {
	Until float64 // the last moment, from now
	Parts int     // into so many equal parts the time is divided; the default is 12
}

// ByTime finds how the queue fares by the time of day, for arrivals with a Profile: the
// period is divided into equal parts, and a job counts in the part in which it arrives.
//
// Exact takes phase-type services and few states: the chain is followed through one period
// after another until it repeats itself, cut at a number of jobs that grows until no mean
// moves by more than 10⁻⁹ of itself. There are means and variances, no distributions. Cost:
// for n states, of the order of n times the events in a period times the periods that the
// queue takes to forget. Backward samples from the past, given that job 0 arrives in a part of
// the period: Samples for each part, with no warm-up to doubt, and lower bounds as ever; the
// replications of different parts differ in the time of day alone, so that the curve over the
// day is smoother than its intervals suggest. Simulation takes any policy: each replication
// begins empty with a period, leaves out as many periods as bring WarmUp jobs, and observes as
// many as bring Jobs.
//
// Without a method it is Exact where that fits and is small, else Simulation. When ctx ends it
// returns the replications or the parts completed by then, along with the error of the
// context. Beyond the stability limit it has Stable false.
//
// Options: Exact, Backward or Simulation.
func (m Model) ByTime(ctx context.Context, parts int, opts ...Option) (*result.Transient, error) {
	return m.transient(ctx, "ByTime", course.Options{Parts: parts}, opts, "Exact", "Backward", "Simulation")
}

// Transient finds what happens from a given state on: the number of jobs, what the jobs that
// arrive meet, the waste, when the jobs in line start, and how long somebody waits. Arrivals
// go on as if a job had come just now, which for Poisson arrivals says nothing. Any arrival
// rate will do, an unstable one too.
//
// Exact takes Poisson arrivals, with a Profile or without, phase-type services and few
// states; the chain is cut at a number of jobs that grows until the error of that, which the
// result bounds, is below 10⁻⁹. Simulation takes any policy; one that would not have the jobs
// in service together is an error. It makes 10,000 replications by default.
//
// Without a method it is Exact where that fits and is small, else Simulation. When ctx ends it
// returns what was completed by then, along with the error of the context.
//
// Options: Exact or Simulation.
func (m Model) Transient(ctx context.Context, now State, to Horizon, opts ...Option) (*result.Transient, error) {
	if to.Parts == 0 {
		to.Parts = 12
	}
	return m.transient(ctx, "Transient", course.Options{Parts: to.Parts, Start: &now, Until: to.Until}, opts, "Exact", "Simulation")
}

func (m Model) transient(ctx context.Context, question string, ask course.Options, opts []Option, methods ...string) (*result.Transient, error) {
	a, p, err := m.request(ctx, question, opts, nil, methods)
	if err != nil {
		return nil, err
	}
	t, err := course.Solve(ctx, p, a.engine(), ask, a.o)
	return t, prefixed(err)
}
