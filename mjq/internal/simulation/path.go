package simulation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// pathPlan is the settings of a path.
type pathPlan struct {
	o            *problem.Options
	warmUp, jobs int64
}

// Path follows jobs one by one: when each arrives, starts and ends, and on which
// servers; first come first served by the recurrence, else by the event engine. Any arrival rate will do, an unstable one too. When ctx ends it returns the
// jobs followed by then, along with the error of the context.
func Path(ctx context.Context, p *problem.Problem, from, to int, o problem.Options) (_ *result.Path, err error) {
	defer problem.Caught("Path", &err)
	o.Seed = o.SeedOr(problem.SeedPath)
	return cache.Answer(func() *cache.Question { return p.Question("path", &o, [...]int{from, to}) }, o.Fresh,
		func(x *result.Path, at time.Time) { x.Remembered = at },
		func(x *result.Path) bool { return x.Complete },
		func() (*result.Path, error) {
			return followPath(ctx, p, &pathPlan{&o, int64(from), int64(to) - int64(from)})
		})
}

// followPath is Path without memory.
func followPath(ctx context.Context, p *problem.Problem, q *pathPlan) (*result.Path, error) {
	if err := q.check(p); err != nil {
		return nil, err
	}
	x, err := run.Open(ctx, p, nil, q.o, float64(q.warmUp)+float64(q.jobs))
	if err != nil {
		return nil, err
	}
	out := &result.Path{Servers: p.Servers, Seed: q.o.Seed}
	for _, c := range p.Classes {
		out.Classes = append(out.Classes, c.Name)
	}
	input := x.System(q.o.Seed, 1).Input
	if p.Features().Has(spec.Reordered) {
		return out, q.schedule(ctx, x.Problem, input, out)
	}
	b := bench{releases: make([]float64, p.Servers), sorted: make([]float64, p.Servers)}
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	next, err := q.follow(ctx, input.Reader(0).Until(&stop), out, &b)
	out.To = max(next, b.started)
	closePath(out, q.warmUp)
	return out, err
}

// check is all that keeps the path from being followed.
func (q *pathPlan) check(p *problem.Problem) error {
	var f check.Faults
	if first := q.warmUp; first < 0 || q.jobs < 1 {
		f.Asked(false, "jobs %d to %d: give the first, from 0 on, and the one after the last", first, first+q.jobs)
	} else {
		q.o.Check(&f)
		problem.SettingFaults(&f, problem.Length{Jobs: int(q.jobs), WarmUp: int(q.warmUp)})
	}
	p.DrawingFaults(&f)
	p.PolicyFaults(&f)
	f.That(p.Servers <= mostFollowed, "%d servers: each is followed, at most %d; use a sampler, which does not tell them apart", p.Servers, mostFollowed)
	f.Memory(16*float64(p.Servers)+float64(q.jobs)*(120+16*p.MeanNeed()), "Jobs %d on %d servers", q.jobs, p.Servers)
	return f.Err("Path")
}

// mostFollowed is how many servers a path may have for a job to take no longer
// than a run may go on after its context has ended.
const mostFollowed = 1_000_000

// follow takes the jobs from reader one by one. It returns the arrival time of the job after
// the last.
func (q *pathPlan) follow(ctx context.Context, reader *stream.Reader, p *result.Path, b *bench) (now float64, err error) {
	report := q.o.Throttled()
	var in [64]stream.Job
	total := q.warmUp + q.jobs
	for first := int64(0); first < total; first += int64(len(in)) {
		if first < q.warmUp {
			p.Jobs = slices.DeleteFunc(p.Jobs, func(j result.PathJob) bool { return j.End <= now })
		}
		if report != nil {
			report(float64(first), float64(total))
		}
		reader.Fill(in[:], first)
		for i := range in[:min(int64(len(in)), total-first)] {
			if ctx.Err() != nil {
				return now, errors.Join(fmt.Errorf("Path: interrupted after %d of %d jobs", first+int64(i), total), context.Cause(ctx))
			}
			p.Jobs = append(p.Jobs, b.serve(now, first+int64(i), &in[i]))
			now += in[i].Gap
		}
	}
	p.Complete = true
	if report != nil {
		report(float64(total), float64(total))
	}
	return now, nil
}

// closePath finds where the path begins and leaves out the jobs that have gone by
// then.
func closePath(p *result.Path, warmUp int64) {
	for _, j := range p.Jobs {
		if j.Number <= warmUp {
			p.From = j.Arrival
		}
	}
	p.Jobs = slices.DeleteFunc(p.Jobs, func(j result.PathJob) bool { return j.Number < warmUp && j.End <= p.From })
}

// bench is the row of servers: when each becomes free.
type bench struct {
	releases, sorted []float64
	started          float64 // latest start of service
}

// serve finds when and where a job that arrives now starts. It starts when
// nobody is before it and as many servers as it needs are free; that it takes
// the lowest numbers of these is our choice.
func (b *bench) serve(now float64, number int64, j *stream.Job) result.PathJob {
	job := result.PathJob{Number: number, Class: int(j.Class), Need: int(j.Need), Arrival: now, Head: max(now, b.started)}
	copy(b.sorted, b.releases)
	slices.Sort(b.sorted)
	job.Start = max(job.Head, b.sorted[job.Need-1])
	job.End = job.Start + j.Service
	for k, at := range b.releases {
		if at <= job.Start && len(job.Seized) < job.Need {
			job.Seized = append(job.Seized, k)
			b.releases[k] = job.End
		}
	}
	b.started = job.Start
	return job
}
