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
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// PathQuery asks what becomes of single jobs and servers when a log is replayed. It is a
// value: each call returns a changed copy.
type PathQuery struct {
	replay   ReplayQuery
	from, to float64
	part     bool // of the log; else all of it
}

// Path asks for the replay job by job: when each arrives, starts and ends, and on which
// servers, for a Gantt chart or for following an example by hand. Servers of a log have
// no names here: a job that starts takes the free ones of the lowest numbers, and waits
// do not depend on that. The policy, the classes, the seed and the progress are those of
// the replay. Cost: that of the replay under a policy, and O(servers) a job.
func (q ReplayQuery) Path() PathQuery { return PathQuery{replay: q} }

// Between shows the jobs that are in the system at some time from one to another, in the
// times of the log; the default is all of it. Of those that are there when it begins or
// ends the whole story is told.
func (q PathQuery) Between(from, to float64) PathQuery {
	q.from, q.to, q.part = from, to, true
	return q
}

// Run follows the jobs. The path is not Complete if the policy has not served all that
// arrive by its end. It fails where Replay does, and if no job is in the system in the
// time asked for; malformed lines are left out and named by the error. When ctx ends it returns the jobs followed by then, along with the
// error of the context.
func (q PathQuery) Run(ctx context.Context) (_ *result.Path, err error) {
	defer panics.Catch(&err)
	if q.replay.policy == nil {
		q.replay.policy = policy.FCFS{}
	}
	return q.answer(func() (*result.Path, error) { return q.run(ctx) })
}

// run is Run without memory.
func (q PathQuery) run(ctx context.Context) (*result.Path, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	a := newAccount(q.replay.replaySettings)
	jobs, complete, bad := q.replay.gather(ctx, a)
	if jobs == nil || len(jobs.jobs) == 0 || !complete {
		if len(bad) == 0 && complete {
			bad = append(bad, errors.New("no job was read"))
		}
		return nil, fmt.Errorf("path of trace %s: %w", q.replay.name, errors.Join(append(bad, context.Cause(ctx))...))
	}
	path, err := q.follow(ctx, jobs)
	if path == nil {
		return nil, err
	}
	jobs.name(path)
	if len(bad) > 0 {
		err = errors.Join(err, fmt.Errorf("path of trace %s leaves out what is wrong: %w", q.replay.name, errors.Join(bad...)))
	}
	return path, err
}

// check says what is wrong with the settings.
func (q PathQuery) check() error {
	var f check.Faults
	if err := q.replay.check(); err != nil {
		f.Join(err)
	}
	inside := !math.IsNaN(q.from) && !math.IsInf(q.from, 0) && !math.IsInf(q.to, 0) && q.from < q.to
	f.That(!q.part || inside, "Between(%v, %v): give two finite times, the earlier first", q.from, q.to)
	return f.Err("path of trace " + q.replay.name)
}

// name gives the classes of a path the order and the names of a replay's result.
func (p *scheduled) name(path *result.Path) {
	place := make([]int, len(p.groups))
	for i, class := range p.order() {
		place[class] = i
		path.Classes = append(path.Classes, p.by.name(p.groups[class].key))
	}
	for i := range path.Jobs {
		path.Jobs[i].Class = place[path.Jobs[i].Class]
	}
}

// follow serves the jobs until all that arrive in the time asked for are known.
func (q PathQuery) follow(ctx context.Context, p *scheduled) (*result.Path, error) {
	path := &result.Path{Servers: q.replay.servers, Seed: q.replay.seed, From: p.jobs[0].Arrival, To: math.Inf(1)}
	if q.part {
		path.From, path.To = q.from, q.to
	}
	after := func(t float64) int {
		return sort.Search(len(p.jobs), func(i int) bool { return p.jobs[i].Arrival >= t })
	}
	first, left := after(path.From), after(path.To)
	if err := q.memory(p.jobs[first:left]); err != nil {
		return nil, err
	}
	starts := slices.Repeat([]float64{math.Inf(1)}, left) // of jobs that are never served
	report, total := replicate.Throttled(q.replay.progress), float64(left)
	sim := p.simulator()
	seats := sim.Sit()
	sim.Recorded = func(r *events.Record) {
		j := seats.Job(r)
		if r.Number >= int64(len(starts)) {
			return
		}
		left--
		starts[r.Number] = r.Start
		if j.Arrival >= path.From || j.End > path.From {
			path.Jobs = append(path.Jobs, j)
		}
	}
	sim.ResetTo(events.Log(p.jobs), q.replay.seed)
	for left > 0 && ctx.Err() == nil && sim.Handle(eventsAtOnce) {
		if report != nil {
			report(total-float64(left), total)
		}
	}
	q.close(path, starts)
	path.Complete, path.Closed = left == 0, true
	switch {
	case ctx.Err() != nil && left > 0:
		return path, errors.Join(fmt.Errorf("path of trace %s: interrupted after %d of %d jobs", q.replay.name, len(starts)-left, len(starts)), context.Cause(ctx))
	case len(path.Jobs) == 0:
		last := p.jobs[len(p.jobs)-1].Arrival
		return nil, fmt.Errorf("path of trace %s: Between(%v, %v): no job is served in this time; jobs arrive from %v to %v", q.replay.name, q.from, q.to, p.jobs[0].Arrival, last)
	}
	return path, nil
}

// memory says if the path would take too much.
func (q PathQuery) memory(jobs []events.Logged) error {
	bytes := 16 * float64(q.replay.servers)
	for i := range jobs {
		bytes += 130 + 16*float64(jobs[i].Need)
	}
	var f check.Faults
	f.Memory(bytes, "Path() of %d jobs on %d servers; ask for less with Between", len(jobs), q.replay.servers)
	return f.Err("path of trace " + q.replay.name)
}

// close puts the jobs in order and finds when each comes to the head of the line, and
// where a path of the whole log ends.
func (q PathQuery) close(path *result.Path, starts []float64) {
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
	if !q.part {
		path.To = last
	}
}
