package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Path follows the jobs of a replay one by one: when each arrives, starts and ends, and on
// which servers, for a Gantt chart or for following an example by hand. It shows the jobs
// that are in the system at some time between from and to, in the times of the log; of those
// that are there when it begins or ends the whole story is told. With 0 and 0 it shows all.
//
//	p, err := log.Path(ctx, trace.Replay{Servers: 64, Policy: mjq.EASY()}, 0, 3600)
//
// Servers of a log have no names here: a job that starts takes the free ones of the lowest
// numbers, and waits do not depend on that. The settings of measurement (WarmUp, Within, ...)
// do not matter. The path is not Complete if the policy has not served all that arrive by its
// end. It fails where Replay does, and if no job is in the system in the time asked for. When
// ctx ends it returns the jobs followed by then, along with the error of the context. Options:
// those of every question. Cost: that of the replay under a policy, and O(servers) a job.
func (t *Trace) Path(ctx context.Context, how Replay, from, to float64, opts ...mjq.Option) (*result.Path, error) {
	return newPath(t.replayed(ctx, "Path", how, opts), from, to).answered(ctx)
}

// Path follows the jobs of a replay one by one; see Trace.Path. Malformed lines are left out,
// and the error names them along with the path of the others.
func (s *Stream) Path(ctx context.Context, how Replay, from, to float64, opts ...mjq.Option) (*result.Path, error) {
	return newPath(s.replayed(ctx, "Path", how, opts), from, to).answered(ctx)
}

// paths is a path that was asked for.
type paths struct {
	*replay
	from, to float64
}

func newPath(q *replay, from, to float64) *paths {
	if q.Policy == nil {
		q.Policy = policy.FCFS{}
	}
	return &paths{q, from, to}
}

// part reports whether not all of the log is asked for.
func (q *paths) part() bool { return q.from != 0 || q.to != 0 }

// run follows the jobs.
func (q *paths) run(ctx context.Context) (*result.Path, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	a := newAccount(q.replay)
	jobs, complete, bad := q.gather(ctx, a)
	if jobs == nil || len(jobs.class) == 0 || !complete {
		if len(bad) == 0 && complete {
			bad = append(bad, errors.New("no job was read"))
		}
		return nil, fmt.Errorf("Path of trace %s: %w", q.name, errors.Join(append(bad, context.Cause(ctx))...))
	}
	path, err := q.follow(ctx, jobs)
	if path == nil {
		return nil, err
	}
	jobs.title(path)
	if len(bad) > 0 {
		err = errors.Join(err, fmt.Errorf("Path of trace %s leaves out what is wrong: %w", q.name, errors.Join(bad...)))
	}
	return path, err
}

// check says what is wrong with the settings.
func (q *paths) check() error {
	var f check.Faults
	if err := q.replay.check(); err != nil {
		f.Join(err)
	}
	f.That(len(q.Limits) == 0, "Path: Limits are for Replay, Compare and WhatIf; leave them out")
	f.That(!q.away(), "Path: Failures and Reserve are for Replay, Compare and WhatIf; leave them out")
	f.That(len(q.Elastic) == 0, "Path: Elastic jobs have no fixed servers and are for Replay, Compare and WhatIf; leave them out")
	f.That(!q.Loop, "Path: Loop is for Replay, Compare and WhatIf; leave it out")
	f.That(len(q.Units)+len(q.Partitions) == 0, "Path: servers of types or of partitions have no place in one path; follow the jobs of one resource or partition, read with Need or chosen by Trace.Only")
	inside := !math.IsNaN(q.from) && !math.IsInf(q.from, 0) && !math.IsInf(q.to, 0) && q.from < q.to
	f.That(!q.part() || inside, "from %v to %v: give two finite times, the earlier first, or 0 and 0 for all", q.from, q.to)
	return f.Err("Path of trace " + q.name)
}

// title gives the classes of a path the order and the names of a replay's result.
func (p *scheduled) title(path *result.Path) {
	place := make([]int, len(p.groups))
	for i, class := range p.order() {
		place[class] = i
		path.Classes = append(path.Classes, p.Classes.name(p.groups[class].key))
	}
	for i := range path.Jobs {
		path.Jobs[i].Class = place[path.Jobs[i].Class]
	}
}

// follow serves the jobs until all that arrive in the time asked for are known.
func (q *paths) follow(ctx context.Context, p *scheduled) (*result.Path, error) {
	path := &result.Path{Servers: q.Servers, Unit: q.unit, Seed: q.Seed, From: p.parts[0].jobs[0].Arrival, To: math.Inf(1)}
	if q.part() {
		path.From, path.To = q.from, q.to
	}
	after := func(t float64) int {
		return sort.Search(len(p.parts[0].jobs), func(i int) bool { return p.parts[0].jobs[i].Arrival >= t })
	}
	first, left := after(path.From), after(path.To)
	if err := q.memory(p.parts[0].jobs[first:left]); err != nil {
		return nil, err
	}
	starts := slices.Repeat([]float64{math.Inf(1)}, left) // of jobs that are never served
	report, total := replicate.Throttled(q.Progress), float64(left)
	sim := events.New(p.parts[0].system(p.history.policy))
	seats := sim.Sit()
	path.Nodes = seats.First()
	sim.Recorded = func(r *events.Record) {
		j := seats.Job(r)
		j.Class = p.parts[0].class(j.Class)
		if r.Number >= int64(len(starts)) {
			return
		}
		left--
		starts[r.Number] = r.Start
		if j.Arrival >= path.From || j.End > path.From {
			path.Jobs = append(path.Jobs, j)
		}
	}
	sim.ResetTo(events.Log(p.parts[0].jobs), q.Seed)
	for left > 0 && ctx.Err() == nil && sim.Handle(eventsAtOnce) {
		if report != nil {
			report(total-float64(left), total)
		}
	}
	q.close(path, starts)
	path.Complete, path.Closed = left == 0, true
	switch {
	case ctx.Err() != nil && left > 0:
		return path, errors.Join(fmt.Errorf("Path of trace %s: interrupted after %d of %d jobs", q.name, len(starts)-left, len(starts)), context.Cause(ctx))
	case len(path.Jobs) == 0:
		last := p.parts[0].jobs[len(p.parts[0].jobs)-1].Arrival
		return nil, fmt.Errorf("Path of trace %s: from %v to %v: no job is served in this time; jobs arrive from %v to %v", q.name, q.from, q.to, p.parts[0].jobs[0].Arrival, last)
	}
	return path, nil
}

// memory says if the path would take too much.
func (q *paths) memory(jobs []events.Logged) error {
	bytes := 16 * float64(q.Servers)
	for i := range jobs {
		bytes += 130 + 16*float64(jobs[i].Need)
	}
	var f check.Faults
	f.Memory(bytes, "Path of %d jobs on %d servers; ask for less of the log", len(jobs), q.Servers)
	return f.Err("Path of trace " + q.name)
}

// close puts the jobs in order and finds when each comes to the head of the line, and
// where a path of the whole log ends.
func (q *paths) close(path *result.Path, starts []float64) {
	slices.SortFunc(path.Jobs, func(a, b result.PathJob) int { return cmp.Compare(a.Number, b.Number) })
	number, started, last := int64(0), math.Inf(-1), path.From
	for i := range path.Jobs {
		j := &path.Jobs[i]
		for ; number < j.Number; number++ {
			started = max(started, starts[number])
		}
		j.Head = min(j.Start, max(j.Arrival, started))
		last = max(last, j.End)
	}
	if !q.part() {
		path.To = last
	}
}
