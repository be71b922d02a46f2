package trace

import (
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Fresh replays anew, even if the result is remembered; see mjq.Remember. A log that is
// streamed never is.
func (q ReplayQuery) Fresh() ReplayQuery {
	q.fresh = true
	return q
}

// Fresh compares anew, even if the result is remembered; see mjq.Remember.
func (q CompareQuery) Fresh() CompareQuery {
	q.replay.fresh = true
	return q
}

// Fresh follows the jobs anew, even if the path is remembered; see mjq.Remember.
func (q PathQuery) Fresh() PathQuery {
	q.replay.fresh = true
	return q
}

// question is what a replay is asked, all jobs included: some 50 ns for each.
func (q ReplayQuery) question(kind string, policies ...policy.Policy) *remember.Question {
	x := remember.Ask(kind).Text(q.name).Numbers(uint64(q.servers), uint64(q.by), uint64(q.skip), q.seed).
		Reals(q.level, q.threshold, q.inTime).Numbers(bit(q.overtaking), uint64(len(policies)))
	for _, p := range policies {
		if p != nil {
			x.Written(policy.Marshal(p)).Code(p)
		}
	}
	for i := range q.log.Jobs {
		j := &q.log.Jobs[i]
		x.Numbers(uint64(j.Need), bit(j.WaitKnown), uint64(len(j.Class)), uint64(len(j.User)),
			math.Float64bits(j.Arrival), math.Float64bits(j.Service), math.Float64bits(j.Estimate), math.Float64bits(j.Waited))
		if j.Class != "" || j.User != "" {
			x.Text(j.Class).Text(j.User)
		}
	}
	return x
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (q ReplayQuery) answer(run func() (*result.Result, error)) (*result.Result, error) {
	ask := func() *remember.Question { return q.question("replay", q.policy) }
	if q.log == nil {
		ask = nil
	}
	return remember.Answer(ask, q.fresh,
		func(r *result.Result, at time.Time) { r.Run.Remembered = at },
		func(r *result.Result) bool { return r.Run.Complete }, run)
}

func (q PathQuery) answer(run func() (*result.Path, error)) (*result.Path, error) {
	if q.replay.log == nil {
		return run()
	}
	ask := func() *remember.Question {
		return q.replay.question("path of a log", q.replay.policy).Numbers(bit(q.part)).Reals(q.from, q.to)
	}
	return remember.Answer(ask, q.replay.fresh, func(p *result.Path, at time.Time) { p.Remembered = at },
		func(p *result.Path) bool { return p.Complete }, run)
}

func (q CompareQuery) answer(run func() (*result.Comparison, error)) (*result.Comparison, error) {
	return remember.Answer(func() *remember.Question { return q.replay.question("compare logs", q.policies...) }, q.replay.fresh,
		func(c *result.Comparison, at time.Time) { c.Remembered = at },
		func(*result.Comparison) bool { return true }, run)
}
