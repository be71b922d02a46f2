package mjq

import (
	"context"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// ForwardQuery asks for replications of the queue from an empty start.
type ForwardQuery struct {
	Query[ForwardQuery]
	Target[ForwardQuery]
	Place[ForwardQuery]
	m      *Model
	jobs   int64 // byDefault: by the relaxation time
	warmUp int64 // byDefault: a fifth of the jobs
	reps   int
	by     bool
}

// Forward runs the recurrence forward from an empty system in independent
// replications and records every job after a warm-up (F-MJSRE in the paper).
// It is the cheapest way to a mean, above all with ControlVariates, but nothing in
// it shows whether the warm-up was long enough; near the limit it underestimates.
//
// Cost: one step a job. Memory does not grow with the number of jobs.
func (s SampleQuery) Forward() *ForwardQuery {
	q := &ForwardQuery{m: s.m, jobs: byDefault, warmUp: byDefault, reps: byDefault}
	q.Query, q.Target, q.Place = newQuery(q, seedForward), newTarget(q), newPlace(q)
	return q
}

// Jobs sets the number of recorded jobs a replication. The default is a hundred times
// as many as the queue needs to forget its state, 2 (c_a² + c_w²)/(1-load)² with the
// squared coefficients of variation of the time between arrivals and of the work of a
// job, but at least a million and at most ten million; other queues than the plain one
// have a million. A note says when a replication is short against that.
func (q *ForwardQuery) Jobs(n int) *ForwardQuery {
	q.jobs = int64(n)
	return q
}

// WarmUp sets the number of jobs left out at the start of each replication;
// the default is a fifth of Jobs.
func (q *ForwardQuery) WarmUp(n int) *ForwardQuery {
	q.warmUp = int64(n)
	return q
}

// Replications sets the number of independent replications, from which the
// intervals come; the default is 32.
func (q *ForwardQuery) Replications(n int) *ForwardQuery {
	q.reps = n
	return q
}

// ControlVariates has means and variances use what is known of the jobs that came:
// that more or less work than expected arrived, and how full the queue was then,
// explains much of the spread of the replications. The nearer the limit, the more
// it narrows the intervals; Run.Gain says by how much, and is 0 where a replication
// is too short: the jobs of the class that matters most must come 30 times. The
// estimates are then not the averages over the jobs that the same seed gives without
// it. Followed samples of Certified and Unbiased always do this; METHODS.md explains
// it, with what it gains and costs.
func (q *ForwardQuery) ControlVariates() *ForwardQuery {
	q.by = true
	return q
}

// warm is the warm-up of replications of so many jobs.
func (q *ForwardQuery) warm(jobs int64) int64 {
	if q.warmUp == byDefault {
		return jobs / 5
	}
	return q.warmUp
}

// Run makes the replications. When ctx ends it returns those completed, along
// with the error of the context.
func (q *ForwardQuery) Run(ctx context.Context) (_ *Result, err error) {
	defer caught("forward sampling", &err)
	jobs := q.jobs
	if jobs == byDefault {
		jobs = standardJobs
	}
	var f faults
	q.Query.faults(&f)
	q.Target.faults(&f)
	q.Place.faults(&f)
	reps := q.number(q.reps, 32)
	q.m.drawingFaults(&f)
	f.check(jobs >= 1, "Jobs(%d): at least one job a replication is needed", q.jobs)
	f.atMost("Jobs", jobs, mostJobs)
	f.check(q.warm(jobs) >= 0 || jobs < 1, "WarmUp(%d): must not be negative; 0 leaves out no job", q.warmUp)
	f.atMost("WarmUp", q.warm(jobs), mostJobs)
	f.atMost("Replications", int64(reps), mostSamples)
	f.check(reps >= 2, "Replications(%d): at least two are needed for an interval", reps)
	f.check(!q.by || q.on != GPU, "ControlVariates() with On(mjq.GPU): only the processor keeps account of the jobs; use On(mjq.CPU), or leave ControlVariates out")
	if err := f.err("forward sampling"); err != nil {
		return nil, err
	}
	run, err := q.open(ctx, q.m, float64(jobs+q.warm(jobs))*float64(reps))
	if err != nil {
		return nil, err
	}
	sys := run.system(q.seed, q.workers)
	if q.by {
		q.stay("control variates are taken on the processor only")
	}
	at, err := q.settle(&sys)
	if err != nil {
		return nil, err
	}
	defer at.end()
	r, ok, err := run.begin(ctx, "forward", "Baccelli, Olliaro, Ajmone Marsan, Marin: equation (2) run forward")
	if !ok {
		return r, err
	}
	if err := q.untargeted(ctx, run.Model, r.Rate, overJobs); err != nil {
		return nil, err
	}
	if q.jobs == byDefault {
		jobs = run.replicationJobs(r.Rate / r.Limit.Rate)
	}
	started, warm := time.Now(), q.warm(jobs)
	w := sampling.Forward{System: sys, Replications: reps,
		WarmUp: warm, Jobs: jobs, Controlled: q.by, Level: q.level, Enough: q.enough(fewestReplications)}
	res := w.Run(ctx, q.throttled())
	if res.Failed != nil {
		return nil, res.Failed
	}
	at.tell(r)
	r.Run.Samples, r.Run.Steps, r.Run.WarmUp, r.Run.Jobs = res.Done, res.Steps, warm, jobs
	finish(&r.Run, started, res.Done == reps || ctx.Err() == nil)
	for c := range r.Classes {
		fillClass(&r.Classes[c], &res.Classes[c], q.level, "replications")
	}
	setPrecision(&r.All, &res.All)
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.MeanW, res.All.VarianceW
	hol, kinds := res.HOL, res.Kinds
	if fit := res.Fit; fit != nil {
		method := "replications" + controlled(fit)
		for i := range r.Classes { // the number of jobs of a class is random
			w := &r.Classes[i].Waiting
			w.Mean, w.Variance = fit.Ratios(3*i, q.level, method)
		}
		hol = useControlsAll(r, fit, 3*len(r.Classes), method)
		for k := range kinds {
			kinds[k] = fit.Mean(3*len(r.Classes)+3+k, q.level, method)
		}
	}
	q.m.close(r, hol, res.All.Effective)
	q.m.closeResources(r, kinds)
	run.heavyTails(ctx, r, overJobs)
	run.shortNotes(r, jobs, "replication")
	q.note(r)
	return r, interrupted(ctx, r)
}
