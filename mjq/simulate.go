package mjq

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/result"
)

// SimulateQuery asks for a discrete-event simulation of the queue.
type SimulateQuery struct {
	Query[SimulateQuery]
	Target[SimulateQuery]
	m    *Model
	jobs int
	// Each byDefault unless given.
	warmUp, reps, batches int
}

// Simulate asks for a classical simulation by a list of future events, from an
// empty start. It shares nothing with the recurrence behind Sample but the
// random input: with the same Seed replication r has the same jobs as that of
// Forward and must give each the same wait, so each checks the other. Waiting and response times are
// those of the recorded jobs. WastedHOL, Idle, Utilization and MeanJobs are
// measured over the time in which these arrive, with intervals; Sample has
// them by Little's law instead.
//
// Cost: O(log jobs in service) a job, 1.2 to 2.1 times a step of the recurrence
// (BenchmarkEventList); for all but checking prefer Sample. Memory grows with
// the longest line, not with the number of jobs. It is an error if the model
// has no arrivals. As with any start from empty, nothing shows whether the
// warm-up was long enough.
//
// With a target (RelErr, HalfWidth) it makes replications until the interval is
// that narrow, at least 32 of them, or, with Batches, lengthens its run; see
// there. Run.Met says whether the target was reached, and a note if it was not.
// Stopping when an interval is narrow favours those that are too narrow; what the
// least numbers leave of that is small: of 400 intervals at 95 % on M/M/1, 95 %
// of replications and 95 % of batches held the mean (TestSimulateTargetCoverage).
//
// Source: Law, Simulation Modeling and Analysis, chapters 1 and 9.
func (m *Model) Simulate() *SimulateQuery {
	q := &SimulateQuery{m: m, jobs: byDefault, warmUp: byDefault, reps: byDefault, batches: byDefault}
	q.Query, q.Target = newQuery(q, seedSimulate), newTarget(q)
	return q
}

// Jobs sets the number of recorded jobs a replication. The default is that of
// ForwardQuery.Jobs, a million or, near the limit, more. With Batches it is that of the
// whole run, rounded up to batches of equal length.
func (q *SimulateQuery) Jobs(n int) *SimulateQuery {
	q.jobs = n
	return q
}

// WarmUp sets the number of jobs left out at the start of each replication;
// the default is a fifth of Jobs.
func (q *SimulateQuery) WarmUp(n int) *SimulateQuery {
	q.warmUp = n
	return q
}

// Replications sets the number of independent replications, from which the
// intervals come; the default is 32. With a target it is the most that there
// may be, without limit by default.
func (q *SimulateQuery) Replications(n int) *SimulateQuery {
	q.reps = n
	return q
}

// fewestBatches is the fewest whose means may be taken for normal and whose
// variance is known well enough (Schmeiser, Operations Research 30, 1982).
const fewestBatches = 10

// fewestReplications are made before a target looks at their interval.
const fewestReplications = 32

// Batches makes one long run instead of replications, on one goroutine, and
// takes the intervals from the means of n batches of successive jobs: one
// warm-up instead of many, but batches that are too short are correlated and
// give intervals that are too narrow. The result warns when the correlation of
// the mean waits of successive batches exceeds 0.2; with few batches that is a
// blunt test. At least 10 are needed; 20 to 30 are usual.
//
// With a target, Jobs is the length of the run at the first look. While the
// interval is too wide the run goes on, and whenever it has 2n batches neighbours
// are joined, so that there are always n to 2n and they grow with the run. Only
// the target and the context end it.
func (q *SimulateQuery) Batches(n int) *SimulateQuery {
	q.batches = n
	return q
}

// Run simulates. When ctx ends it returns the replications or batches completed
// by then, along with the error of the context.
func (q *SimulateQuery) Run(ctx context.Context) (_ *Result, err error) {
	defer caught("simulation", &err)
	plan, err := q.plan()
	if err != nil {
		return nil, err
	}
	run, err := q.open(ctx, q.m, plan.Total())
	if err != nil {
		return nil, err
	}
	plan.Input = run.system(q.seed, q.workers).Input
	solver := "event list"
	if q.batches != byDefault {
		solver += ", batch means"
	}
	r, ok, err := run.begin(ctx, solver, "future-event-list simulation: Law, Simulation Modeling and Analysis")
	if !ok {
		return r, err
	}
	if err := q.untargeted(ctx, run.Model, r.Rate, overTime); err != nil {
		return nil, err
	}
	if q.jobs == byDefault {
		jobs := run.replicationJobs(r.Rate / r.Limit.Rate)
		if plan.Length = (jobs + int64(plan.Batches) - 1) / int64(plan.Batches); q.warmUp == byDefault {
			plan.WarmUp = jobs / 5
		}
	}
	started := time.Now()
	res := plan.Run(ctx, q.throttled())
	r.Run.Samples, r.Run.Steps = res.Batches, res.Jobs
	r.Run.WarmUp, r.Run.Jobs = plan.WarmUp, int64(plan.Batches)*plan.Length
	if q.asked && q.batches != byDefault {
		r.Run.Jobs = int64(res.Batches) * res.Length
	}
	all := res.Batches == plan.Replications*plan.Batches
	if q.asked && q.batches != byDefault { // the run goes on beyond its first batches
		all = q.met(res.All.Waiting.Mean)
	}
	finish(&r.Run, started, all || q.asked && ctx.Err() == nil)
	q.m.measured(r, res)
	run.heavyTails(ctx, r, overTime)
	if q.batches == byDefault {
		run.shortNotes(r, plan.Length, "replication")
	}
	q.note(r)
	if q.batches != byDefault && res.Lag1 > 0.2 {
		r.Notes = append(r.Notes, fmt.Sprintf("The mean waits of successive batches have correlation %.2f, where independent ones have 0 ± %.2f: the batches may be too short and the intervals too narrow. Ask for more Jobs or fewer Batches.",
			res.Lag1, 1/math.Sqrt(float64(res.Batches))))
	}
	return r, interrupted(ctx, r)
}

// plan checks the query and lays out the simulation, all but its input.
func (q *SimulateQuery) plan() (*events.Plan, error) {
	given := func(n, standard int) int {
		if n == byDefault {
			return standard
		}
		return n
	}
	jobs := given(q.jobs, standardJobs)
	warm, reps, batches := given(q.warmUp, jobs/5), q.number(q.reps, 32), given(q.batches, 1)
	first := fewestReplications // before the first look at the target
	var f faults
	q.Query.faults(&f)
	q.Target.faults(&f)
	q.m.drawingFaults(&f)
	f.check(jobs >= 1, "Jobs(%d): at least one recorded job is needed", q.jobs)
	f.check(warm >= 0 || q.warmUp == byDefault, "WarmUp(%d): must not be negative; 0 leaves out no job", warm)
	f.check(reps >= 2, "Replications(%d): at least two are needed for an interval; for one long run use Batches", reps)
	f.atMost("Jobs", int64(jobs), mostJobs)
	f.atMost("WarmUp", int64(warm), mostJobs)
	f.atMost("Replications", int64(reps), mostSamples)
	f.memory(2*float64(batches)*(40*float64(len(q.m.classes))+80), "Batches(%d)", batches)
	if q.batches != byDefault {
		f.check(q.reps == byDefault, "Batches(%d) and Replications(%d): one long run or several, choose one", batches, reps)
		f.check(batches >= fewestBatches, "Batches(%d): fewer than %d give no trustworthy interval; 20 to 30 are usual", batches, fewestBatches)
		f.check(jobs >= batches, "Jobs(%d): fewer than the batches; give at least Jobs(%d)", q.jobs, batches)
		reps, first = 1, batches
	}
	if err := f.err("simulation"); err != nil {
		return nil, err
	}
	return &events.Plan{Servers: q.m.servers, Classes: len(q.m.classes), Workers: q.workers,
		Replications: reps, Batches: batches, Level: q.level, Enough: q.enough(first),
		WarmUp: int64(warm), Length: int64((jobs + batches - 1) / batches)}, nil
}

// measured fills the result with what the simulation has measured.
func (m *Model) measured(r *Result, res *events.Result) {
	metric := func(t *events.Times) Metric {
		return Metric{Mean: t.Mean, Variance: t.Variance, Dist: t.Dist, Precision: t.Precision, Effective: t.Worth.Observations, Level: r.Level}
	}
	var waits, responses []Distribution
	var probs []float64
	for i := range r.Classes {
		c, t := &r.Classes[i], &res.Classes[i]
		c.Waiting, c.Response = metric(&t.Waiting), metric(&t.Response)
		waits, responses = append(waits, t.Waiting.Dist), append(responses, t.Response.Dist)
		probs = append(probs, c.Prob)
	}
	r.All.Waiting, r.All.Response = metric(&res.All.Waiting), metric(&res.All.Response)
	r.All.Waiting.Dist, r.All.Response.Dist = result.Mix(waits, probs), result.Mix(responses, probs)
	s := float64(m.servers)
	r.WastedHOL, r.Idle, r.MeanJobs = res.Wasted, res.Idle, res.System
	r.Utilization = plus(times(res.Idle, -1/s), 1)
	r.Utilization.HalfWidth = res.Idle.HalfWidth / s
}
