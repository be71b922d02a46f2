package trace

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// ReplayQuery runs the queue on a trace. It is a value: each call returns a changed copy.
type ReplayQuery struct {
	replaySettings
	name     string
	servers  int
	policy   policy.Policy // nil: first come first served
	jobs     iter.Seq2[Job, error]
	total    float64 // jobs; +Inf if not known
	faults   []error
	progress func(done, total float64)
	log      *Trace // nil: streamed
	fresh    bool
}

// replaySettings are what a replay is asked to measure.
type replaySettings struct {
	by                grouping
	skip              int64
	level             float64
	threshold, inTime float64
	overtaking        bool
	seed              uint64
}

// Replay runs the queue of s servers on the trace as it is, with the arrivals, needs
// and services of the log in place of random ones. It starts empty and ends when the
// last job has left. Jobs are served first come first served, or under the Policy that
// is given. Cost: one step of the recurrence of every sampler a job, equation (2) of
// Baccelli, Olliaro, Ajmone Marsan and Marin, and one more for the limit; of a policy,
// that of a simulation.
func (t *Trace) Replay(servers int) ReplayQuery {
	q := newReplay(t.Name, servers, float64(len(t.Jobs)), func(yield func(Job, error) bool) {
		for _, j := range t.Jobs {
			if !yield(j, nil) {
				return
			}
		}
	})
	q.log = t
	if err := t.Validate(); err != nil {
		q.faults = append(q.faults, err)
	}
	if err := t.fits(servers); err != nil {
		q.faults = append(q.faults, err)
	}
	return q
}

// Replay runs the queue of s servers on the log while reading it, in memory
// that grows with the classes and not with the jobs. The log must be in the
// order of arrival; ReadSWF and ReadCSV sort one that is not. Malformed lines
// are left out, and the error names them along with the result of the others. A Policy
// other than first come first served keeps the jobs in memory, 150 bytes each.
func (s *Stream) Replay(servers int) ReplayQuery {
	return newReplay(s.report.File, servers, math.Inf(1), s.Jobs())
}

func newReplay(name string, servers int, total float64, jobs iter.Seq2[Job, error]) ReplayQuery {
	return ReplayQuery{name: name, servers: servers, jobs: jobs, total: total, replaySettings: replaySettings{level: 0.95}}
}

// Policy serves the jobs under a scheduling policy; the default is first come first
// served. Backfilling takes services for known, unless it is told otherwise: with
// policy.EASY().Estimates(policy.Given()) it goes by the estimates of the log.
func (q ReplayQuery) Policy(p policy.Policy) ReplayQuery {
	q.policy = p
	return q
}

// Level sets the confidence level of all intervals; the default is 0.95.
func (q ReplayQuery) Level(level float64) ReplayQuery {
	q.level = level
	return q
}

// WarmUp leaves the waits of the first n jobs out of the result, as the queue
// starts empty; the default is 0. Averages over time are those of the whole
// run.
func (q ReplayQuery) WarmUp(n int) ReplayQuery {
	q.skip = int64(n)
	return q
}

// Progress has f called a few times a second with the jobs done and their
// number, which is +Inf for a stream.
func (q ReplayQuery) Progress(f func(done, total float64)) ReplayQuery {
	q.progress = f
	return q
}

// ByNeed makes a class of all jobs that need the same number of servers: T1, T2, ...
// This is the default.
func (q ReplayQuery) ByNeed() ReplayQuery {
	q.by = byNeed
	return q
}

// PowersOfTwo makes a class of the jobs between two powers of two: T1, T2, T3-4, T5-8,
// ... Each job keeps its own need.
func (q ReplayQuery) PowersOfTwo() ReplayQuery {
	q.by = powersOfTwo
	return q
}

// ByClass makes a class of the jobs of one label and one need: "label/need".
func (q ReplayQuery) ByClass() ReplayQuery {
	q.by = byLabel
	return q
}

// ByUser makes a class of the jobs of each user of the log; its need is the largest of
// them. Jobs of whom the log does not know the user are a class of their own.
func (q ReplayQuery) ByUser() ReplayQuery {
	q.by = byUser
	return q
}

// SlowdownThreshold has services count as no shorter than a time in slowdowns (the bounded
// slowdown of Feitelson, ten seconds in most logs); the default is the services themselves.
func (q ReplayQuery) SlowdownThreshold(time float64) ReplayQuery {
	q.threshold = time
	return q
}

// InTime sets the time within which a job must start, or be done, to count as served in
// time; the default is 0, so that the share is that of jobs which do not wait.
func (q ReplayQuery) InTime(time float64) ReplayQuery {
	q.inTime = time
	return q
}

// Overtaking counts who overtakes whom, by class. First come first served nobody does.
func (q ReplayQuery) Overtaking() ReplayQuery {
	q.overtaking = true
	return q
}

// Seed chooses the numbers that policy.UniformFactor draws for estimates; nothing else
// in a replay is random.
func (q ReplayQuery) Seed(seed uint64) ReplayQuery {
	q.seed = seed
	return q
}

// Run replays the trace. In the result, Limit is the greatest rate at which
// the same jobs in the same order could be taken: their number over the height
// of their pile; under other policies than first come first served it is not known, and
// the ideal rate bounds it. Utilization, Idle, WastedHOL and MeanJobs are exact averages
// from the first arrival to the last departure. The waits are exact too, as
// what happened to these jobs; their intervals are by batch means and concern
// the system that the trace is one history of. They assume that it is
// stationary, which logs seldom are, so take them as the least error.
//
// When ctx ends it returns what it has, along with the error of the context.
func (q ReplayQuery) Run(ctx context.Context) (_ *result.Result, err error) {
	defer panics.Catch(&err)
	return q.answer(func() (*result.Result, error) {
		r, _, err := q.run(ctx)
		return r, err
	})
}

// run also returns the account of the replay.
func (q ReplayQuery) run(ctx context.Context) (_ *result.Result, _ *account, err error) {
	defer panics.Catch(&err)
	if err := q.check(); err != nil {
		return nil, nil, err
	}
	started := time.Now()
	a := newAccount(q.replaySettings)
	h, complete, bad := q.replay(ctx, a)
	if h == nil || a.jobs == 0 {
		if len(bad) == 0 {
			bad = append(bad, errors.New("no job was read"))
		}
		return nil, nil, fmt.Errorf("replay of trace %s: %w", q.name, errors.Join(append(bad, ctx.Err())...))
	}
	r := q.result(a, h, complete)
	replicate.Finish(r, started, complete)
	if err := replicate.Interrupted(ctx, r); err != nil && ctx.Err() != nil {
		return r, a, err
	}
	if len(bad) > 0 {
		return r, a, fmt.Errorf("replay of trace %s: the result leaves out what is wrong: %w", q.name, errors.Join(bad...))
	}
	return r, a, nil
}

// check says what is wrong with the settings.
func (q ReplayQuery) check() error {
	var f check.Faults
	f.That(q.servers >= 1, "Replay(%d): at least one server is needed", q.servers)
	f.That(q.servers <= spec.MostServers, "Replay(%d): more than %d servers cannot be counted; count in larger units, such as nodes for cores", q.servers, spec.MostServers)
	f.That(q.level > 0 && q.level < 1, "Level(%v): the confidence level must lie strictly between 0 and 1", q.level)
	f.That(q.skip >= 0, "WarmUp(%d): a number of jobs cannot be negative", q.skip)
	f.That(q.threshold >= 0 && !math.IsInf(q.threshold, 1), "SlowdownThreshold(%v): give a finite time, not negative", q.threshold)
	f.That(q.inTime >= 0 && !math.IsInf(q.inTime, 1), "InTime(%v): give a finite time, not negative", q.inTime)
	f.Join(q.faults...)
	return f.Err("replay of trace " + q.name)
}

// replay has all jobs served. It reports whether it came to the end, and what is wrong;
// the history is nil where the policy is not for these jobs.
func (q ReplayQuery) replay(ctx context.Context, a *account) (h *history, complete bool, bad []error) {
	report := replicate.Throttled(q.progress)
	if q.policy == nil || q.policy.Known().Recurrence {
		p := newReplayer(q.servers, a)
		complete, bad = q.feed(ctx, a, p.take, report)
		return &p.history, complete, bad
	}
	p, complete, bad := q.gather(ctx, a)
	if p == nil {
		return nil, false, bad
	}
	if complete {
		complete = p.serve(ctx, report)
	}
	return &p.history, complete, bad
}

// gather keeps the jobs for a policy; nil where it is not for them.
func (q ReplayQuery) gather(ctx context.Context, a *account) (p *scheduled, complete bool, bad []error) {
	p = &scheduled{account: a, servers: q.servers, history: history{policy: q.policy}}
	needs := map[int]policy.Class{}
	var blind error
	complete, bad = q.feed(ctx, a, func(j *Job) error {
		if _, known := needs[j.Need]; !known {
			needs[j.Need] = policy.Class{Name: fmt.Sprintf("T%d", j.Need), Need: j.Need}
		}
		if blind == nil && !(j.Estimate > 0) {
			blind = q.blind(a.jobs, j)
		}
		return p.take(j)
	}, nil)
	classes := slices.SortedFunc(maps.Values(needs), func(a, b policy.Class) int { return a.Need - b.Need })
	if err := q.policy.Validate(q.servers, classes); err != nil {
		return nil, false, append(bad, err)
	}
	if blind != nil && q.policy.Known().Given {
		return nil, false, append(bad, blind)
	}
	return p, complete, bad
}

// blind is the error of a policy that goes by estimates and a job without one.
func (q ReplayQuery) blind(n int64, j *Job) error {
	at := fmt.Sprintf("job %d", n)
	if j.Line > 0 {
		at += fmt.Sprintf(" (line %d)", j.Line)
	}
	return fmt.Errorf("policy %v: %s has no estimate of its service; leave out the jobs without, or choose Estimates(policy.Exact()), policy.Factor(f) or policy.UniformFactor(f)", q.policy, at)
}

// mostFaults is how many malformed lines an error names.
const mostFaults = 10

// feed passes all jobs to take. It reports whether it came to the end, and the
// first lines that are wrong.
func (q ReplayQuery) feed(ctx context.Context, a *account, take func(j *Job) error, report func(done, total float64)) (complete bool, bad []error) {
	wrong := 0
	for j, err := range q.jobs {
		var line *LineError
		switch {
		case errors.As(err, &line):
			if wrong++; wrong <= mostFaults {
				bad = append(bad, err)
			}
			continue
		case err != nil:
			return false, append(bad, err)
		}
		if err := take(&j); err != nil {
			return false, append(bad, &LineError{File: q.name, Line: j.Line, Reason: err.Error()})
		}
		if a.jobs%1024 == 0 {
			if ctx.Err() != nil {
				return false, bad
			}
			if report != nil {
				report(float64(a.jobs), q.total)
			}
		}
	}
	if report != nil {
		report(float64(a.jobs), float64(a.jobs))
	}
	if wrong > mostFaults {
		bad = append(bad, fmt.Errorf("and %d more malformed lines", wrong-mostFaults))
	}
	return true, bad
}
