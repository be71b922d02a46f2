package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// State is what is going on in a queue at a moment: jobs in service and jobs in line.
// The zero value is an empty queue.
type State = spec.State

// Running are jobs of a class in service, with what is known of how long they still take.
type Running = spec.Running

// CourseQuery asks how a queue fares as time goes by. It is a value: each call returns a
// changed copy.
type CourseQuery struct {
	m   *Model
	o   method.Options
	by  method.CourseBy
	ask method.CourseOptions
}

// ByTime asks for the results by time of day, for arrivals with a Profile: the period is
// divided into equal parts, and a job counts in the part in which it arrives. Each
// replication begins empty with a period, leaves out as many periods as bring WarmUp
// jobs, and observes as many as bring Jobs. It takes any policy, and of the other
// settings Replications, Seed, Level, Workers and Progress.
func (q SimulateQuery) ByTime(parts int) CourseQuery {
	return CourseQuery{q.m, q.o, method.CourseSimulate, method.CourseOptions{Parts: parts}}
}

// ByTime asks for what jobs meet by the time of day at which they arrive, by sampling from
// the past: Backward, given that job 0 arrives in a part of the period. For each part N
// samples are drawn; the other settings that count are Window, MaxWindow, AgreeTogether,
// Seed, Level, Workers and Progress. There is no warm-up to doubt; as for Backward
// samples are lower bounds. The replications of different parts differ in the time of day alone,
// so that the curve over the day is smoother than its intervals suggest.
func (q SampleQuery) ByTime(parts int) CourseQuery {
	return CourseQuery{q.m, q.o, method.CourseSample, method.CourseOptions{Parts: parts}}
}

// ByTime solves for the results by time of day: Poisson arrivals with a Profile,
// phase-type services, few states. The chain of the jobs in service by phase, the head of
// the line and the jobs behind it is followed by uniformisation through one period after
// another until it repeats itself. It is cut at a number of jobs that grows until no
// mean moves by more than 10⁻⁹ of itself. There are means and variances, no distributions.
// Cost: for n states, of the order of n times the events in a period times the periods
// that the queue takes to forget.
func (q ExactQuery) ByTime(parts int) CourseQuery {
	return CourseQuery{q.m, q.o, method.CourseExact, method.CourseOptions{Parts: parts}}
}

// From asks what happens from a given state on: the number of jobs, what the jobs that
// arrive meet, the waste, when the jobs in line start, and how long somebody waits, in
// Parts parts of the time up to Until. Arrivals go on as if a job had come just now, which
// for Poisson arrivals says nothing. Any arrival rate and any policy will do; a policy
// that would not have the jobs in service together is an error. There are 10,000
// replications by default; it also takes Seed, Level, Workers and Progress.
func (q SimulateQuery) From(start State) CourseQuery {
	return CourseQuery{q.m, q.o, method.CourseSimulate, method.CourseOptions{Parts: 12, Start: &start}}
}

// From solves for what happens from a given state on: Poisson arrivals, with a Profile or
// without, phase-type services, few states; see From of SimulateQuery. The chain is
// followed by uniformisation and cut at a number of jobs that grows until the error of
// that, which Error of the course bounds, is below 10⁻⁹.
func (q ExactQuery) From(start State) CourseQuery {
	return CourseQuery{q.m, q.o, method.CourseExact, method.CourseOptions{Parts: 12, Start: &start}}
}

// Until sets how far from now a course from a state on goes.
func (q CourseQuery) Until(time float64) CourseQuery {
	q.ask.Until = time
	return q
}

// Parts sets into how many equal parts the time is divided; from a state on the default
// is 12.
func (q CourseQuery) Parts(n int) CourseQuery {
	q.ask.Parts = n
	return q
}

// Run finds the course. When ctx ends it returns the replications or the parts completed
// by then, along with the error of the context. Over a period, beyond the stability limit,
// it returns a course with Stable false.
func (q CourseQuery) Run(ctx context.Context) (*result.Course, error) {
	c, err := q.m.p.FindCourse(ctx, q.by, q.ask, q.o)
	return c, prefixed(err)
}
