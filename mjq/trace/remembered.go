package trace

import (
	"context"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// question is what a replay is asked, all jobs included: some 50 ns for each. Its settings count as they are
// written, so that a new one is not forgotten.
func (q *replay) question(kind string, policies ...mjq.Policy) *cache.Question {
	how := q.Replay
	how.Policy, how.Placement, how.After, how.Sleep = nil, nil, nil, nil
	x := cache.Ask(kind).Text(q.name).Text(string(q.unit)).Written(result.WriteJSON(how)).
		Reals(q.Level, q.since, q.until).Numbers(q.Seed, uint64(q.begun), uint64(len(policies)))
	if z := q.Sleep; z != nil {
		x.Written(law.Marshal(z.After)).Written(law.Marshal(z.Setup)).Code(z.After).Code(z.Setup)
	}
	if q.Placement != nil {
		name, err := placement.Written(q.Placement)
		x.Written([]byte(name), err).Code(q.Placement)
	}
	if q.After != nil {
		x.Text(q.After.After().String())
	}
	for _, p := range policies {
		if p != nil {
			x.Written(policy.Marshal(p)).Code(p)
		}
	}
	for _, list := range [][]Job{q.log.Begin[:q.begun], q.log.Jobs} {
		hash(x, list)
	}
	return x
}

// hash adds jobs to a question.
func hash(x *cache.Question, jobs []Job) {
	for i := range jobs {
		j := &jobs[i]
		x.Numbers(uint64(j.Need), uint64(j.Nodes), uint64(one(j.WaitKnown)), uint64(len(j.Class)), uint64(len(j.User)),
			math.Float64bits(j.Arrival), math.Float64bits(j.Service), math.Float64bits(j.Estimate), math.Float64bits(j.Waited))
		if j.Class != "" || j.User != "" {
			x.Text(j.Class).Text(j.User)
		}
		if j.Account != "" {
			x.Text("account").Text(j.Account)
		}
		for _, n := range j.Units {
			x.Numbers(uint64(n))
		}
	}
}

// remembered is the answer about a log, a kept one if there is. A log that is streamed has none. of are the places in an
// answer of when it was kept and of the log.
func remembered[R any](q *replay, ask func() *cache.Question, of func(r *R) (*time.Time, *result.Log), whole func(r *R) bool, run func() (*R, error)) (_ *R, err error) {
	defer panics.Catch(&err)
	if q.log == nil {
		ask = nil
	}
	r, err := cache.Answer(ask, q.Fresh, func(r *R, written time.Time) {
		at, _ := of(r)
		*at = written
	}, whole, run)
	if r != nil {
		_, log := of(r)
		*log = q.log.account()
	}
	return r, err
}

func (q *replay) answered(ctx context.Context) (*result.Result, error) {
	return remembered(q, func() *cache.Question { return q.question("replay", q.Policy) },
		func(r *result.Result) (*time.Time, *result.Log) { return &r.Run.Remembered, &r.Log },
		func(r *result.Result) bool { return r.Run.Complete },
		func() (*result.Result, error) {
			r, _, err := q.run(ctx)
			return r, err
		})
}

func (q *paths) answered(ctx context.Context) (*result.Path, error) {
	return remembered(q.replay, func() *cache.Question { return q.question("path of a log", q.Policy).Reals(q.from, q.to) },
		func(p *result.Path) (*time.Time, *result.Log) { return &p.Remembered, &p.Log },
		func(p *result.Path) bool { return p.Complete }, func() (*result.Path, error) { return q.run(ctx) })
}

func (q *comparison) answered(ctx context.Context) (*result.Comparison, error) {
	return remembered(q.replay, func() *cache.Question { return q.question("compare logs", q.policies...) },
		func(c *result.Comparison) (*time.Time, *result.Log) { return &c.Remembered, &c.Log },
		func(*result.Comparison) bool { return true }, func() (*result.Comparison, error) { return q.run(ctx) })
}
