package trace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// AsLogged is what a comparison calls the waits that the log itself holds.
const AsLogged = "as logged"

// Compare serves the jobs of the log under each policy, as Replay does, and takes the
// differences between every two with intervals by batch means over the same jobs. The policy
// of how does not count. If the log holds waits, they are one more policy, AsLogged: what the
// scheduler that wrote the log did, on the machine that it had, with whatever else ran there.
// Its preemptions, kills and averages over time are not known.
//
//	c, err := log.Compare(ctx, trace.Replay{Servers: 64}, []mjq.Policy{mjq.FCFS(), mjq.EASY()})
//
// When ctx ends it returns the policies done by then, along with the error of the context.
// Options: those of every question.
func (t *Trace) Compare(ctx context.Context, how Replay, policies []mjq.Policy, opts ...mjq.Option) (*result.Comparison, error) {
	return (&comparison{t.replayed(ctx, "Compare", how, opts), policies}).answered(ctx)
}

// comparison is one that was asked for.
type comparison struct {
	*replay
	policies []mjq.Policy
}

// run compares.
func (q *comparison) run(ctx context.Context) (*result.Comparison, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	t := q.log
	c := &result.Comparison{Title: fmt.Sprintf("Trace %s: %s on %s", t.Name, spec.Count(len(t.Jobs), "job"), spec.Count(q.Servers, "server")),
		Rate: t.Rate(), Level: q.Level, Unit: t.Unit}
	var observed [][]estimate.Observed
	add := func(name string, r *result.Result, a *account) {
		c.Policies, c.Results, observed = append(c.Policies, name), append(c.Results, r), append(observed, a.observed())
	}
	var failed error
	for i, p := range q.policies {
		r, a, err := q.part(i, p).run(ctx)
		if r != nil {
			add(p.String(), r, a)
		}
		if err == nil && i+1 < len(q.policies) {
			err = context.Cause(ctx)
		}
		failed = errors.Join(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	if r, a := q.asLogged(); r != nil {
		add(AsLogged, r, a)
	}
	estimate.Compare(c, observed, batchMeans)
	c.Notes = append(c.Notes, "Intervals may be too narrow: a log is one history, and batch means assume that it is stationary. Replay logs of other periods to see how much they differ.")
	for i, r := range c.Results {
		for _, n := range r.Notes[min(1, len(r.Notes)):] {
			if strings.HasPrefix(n, underLog) {
				continue // a row of its own
			}
			c.Notes = append(c.Notes, c.Policies[i]+": "+n)
		}
	}
	return c, failed
}

// check says what is wrong with the policies; the replays look at the rest.
func (q *comparison) check() error {
	var f check.Faults
	f.That(len(q.policies) > 0, "Compare: no policy given; give at least one")
	var names []string
	for i, p := range q.policies {
		if p == nil {
			f.Add("Compare: policy %d is nil; leave it out", i+1)
			continue
		}
		f.That(!slices.Contains(names, p.String()), "Compare: policy %v is given twice", p)
		names = append(names, p.String())
	}
	if err := q.replay.check(); err != nil {
		f.Join(err)
	}
	return f.Err("Compare on trace " + q.log.Name)
}

// part is the replay under one of the policies, which tells progress of all.
func (q *comparison) part(i int, p mjq.Policy) *replay {
	one, of := *q.replay, float64(len(q.policies))
	one.Policy = p
	if report := q.Progress; report != nil {
		one.Progress = func(done, total float64) { report(float64(i)*total+done, of*total) }
	}
	return &one
}

// asLogged is the result of the log itself; nil without waits.
func (q *comparison) asLogged() (*result.Result, *account) {
	a := newAccount(q.replay)
	known := false
	for i := range q.log.Jobs {
		j := &q.log.Jobs[i]
		known = known || j.WaitKnown
		a.book(int64(i), a.arrive(j), outcome{Served: estimate.Served{Wait: j.Waited, FirstWait: j.Waited, Service: j.Service}, served: j.WaitKnown})
	}
	if !known {
		return nil, nil
	}
	r := &result.Result{Solver: "the log " + q.log.Name, Source: "the log", Model: "the scheduler that wrote the log", Rate: q.log.Rate(), Unit: q.unit, Stable: true,
		Level: q.Level, Limit: result.Stability{Rate: math.NaN()}}
	r.Run.Samples, r.Run.Jobs, r.Run.Complete = a.batches.full+1, a.jobs, true
	a.describe(r)
	for i := range r.Classes {
		r.Classes[i].Preemptions, r.Classes[i].Killed = result.Unknown(), result.Unknown()
	}
	r.All.Preemptions, r.All.Killed = result.Unknown(), result.Unknown()
	estimate.NoneWaited(r, &estimate.Rarity{Cluster: 1}, "")
	return r, a
}

// observed is what the account is made of, class by class and last of all jobs.
func (a *account) observed() (list []estimate.Observed) {
	order := a.order()
	for _, i := range order {
		list = append(list, observed(func(metric int) []estimate.Batch { return a.batches.of(i, metric) }))
	}
	return append(list, observed(func(metric int) []estimate.Batch { return a.batches.ofAll(order, metric) }))
}

func observed(batches func(metric int) []estimate.Batch) (o estimate.Observed) {
	for q := range o {
		o[q] = batches(q)
	}
	return o
}
