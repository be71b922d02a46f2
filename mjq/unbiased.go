package mjq

import (
	"context"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// UnbiasedQuery asks for unbiased estimates of moments.
type UnbiasedQuery struct {
	Query[UnbiasedQuery]
	Target[UnbiasedQuery]
	m       *Model
	samples int
	window  int64
	follow  int
}

// Unbiased estimates means and variances of waiting times, and the waste
// through blocking, without any bias: by randomised truncation of Loynes'
// increasing sequence (Rhee and Glynn, Operations Research 63, 2015). Each
// sample takes a random number of doublings and weighs the differences by the
// inverse probability of getting that far, so that no window is ever too short.
//
// The price is variance, which the interval shows; a single sample can be
// large or negative. It is finite when windows couple fast enough, as they do
// well below the limit; very near it take the interval with care. Under services of
// heavy tails there is none where theory says that it could not hold. There is no distribution and there are no quantiles.
// Prefer Backward for quantiles and at moderate load; prefer Unbiased for means
// near the limit, where the bias of Backward is unknown.
//
// Cost: about eight windows in steps of the recurrence for every sample.
func (s SampleQuery) Unbiased() *UnbiasedQuery {
	q := &UnbiasedQuery{m: s.m, samples: byDefault, window: byDefault}
	q.Query, q.Target = newQuery(q, seedUnbiased), newTarget(q)
	return q
}

// N sets the number of samples; the default is 2000.
func (q *UnbiasedQuery) N(samples int) *UnbiasedQuery {
	q.samples = samples
	return q
}

// Window sets the first window in jobs. The default is twice the mean distance
// between jobs of the rarest class, at least 1000, over (1-load)^1.4: on the
// queue of 1 and 256 servers that came near the least product of cost and
// variance from a tenth of the limit to nine tenths. A longer one costs more
// and varies less.
func (q *UnbiasedQuery) Window(jobs int) *UnbiasedQuery {
	q.window = int64(jobs)
	return q
}

// Follow has each chain go on for so many jobs beyond job 0 and be looked at
// again now and then, every 32 to 1024 jobs, as CertifiedQuery.Follow does. The
// moments of a sample are those over its looks; every term of the sum is, so that
// nothing becomes biased, and a difference of two windows counts only until their
// chains meet. This works for any laws. What came along the paths serves as control
// variates, which leave the estimates without bias (METHODS.md). The default, 0, looks at job 0 alone. A
// path of some windows costs a multiple of a sample without one and varies far
// less; with a target (RelErr, HalfWidth) at least 128 samples are drawn, so do
// not follow so long that the target needs fewer. The interval holds as it does
// without: a rare large job whose effect outlasts the windows still shows in a
// few samples only.
func (q *UnbiasedQuery) Follow(jobs int) *UnbiasedQuery {
	q.follow = jobs
	return q
}

// unbiased is the method of the estimates.
const unbiased = "unbiased samples"

// Run draws the samples. When ctx ends it returns what was completed, along
// with the error of the context.
func (q *UnbiasedQuery) Run(ctx context.Context) (_ *Result, err error) {
	defer caught("unbiased sampling", &err)
	samples := q.number(q.samples, 2000)
	var f faults
	q.Query.faults(&f)
	q.Target.faults(&f)
	q.m.drawingFaults(&f)
	q.m.couplingFaults(&f)
	f.check(samples >= 2, "N(%d): at least two samples are needed for an interval", samples)
	f.check(q.window >= 1 || q.window == byDefault, "Window(%d): at least one job is needed", q.window)
	f.atMost("N", int64(samples), mostSamples)
	f.atMost("Window", q.window, mostWindow)
	followFaults(&f, q.follow)
	if err := f.err("unbiased sampling"); err != nil {
		return nil, err
	}
	run, err := q.open(ctx, q.m, float64(samples))
	if err != nil {
		return nil, err
	}
	r, ok, err := run.begin(ctx, "unbiased", "Rhee and Glynn, randomised truncation of Loynes' sequence")
	if !ok {
		return r, err
	}
	if err := q.untargeted(ctx, run.Model, r.Rate, telescoped); err != nil {
		return nil, err
	}
	window := q.window
	if window == byDefault {
		left := max(0.01, 1-r.Rate/r.Limit.Rate)
		window = int64(math.Ceil(float64(q.m.rareJobs(2)) / math.Pow(left, 1.4)))
	}
	started := time.Now()
	u := sampling.Unbiased{System: run.system(q.seed, q.workers), Samples: samples, Window: window,
		Follow: int64(q.follow), Enough: q.enough(firstLook(q.follow)), Level: q.level}
	res := u.Run(ctx, q.throttled())
	r.Run.Samples, r.Run.Steps, r.Run.Window, r.Run.Wide = res.Done, res.Steps, window, res.Wide
	r.Run.Jobs = u.Follow
	finish(&r.Run, started, res.Done == samples || ctx.Err() == nil)
	for c := range r.Classes {
		w := &r.Classes[c].Waiting
		*w = Metric{Mean: res.Classes[c].Mean(q.level, unbiased), Variance: res.Classes[c].Variance(q.level, unbiased), Level: q.level}
	}
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.Mean(q.level, unbiased), res.All.Variance(q.level, unbiased)
	hol, kinds := res.HOL.Mean(q.level, unbiased), means(res.Kinds, q.level, unbiased)
	if q.follow > 0 {
		hol = useControls(r, res.Fit, unbiased)
		for k := range kinds {
			kinds[k] = res.Fit.Mean(2*len(r.Classes)+3+k, q.level, unbiased+", followed"+controlled(res.Fit))
		}
	}
	q.m.close(r, hol, math.NaN())
	q.m.closeResources(r, kinds)
	if res.Done < 2 {
		r.All.Waiting.Mean = result.Unknown()
	}
	run.heavyTails(ctx, r, telescoped)
	q.note(r)
	return r, interrupted(ctx, r)
}
