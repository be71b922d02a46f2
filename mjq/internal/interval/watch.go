package interval

import (
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Enough is Options.Enough for a mean wait that the run can know. Who follows the run hears the
// mean wait at each interim check, or now and then where there is no target.
func (e Exposed) Enough(o *problem.Options, first int, met func(e *Exposed, done int)) func(done int, mean func() result.Estimate) bool {
	rule := o.Enough(first)
	if rule == nil && e.follows(o) {
		rule = watch()
	}
	if rule == nil {
		return nil
	}
	return func(done int, mean func() result.Estimate) bool {
		return rule(done, func() result.Estimate {
			met(&e, done)
			m := mean()
			e.Exposure = e.Exposure.Waiting(m.Value, 0)
			seen := e.known(m, e.moment(1))
			if o.Interval != nil {
				o.Interval(e.unlessShort(seen))
			}
			return seen
		})
	}
}

// follows reports whether somebody follows a run of fixed length whose mean wait can be told
// on the way: not where power tails may leave the mean without an interval.
func (e *Exposed) follows(o *problem.Options) bool {
	index := math.Inf(1)
	if e.Arrivals != nil { // all jobs may be those of users
		index = arrival.TailIndex(e.Arrivals)
	}
	for _, c := range e.Classes {
		index = min(index, law.TailIndex(c.Service))
	}
	return o.Interval != nil && math.IsInf(index, 1) && !e.Unfollowed
}

const (
	pause   = 500 * time.Millisecond // the least time between two interim checks of a run of fixed length
	part    = 20                     // and how many times as much as the last one has taken
	fewSeen = 8                      // observations before the first
)

// watch is a rule that looks now and then and never ends a run.
func watch() func(done int, mean func() result.Estimate) bool {
	next := time.Now().Add(pause)
	return func(done int, mean func() result.Estimate) bool {
		if now := time.Now(); done >= fewSeen && now.After(next) {
			mean()
			next = time.Now().Add(max(pause, part*time.Since(now)))
		}
		return false
	}
}

// unlessShort is a mean wait, without its interval where paths are too short to forget that
// they start empty.
func (e *Exposed) unlessShort(mean result.Estimate) result.Estimate {
	if e.Path > 0 && !e.Features().Has(spec.Unlike|spec.Placed) && e.Path < problem.LeastRelaxations*e.Relaxation(e.load) {
		mean.HalfWidth = math.NaN()
	}
	return mean
}
