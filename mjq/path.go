package mjq

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// PathQuery asks for a sample path.
type PathQuery struct {
	Query[PathQuery]
	m            *Model
	warmUp, jobs int
}

// Path asks for a sample path: when each job arrives, starts and ends, and on
// which servers. A job that starts takes the free servers of the lowest
// numbers; waits do not depend on that choice. The jobs are those of the first
// replication of Simulate and Forward with the same seed. Level and Workers
// change nothing.
//
// Cost: O(s log s) a job for s servers, more than the samplers, which do not
// know servers apart.
func (m *Model) Path() *PathQuery {
	q := &PathQuery{m: m, jobs: 100}
	q.Query = newQuery(q, seedPath)
	return q
}

// Jobs sets how many jobs to show, from the warm-up on; the default is 100.
func (q *PathQuery) Jobs(n int) *PathQuery {
	q.jobs = n
	return q
}

// WarmUp sets the number of jobs before those shown; the default is none, so
// that the path starts with an empty system. Earlier jobs that are still there
// when the first one shown arrives are part of the path too.
func (q *PathQuery) WarmUp(n int) *PathQuery {
	q.warmUp = n
	return q
}

// Run follows the jobs. Any arrival rate will do, an unstable one too. When ctx
// ends it returns the jobs followed by then, along with the error of the
// context.
func (q *PathQuery) Run(ctx context.Context) (_ *Path, err error) {
	defer caught("path", &err)
	var f faults
	q.Query.faults(&f)
	q.m.drawingFaults(&f)
	f.check(q.jobs >= 1, "Jobs(%d): at least one job is needed", q.jobs)
	f.check(q.warmUp >= 0, "WarmUp(%d): must not be negative; 0 shows the path from an empty system on", q.warmUp)
	f.atMost("WarmUp", int64(q.warmUp), mostJobs)
	f.check(q.m.servers <= mostFollowed, "Path() of %d servers: each is followed, at most %d; use a sampler, which does not tell them apart", q.m.servers, mostFollowed)
	f.memory(16*float64(q.m.servers)+float64(q.jobs)*(120+16*q.m.meanNeed()), "Jobs(%d) on %d servers", q.jobs, q.m.servers)
	if err := f.err("path"); err != nil {
		return nil, err
	}
	run, err := q.open(ctx, q.m, float64(q.warmUp)+float64(q.jobs))
	if err != nil {
		return nil, err
	}
	p := &Path{Servers: q.m.servers}
	for _, c := range q.m.classes {
		p.Classes = append(p.Classes, c.Name)
	}
	b := bench{releases: make([]float64, q.m.servers), sorted: make([]float64, q.m.servers)}
	next, err := q.follow(ctx, run.system(q.seed, 1).Input.Reader(0), p, &b)
	p.To = max(next, b.started)
	closePath(p, q.warmUp)
	return p, err
}

// mostFollowed is how many servers a path may have for a job to take no longer
// than a run may go on after its context has ended.
const mostFollowed = 1_000_000

// meanNeed is E[α].
func (m *Model) meanNeed() (sum float64) {
	for _, c := range m.classes {
		sum += c.Prob * float64(c.Need)
	}
	return sum
}

// follow takes the jobs from reader one by one. It returns the arrival time of the job after
// the last.
func (q *PathQuery) follow(ctx context.Context, reader *stream.Reader, p *Path, b *bench) (now float64, err error) {
	report := q.throttled()
	var in [64]stream.Job
	total := int64(q.warmUp) + int64(q.jobs)
	for first := int64(0); first < total; first += int64(len(in)) {
		if first < int64(q.warmUp) {
			p.Jobs = slices.DeleteFunc(p.Jobs, func(j PathJob) bool { return j.End <= now })
		}
		if report != nil {
			report(float64(first), float64(total))
		}
		reader.Fill(in[:], first)
		for i := range in[:min(int64(len(in)), total-first)] {
			if ctx.Err() != nil {
				return now, errors.Join(fmt.Errorf("mjq: path: interrupted after %d of %d jobs", first+int64(i), total), context.Cause(ctx))
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
func closePath(p *Path, warmUp int) {
	for _, j := range p.Jobs {
		if j.Number <= int64(warmUp) {
			p.From = j.Arrival
		}
	}
	p.Jobs = slices.DeleteFunc(p.Jobs, func(j PathJob) bool { return j.Number < int64(warmUp) && j.End <= p.From })
}

// bench is the row of servers: when each becomes free.
type bench struct {
	releases, sorted []float64
	started          float64 // latest start of service
}

// serve finds when and where a job that arrives now starts. It starts when
// nobody is before it and as many servers as it needs are free; that it takes
// the lowest numbers of these is our choice.
func (b *bench) serve(now float64, number int64, j *stream.Job) PathJob {
	job := PathJob{Number: number, Class: int(j.Class), Need: int(j.Need), Arrival: now, Head: max(now, b.started)}
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
