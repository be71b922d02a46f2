package trace

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Replay says how the queue is run on a log, for the questions Replay, Path and Compare.
type Replay struct {
	// Servers is their number; by default that which the log says, if it does.
	Servers int
	// Policy serves the jobs; nil is first come first served. Backfilling takes services for
	// known unless it is told otherwise: with policy.EASY().Estimates(policy.Given()) it goes
	// by the estimates of the log.
	Policy mjq.Policy
	// Classes says which jobs make a class; by default those of one need.
	Classes Grouping
	// WarmUp is the number of jobs at the beginning whose waits are left out of the result, as
	// the queue starts empty; by default none is. Averages over time have them all.
	WarmUp int
	// SlowdownThreshold has services count as no shorter than a time in slowdowns (the bounded
	// slowdown of Feitelson, ten seconds in most logs); the default is the services themselves.
	SlowdownThreshold float64
	// Within is the time within which a job must start, or be done, to count as served in
	// time; by default no such share is told.
	Within float64
	// Overtaking counts who overtakes whom, by class. First come first served nobody does.
	Overtaking bool
	// Units is how many units there are of each type of a log with types, in the order of
	// Trace.Types, in place of Servers. Every policy for types of resources can serve them.
	Units []int
	// Partitions are parts of the system with servers and a queue of their own; the class of a job
	// names its partition. Servers is then their sum.
	Partitions []Partition
	// Limits keep jobs out of the queue while others of their user or class hold too much. With
	// Partitions they count in each partition on its own.
	Limits []Limit
	// Nodes are nodes on which jobs are placed, kinds of them in the order of preference, in place
	// of Servers. A job lies on as many nodes as Job.Nodes says, with equal needs on each, if that
	// is possible. Otherwise it lies on one node, or, needing a multiple of the largest node, on whole
	// nodes, or else anywhere, which a note counts.
	Nodes []spec.Nodes
	// Placement of jobs on Nodes; nil is best fit.
	Placement mjq.Placement
	// NoEstimate is the estimate of jobs whose users gave none, such as those without a time limit.
	// Without it a policy that goes by estimates refuses a log with such jobs.
	NoEstimate float64
	// Since and Until are the window in which jobs count, in the times of the log: those that arrive
	// from Since on and before Until. Jobs that were there at Since are the initial state. 0 is the
	// window of the log, see Trace.Window, and mjq.None is none.
	Since, Until float64
	// Failures are those of servers, or of Nodes, at given times. After says how the jobs that they hit
	// continue, by default from their beginning; Crews is how many servers are repaired at once, 0 for
	// any number, and Spares how many servers jobs together leave free.
	Failures      []Failure
	After         policy.Aftermath
	Crews, Spares int
	// Reserve takes servers away from the jobs at times, counted on the clock of the log. A job starts
	// only if, by its estimate, it leaves them free then. A Hard reservation stops the jobs in its way.
	// Policies without estimates know the services. Policy must be first come, first served,
	// FirstFit or a Backfill.
	Reserve []spec.Reservation
	// FromEmpty starts with an empty system. Otherwise a log that was read with a window starts with
	// the jobs that were there when it began, Trace.Begin, whose waits are left out.
	FromEmpty bool
	// Loop has users wait for their jobs: the next job of a user comes when his job before has left
	// and as much time has passed as he thought under the scheduler that wrote the log. A job that
	// he sent before the end of the one before keeps its distance to the arrival of that. The log must
	// have users and waits. A replay without Loop holds arrivals fixed, and promises too much of
	// changes that users would react to.
	Loop bool
	// Session is the longest time that a user thinks with Loop. After a longer one he begins a new
	// session at its time in the log, but not before his job before has come. 0 is 20 minutes (any
	// time, in logs without a known unit), and mjq.None is any time.
	Session float64
	// Sleep switches servers off that no job needs, and Awake keeps some of them on; see
	// mjq.Model.Sleep. The replay begins with the others off. Watts gives servers a power, so that
	// the result has its Energy, with Sleep or without.
	Sleep *spec.Sleep
	Awake int
	Watts *mjq.Watts
	// Elastic has some jobs run on more or fewer servers than they asked for; the first that a job is one of
	// counts. Oldest gives free servers to them in the order of their starts, in place of one at a time to
	// the smallest.
	Elastic []Elastic
	Oldest  bool
}

// Partition is a part of a system.
type Partition struct {
	Name    string // the class of its jobs
	Servers int
}

// Replay runs the queue on the log as it is, with its arrivals, needs and services in place
// of random ones. It starts empty, or with the jobs of Trace.Begin, and ends when the last
// job has left.
//
//	r, err := log.Replay(ctx, trace.Replay{Servers: 64, Policy: mjq.EASY()})
//
// In the result, Limit is the largest rate at which the same jobs in the same order could be
// served: their number over the height of their pile. Under other policies than first come,
// first served it is unknown, and the ideal rate bounds it. Utilization, Idle, WastedHOL and
// MeanJobs are exact averages over the window of the log; without one, from the first arrival to
// the last departure. The waits are exact too, as what happened to these jobs; their intervals are
// by batch means and concern the system that the log is one history of. They assume that it is
// stationary, which logs rarely are, so the true error is larger.
//
// When ctx ends it returns what it has, along with the error of the context. Options: those
// of every question; Seed chooses the numbers that policy.UniformFactor draws for estimates,
// nothing else is random.
//
// Cost: one step of the recurrence of every sampler a job, equation (2) of Baccelli, Olliaro,
// Ajmone Marsan and Marin, and one more for the limit; of a policy, that of a simulation.
func (t *Trace) Replay(ctx context.Context, how Replay, opts ...mjq.Option) (*result.Result, error) {
	return t.replayed(ctx, "Replay", how, opts).answered(ctx)
}

// Replay runs the queue on the log while reading it, in memory that grows with the classes
// and not with the jobs; see Trace.Replay. The log must be in the order of arrival; ReadSWF
// and ReadCSV sort one that is not. Malformed lines are left out, and the error names them
// along with the result of the others. A Policy other than first come first served keeps the
// jobs in memory, 150 bytes each.
func (s *Stream) Replay(ctx context.Context, how Replay, opts ...mjq.Option) (*result.Result, error) {
	return s.replayed(ctx, "Replay", how, opts).answered(ctx)
}

// replay is a replay that was asked for.
type replay struct {
	Replay
	problem.Options
	name   string
	source iter.Seq2[Job, error]
	total  float64 // jobs; +Inf if not known
	faults []error
	log    *Trace // nil: streamed
	unit   result.Unit
	begun  int // jobs that were there when the log begins

	since, until float64 // the window, over which averages are; until is 0 where the log has none

	outcomes func(n int64, o outcome) // is told what becomes of each job of the log; may be nil
}

// replayed is a replay of the log for a question.
func (t *Trace) replayed(ctx context.Context, question string, how Replay, opts []mjq.Option) *replay {
	how.Servers = how.servers(t)
	t = t.windowed(how.Since, how.Until)
	q := newReplay(ctx, question, how, opts)
	if q.name, q.log, q.total, q.unit = t.Name, t, float64(len(t.Jobs)), t.Unit; !how.FromEmpty {
		q.begun = len(t.Begin)
	}
	if w := t.Report.Window; w.Known() && len(t.Jobs) > 0 && t.Jobs[0].Arrival >= w.Since && w.Until > w.Since {
		q.since, q.until = w.Since, w.Until
	}
	q.source = func(yield func(Job, error) bool) {
		for _, list := range [][]Job{t.Begin[:q.begun], t.Jobs} {
			for _, j := range list {
				if j.Estimate == 0 {
					j.Estimate = how.NoEstimate
				}
				if !yield(j, nil) {
					return
				}
			}
		}
	}
	faults := []error{t.Validate(), how.fits(t)}
	if len(how.Partitions) == 0 { // which may be the clusters
		faults = append(faults, oneCluster(&t.Report))
	}
	for _, err := range faults {
		if err != nil {
			q.faults = append(q.faults, err)
		}
	}
	return q
}

// replayed is a replay of the log as it is read.
func (s *Stream) replayed(ctx context.Context, question string, how Replay, opts []mjq.Option) *replay {
	q := newReplay(ctx, question, how, opts)
	q.name, q.source, q.total, q.unit = s.report.File, s.Jobs(), math.Inf(1), s.unit
	return q
}

func newReplay(ctx context.Context, question string, how Replay, opts []mjq.Option) *replay {
	q := &replay{Replay: how}
	q.Options, q.faults = problem.Read(ctx, question, opts)
	return q
}

// warmUp is the number of jobs whose waits are left out.
func (q *replay) warmUp() int64 { return int64(max(0, q.WarmUp) + q.begun) }

// run replays; it also returns the account.
func (q *replay) run(ctx context.Context) (_ *result.Result, _ *account, err error) {
	defer panics.Catch(&err)
	if err := q.check(); err != nil {
		return nil, nil, err
	}
	started := time.Now()
	a := newAccount(q)
	h, complete, bad := q.replay(ctx, a)
	if h == nil || a.jobs == 0 {
		if len(bad) == 0 {
			bad = append(bad, errors.New("no job was read"))
		}
		return nil, nil, fmt.Errorf("Replay of trace %s: %w", q.name, errors.Join(append(bad, ctx.Err())...))
	}
	if q.until > 0 && complete {
		h.span = q.until - q.since
	}
	r := q.result(a, h, complete)
	a.idle, a.blocked = float64(q.Servers)*h.span-h.busy, h.waste
	replicate.Finish(r, started, complete)
	if err := replicate.Interrupted(ctx, r); err != nil && ctx.Err() != nil {
		return r, a, err
	}
	if len(bad) > 0 {
		return r, a, fmt.Errorf("Replay of trace %s: the result leaves out what is wrong: %w", q.name, errors.Join(bad...))
	}
	return r, a, nil
}

// check says what is wrong with the settings.
func (q *replay) check() error {
	var f check.Faults
	serverFaults(&f, q.Servers)
	q.partFaults(&f)
	q.nodeFaults(&f)
	q.limitFaults(&f)
	q.failureFaults(&f)
	q.loopFaults(&f)
	q.sleepFaults(&f)
	q.elasticFaults(&f)
	q.Classes.check(&f)
	windowFaults(&f, q.Since, q.Until)
	f.That(q.log != nil || q.Since == 0 && q.Until == 0, "Since and Until need the whole log: read it with ReadSacct, ReadSWF or ReadCSV")
	f.That(q.NoEstimate >= 0 && !math.IsInf(q.NoEstimate, 1), "NoEstimate %v: give a finite time, not negative", q.NoEstimate)
	f.That(q.WarmUp >= mjq.None, "WarmUp %d: give a number of jobs, not negative, or mjq.None", q.WarmUp)
	f.That(q.SlowdownThreshold >= 0 && !math.IsInf(q.SlowdownThreshold, 1), "SlowdownThreshold %v: give a finite time, not negative", q.SlowdownThreshold)
	f.That(q.Within >= 0 && !math.IsInf(q.Within, 1), "Within(%v): give a finite time, not negative", q.Within)
	f.Join(q.faults...)
	return f.Err("Replay of trace " + q.name)
}

// serverFaults says what is wrong with a number of servers.
func serverFaults(f *check.Faults, servers int) {
	f.That(servers != 0, "Servers(0): the log does not say how many there are; give their number")
	f.That(servers >= 0, "Servers(%d): at least one server is needed", servers)
	f.That(servers <= spec.MostServers, "Servers(%d): more than %d servers cannot be counted; count in larger units, such as nodes for cores", servers, spec.MostServers)
}

// replay has all jobs served. It reports whether it came to the end, and what is wrong;
// the history is nil where the policy is not for these jobs.
func (q *replay) replay(ctx context.Context, a *account) (h *history, complete bool, bad []error) {
	report := replicate.Throttled(q.Progress)
	plain := len(q.Failures)+len(q.Reserve)+len(q.Units)+len(q.Partitions)+len(q.Limits)+len(q.Nodes)+len(q.Elastic) == 0 && !q.Loop && q.Sleep == nil
	if plain && (q.Policy == nil || q.Policy.Properties().Recurrence) {
		p := newReplayer(a)
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
func (q *replay) gather(ctx context.Context, a *account) (p *scheduled, complete bool, bad []error) {
	how := q.Policy
	if how == nil {
		how = policy.FCFS{}
	}
	p = newScheduled(a, how)
	var blind error
	complete, bad = q.feed(ctx, a, func(j *Job) error {
		if blind == nil && !(j.Estimate > 0) {
			blind = q.blind(a.jobs, j)
		}
		return p.take(j)
	}, nil)
	if err := p.validate(); err != nil {
		return nil, false, append(bad, err)
	}
	if blind != nil && how.Properties().Given {
		return nil, false, append(bad, blind)
	}
	return p, complete, bad
}

// blind is the error of a policy that goes by estimates and a job without one.
func (q *replay) blind(n int64, j *Job) error {
	return fmt.Errorf("policy %v: %s has no estimate of its service; set NoEstimate, leave out the jobs without, or choose Estimates(policy.Exact()), policy.Factor(f) or policy.UniformFactor(f)", q.Policy, j.place(int(n)))
}

// mostFaults is how many malformed lines an error names.
const mostFaults = 10

// feed passes all jobs to take. It reports whether it came to the end, and the
// first lines that are wrong.
func (q *replay) feed(ctx context.Context, a *account, take func(j *Job) error, report func(done, total float64)) (complete bool, bad []error) {
	wrong := 0
	for j, err := range q.source {
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
