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

// question is what a replay is asked, all jobs included: some 50 ns for each.
func (q *replay) question(kind string, policies ...mjq.Policy) *cache.Question {
	x := cache.Ask(kind).Text(q.name).Text(string(q.unit)).Text(string(q.Classes)).Numbers(uint64(q.Servers), uint64(q.warmUp()), q.Seed).
		Reals(q.Level, q.SlowdownThreshold, q.Within, q.NoEstimate, q.Session).Numbers(bit(q.Overtaking), bit(q.Loop), uint64(q.begun), uint64(len(q.Units)), uint64(len(q.Partitions)), uint64(len(q.Limits)), uint64(len(policies)))
	for _, n := range q.Units {
		x.Numbers(uint64(n))
	}
	if z := q.Sleep; z != nil {
		x.Written(law.Marshal(z.After)).Written(law.Marshal(z.Setup)).Code(z.After).Code(z.Setup).Numbers(uint64(q.Awake))
	}
	if w := q.Watts; w != nil {
		x.Reals(w.Busy, w.Idle, w.Setup, w.Asleep)
	}
	x.Numbers(uint64(len(q.Nodes)))
	for _, k := range q.Nodes {
		x.Numbers(uint64(k.Count), uint64(k.Units))
	}
	if q.Placement != nil {
		name, err := placement.Written(q.Placement)
		x.Written([]byte(name), err).Code(q.Placement)
	}
	for _, p := range q.Partitions {
		x.Text(p.Name).Numbers(uint64(p.Servers))
	}
	for _, l := range q.Limits {
		x.Text(string(l.By)).Text(l.Name).Numbers(uint64(l.Jobs), uint64(l.Servers), uint64(len(l.Units)))
		for _, n := range l.Units {
			x.Numbers(uint64(n))
		}
	}
	q.hashFailures(x)
	q.hashElastic(x)
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
		x.Numbers(uint64(j.Need), uint64(j.Nodes), bit(j.WaitKnown), uint64(len(j.Class)), uint64(len(j.User)),
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

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// answered is the answer of the replay, a kept one if there is. A log that is streamed has
// none.
func (q *replay) answered(ctx context.Context) (_ *result.Result, err error) {
	defer panics.Catch(&err)
	ask := func() *cache.Question { return q.question("replay", q.Policy) }
	if q.log == nil {
		ask = nil
	}
	r, err := cache.Answer(ask, q.Fresh,
		func(r *result.Result, at time.Time) { r.Run.Remembered = at },
		func(r *result.Result) bool { return r.Run.Complete },
		func() (*result.Result, error) {
			r, _, err := q.run(ctx)
			return r, err
		})
	if r != nil {
		r.Log = q.log.account()
	}
	return r, err
}

func (q *paths) answered(ctx context.Context) (_ *result.Path, err error) {
	defer panics.Catch(&err)
	if q.log == nil {
		return q.run(ctx)
	}
	ask := func() *cache.Question { return q.question("path of a log", q.Policy).Reals(q.from, q.to) }
	p, err := cache.Answer(ask, q.Fresh, func(p *result.Path, at time.Time) { p.Remembered = at },
		func(p *result.Path) bool { return p.Complete }, func() (*result.Path, error) { return q.run(ctx) })
	if p != nil {
		p.Log = q.log.account()
	}
	return p, err
}

func (q *comparison) answered(ctx context.Context) (_ *result.Comparison, err error) {
	defer panics.Catch(&err)
	c, err := cache.Answer(func() *cache.Question { return q.question("compare logs", q.policies...) }, q.Fresh,
		func(c *result.Comparison, at time.Time) { c.Remembered = at },
		func(*result.Comparison) bool { return true }, func() (*result.Comparison, error) { return q.run(ctx) })
	if c != nil {
		c.Log = q.log.account()
	}
	return c, err
}
