package trace

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// ReplayQuery runs the queue on a trace. It is a value: each call returns a changed copy.
type ReplayQuery struct {
	by       grouping
	name     string
	servers  int
	jobs     iter.Seq2[Job, error]
	total    float64 // jobs; +Inf if not known
	faults   []error
	level    float64
	skip     int
	progress func(done, total float64)
}

// Replay runs the queue of s servers on the trace as it is: the recurrence of
// every sampler, equation (2) of Baccelli, Olliaro, Ajmone Marsan and Marin,
// with the arrivals, needs and services of the log in place of random ones. It
// starts empty and ends when the last job has left. Cost: one step of the
// recurrence a job, and one more for the limit.
func (t *Trace) Replay(servers int) ReplayQuery {
	q := newReplay(t.Name, servers, float64(len(t.Jobs)), func(yield func(Job, error) bool) {
		for _, j := range t.Jobs {
			if !yield(j, nil) {
				return
			}
		}
	})
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
// are left out, and the error names them along with the result of the others.
func (s *Stream) Replay(servers int) ReplayQuery {
	return newReplay(s.report.File, servers, math.Inf(1), s.Jobs())
}

func newReplay(name string, servers int, total float64, jobs iter.Seq2[Job, error]) ReplayQuery {
	return ReplayQuery{name: name, servers: servers, jobs: jobs, total: total, level: 0.95}
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
	q.skip = n
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

// Run replays the trace. In the result, Limit is the greatest rate at which
// the same jobs in the same order could be taken: their number over the height
// of their pile. Utilization, Idle, WastedHOL and MeanJobs are exact averages
// from the first arrival to the last departure. The waits are exact too, as
// what happened to these jobs; their intervals are by batch means and concern
// the system that the trace is one history of. They assume that it is
// stationary, which logs seldom are, so take them as the least error.
//
// When ctx ends it returns what it has, along with the error of the context.
func (q ReplayQuery) Run(ctx context.Context) (_ *result.Result, err error) {
	defer panics.Catch(&err)
	var f check.Faults
	f.That(q.servers >= 1, "Replay(%d): at least one server is needed", q.servers)
	f.That(q.servers <= spec.MostServers, "Replay(%d): more than %d servers cannot be counted; count in larger units, such as nodes for cores", q.servers, spec.MostServers)
	f.That(q.level > 0 && q.level < 1, "Level(%v): the confidence level must lie strictly between 0 and 1", q.level)
	f.That(q.skip >= 0, "WarmUp(%d): a number of jobs cannot be negative", q.skip)
	f.Join(q.faults...)
	if err := f.Err("replay of trace " + q.name); err != nil {
		return nil, err
	}
	started := time.Now()
	p := newReplayer(q.servers, q.skip, q.by)
	complete, bad := q.feed(ctx, p)
	if p.jobs == 0 {
		return nil, errors.Join(fmt.Errorf("replay of trace %s: no job was read", q.name), errors.Join(bad...), ctx.Err())
	}
	r := q.result(p)
	replicate.Finish(r, started, complete)
	if err := replicate.Interrupted(ctx, r); err != nil && ctx.Err() != nil {
		return r, err
	}
	if len(bad) > 0 {
		return r, fmt.Errorf("replay of trace %s: the result leaves out what is wrong: %w", q.name, errors.Join(bad...))
	}
	return r, nil
}

// mostFaults is how many malformed lines an error names.
const mostFaults = 10

// feed passes all jobs to p. It reports whether it came to the end, and the
// first lines that are wrong.
func (q ReplayQuery) feed(ctx context.Context, p *replayer) (complete bool, bad []error) {
	report := replicate.Throttled(q.progress)
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
		if err := p.take(&j); err != nil {
			return false, append(bad, &LineError{File: q.name, Line: j.Line, Reason: err.Error()})
		}
		if p.jobs%1024 == 0 {
			if ctx.Err() != nil {
				return false, bad
			}
			if report != nil {
				report(float64(p.jobs), q.total)
			}
		}
	}
	if report != nil {
		report(float64(p.jobs), float64(p.jobs))
	}
	if wrong > mostFaults {
		bad = append(bad, fmt.Errorf("and %d more malformed lines", wrong-mostFaults))
	}
	return true, bad
}

// result describes what p has seen.
func (q ReplayQuery) result(p *replayer) *result.Result {
	const method = "batch means"
	n, busy := float64(p.jobs), p.work/p.end
	r := &result.Result{Solver: "replay of trace " + q.name, Level: q.level, Rate: (n - 1) / p.now,
		Source: "Baccelli, Olliaro, Ajmone Marsan, Marin: equation (2) run on a trace",
		Model:  fmt.Sprintf("FCFS multiserver-job queue: %s, %s of a trace", spec.Count(q.servers, "server"), spec.Count(int(p.jobs), "job"))}
	r.Limit = result.Stability{Rate: n / p.pile.Top(), Method: "pile of the trace", Source: r.Source,
		IdealRate: float64(q.servers) * n / p.work, Jobs: p.jobs, Met: true}
	r.Limit.Wasted = float64(q.servers) * (1 - r.Limit.Rate/r.Limit.IdealRate)
	r.Stable = r.Rate < r.Limit.Rate
	r.Run.Steps, r.Run.Samples, r.Run.WarmUp, r.Run.Jobs = p.jobs, p.batches.full+1, int64(q.skip), p.jobs
	order := make([]int, len(p.groups))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return p.groups[a].key.before(p.groups[b].key) })
	all := make([]estimate.Batch, 2*mostBatches)
	sojourn := make([]estimate.Batch, 2*mostBatches)
	for _, i := range order {
		g := &p.groups[i]
		c := result.ClassResult{Name: q.by.name(g.key), Need: g.need, Prob: g.jobs / n}
		fromBatches(&c.Waiting, p.batches.waits(i, all), q.level, method)
		fromBatches(&c.Response, p.batches.responses(i, sojourn), q.level, method)
		c.Waiting.Dist, c.Response.Dist = g.wait.Distribution(), g.response.Distribution()
		r.Classes = append(r.Classes, c)
	}
	r.All = result.ClassResult{Name: "all", Prob: 1}
	fromBatches(&r.All.Waiting, all[:p.batches.full+1], q.level, method)
	fromBatches(&r.All.Response, sojourn[:p.batches.full+1], q.level, method)
	r.All.Waiting.Dist, r.All.Response.Dist = q.mixture(p, order, r)
	r.WastedHOL, r.MeanJobs = result.Exact(p.waste/p.end, "trace"), result.Exact(p.sojourn/p.end, "trace")
	r.Utilization, r.Idle = result.Exact(busy/float64(q.servers), "trace"), result.Exact(float64(q.servers)-busy, "trace")
	r.Notes = append(r.Notes, fmt.Sprintf("A trace is one history: the intervals are by batch means over %d batches and assume that it is stationary.", p.batches.full+1))
	if !r.Stable {
		r.Notes = append(r.Notes, fmt.Sprintf("The trace brings %.6g jobs a unit of time and these servers can take %.6g: waits grew to the end and say how long the trace is, not how long jobs wait.", r.Rate, r.Limit.Rate))
	}
	return r
}

// mixture is the distribution of the waits and responses of all jobs.
func (q ReplayQuery) mixture(p *replayer, order []int, r *result.Result) (waits, responses result.Distribution) {
	var w, s []result.Distribution
	var probs []float64
	for k, i := range order {
		w, s = append(w, r.Classes[k].Waiting.Dist), append(s, r.Classes[k].Response.Dist)
		probs = append(probs, p.groups[i].seen)
	}
	return result.Mix(w, probs), result.Mix(s, probs)
}

// fromBatches fills the moments of a metric from batches.
func fromBatches(m *result.Metric, batches []estimate.Batch, level float64, method string) {
	var worth estimate.Worth
	m.Mean, m.Variance, worth = estimate.OfBatches(batches, level, method)
	m.Effective = worth.Observations
	m.Level = level
}
