package mjq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// CertifiedQuery asks for samples whose error probability is known.
type CertifiedQuery struct {
	Query[CertifiedQuery]
	Target[CertifiedQuery]
	Place[CertifiedQuery]
	m               *Model
	samples, follow int
	eps             float64
}

// Certified draws independent samples each of which is an exact sample of the
// stationary queue except with probability at most eps, 10^-6 say: coupling
// from the past between an empty queue and one that lies above the stationary
// one. The upper bound is a single-server queue of blocks of jobs. With
// phase-type services and up to some thousand states of service its tail is
// calculated, at any load; otherwise it is proved by simulation, and the chance
// that this proof errs is part of eps (half of it, once for all samples). Unlike
// the rules of Backward, no window can stop too soon.
//
// It needs services with exponential moments (phase-type, deterministic and
// bounded laws; not Lomax, lognormal or Weibull). Where a bound has to be proved
// by simulation, some block of jobs must provably be served faster than it
// arrives; where that is out of reach, as it is near the limit when small jobs
// run in great parallel beside rare large ones, Run returns an error that says
// so; take Unbiased there.
//
// Cost: the windows are as long as the upper queue needs to come down, about
// 1.5 ln(1/eps)/θ over the distance of the load to 1, and a quarter more, in
// steps of the recurrence; the bound takes up to some seconds before. Where a
// mean is all that is wanted, Follow makes far more of each window.
func (s SampleQuery) Certified(eps float64) *CertifiedQuery {
	q := &CertifiedQuery{m: s.m, samples: byDefault, eps: eps}
	q.Query, q.Target, q.Place = newQuery(q, seedCertified), newTarget(q), newPlace(q)
	return q
}

// N sets the number of samples; the default is 10,000.
func (q *CertifiedQuery) N(samples int) *CertifiedQuery {
	q.samples = samples
	return q
}

// followedFirst is how many followed samples there are before the first look at
// their interval: means over long paths are nearer to normal than single waits.
const followedFirst = 128

// firstLook is how many samples there are before the first look at the interval.
func firstLook(follow int) int {
	if follow > 0 {
		return followedFirst
	}
	return 512
}

// leastEps keeps the logarithms of error probabilities, and of parts of them,
// finite.
const leastEps = 1e-300

func followFaults(f *faults, jobs int) {
	f.atMost("Follow", int64(jobs), mostJobs)
	f.check(jobs == 0 || jobs >= sampling.Closest, "Follow(%d): give at least %d jobs, the least distance between two looks, or 0 to look once", jobs, sampling.Closest)
}

// Follow has each sample go on for so many jobs: the queue that is stationary at
// job 0 but for the probability eps is so at every later job, and is looked at
// again now and then: every 32 jobs, or if the window is long as many times as
// there are 64 looks in it, up to every 1024. A sample is then the mean over its
// looks; these depend on each other, the samples do not, so that intervals come
// from independent replications and hold as they do without it. Means, variances
// and distributions have no bias but eps. What came along the paths serves as
// control variates of means, variances and the waste (METHODS.md), whose intervals
// become much narrower, by Run.Gain. The interval of a quantile comes from how
// much its fraction varies between paths; see Metric.Quantile.
//
// The default, 0, looks at job 0 alone. A look ahead costs far less than a
// window: with Follow(4*r.Run.Window), r being a run of one sample, a sample
// costs four times as many steps as without and tells as much as dozens.
// With a target (RelErr, HalfWidth) at least 128 samples are drawn, so do not
// follow so long that the target needs fewer.
func (q *CertifiedQuery) Follow(jobs int) *CertifiedQuery {
	q.follow = jobs
	return q
}

// Run proves the bound and draws the samples. When ctx ends it returns those
// completed, along with the error of the context.
func (q *CertifiedQuery) Run(ctx context.Context) (_ *Result, err error) {
	defer caught("certified sampling", &err)
	samples := q.number(q.samples, 10_000)
	var f faults
	q.Query.faults(&f)
	q.Target.faults(&f)
	q.Place.faults(&f)
	q.m.drawingFaults(&f)
	f.check(samples >= 1, "N(%d): at least one sample is needed", samples)
	f.atMost("N", int64(samples), mostSamples)
	followFaults(&f, q.follow)
	f.check(q.follow == 0 || q.on != GPU, "Follow(%d) with On(mjq.GPU): only the processor follows samples; use On(mjq.CPU), or leave Follow out", q.follow)
	f.check(q.eps > 0 && q.eps < 1, "Certified(%v): the error probability must lie between 0 and 1, 1e-6 say", q.eps)
	f.check(!(q.eps < leastEps), "Certified(%v): an error probability below %v is no better; give 1e-12, say", q.eps, leastEps)
	for _, c := range q.m.classes {
		f.check(light(c.Service), "class %q: %v has no exponential moments, so its queue cannot be certified; use Unbiased or Backward", c.Name, c.Service)
	}
	if err := f.err("certified sampling"); err != nil {
		return nil, err
	}
	run, err := q.open(ctx, q.m, float64(samples))
	if err != nil {
		return nil, err
	}
	sys := run.system(q.seed, q.workers)
	if q.follow > 0 {
		q.stay("samples are followed, which only the processor does")
	}
	at, err := q.settle(&sys)
	if err != nil {
		return nil, err
	}
	defer at.end()
	r, ok, err := run.begin(ctx, fmt.Sprintf("certified, ε = %g", q.eps), "coupling from the past below a queue of blocks (external monotonicity, Lundberg's bound)")
	if !ok {
		return r, err
	}
	started := time.Now()
	load := r.Rate / r.Limit.Rate
	bound, err := q.bound(ctx, run.Model, &sys, r, load)
	if err != nil {
		return nil, err
	}
	c := sampling.Certified{System: sys, Majorant: *bound, Samples: samples, Eps: q.eps, Level: q.level,
		Window: firstWindow(bound, q.eps, r.Rate, load), Follow: int64(q.follow), Enough: q.enough(firstLook(q.follow))}
	res := c.Run(ctx, q.throttled())
	if res.Failed != nil {
		return nil, res.Failed
	}
	at.tell(r)
	r.Run.Samples, r.Run.Steps, r.Run.Window = res.Done, res.Steps+bound.Steps, c.Window
	r.Run.Narrow, r.Run.Wide, r.Run.Jobs = res.Narrow, res.Wide, c.Follow
	r.Run.Theta, r.Run.Block, r.Run.Eps = bound.Theta, bound.Block, q.eps
	finish(&r.Run, started, res.Done == samples || ctx.Err() == nil)
	q.report(r, res)
	return r, interrupted(ctx, r)
}

// report fills the result with what the samples have shown.
func (q *CertifiedQuery) report(r *Result, res *sampling.BackwardResult) {
	const method = "certified samples"
	for i := range r.Classes {
		fillClass(&r.Classes[i], &res.Classes[i], q.level, method)
	}
	setPrecision(&r.All, &res.All)
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.Waiting.Mean(q.level, method), res.All.Waiting.Variance(q.level, method)
	effective, hol := float64(res.Done), res.HOL.Mean(q.level, method)
	if q.follow > 0 { // quantiles have no controls
		for i := range r.Classes {
			c := &r.Classes[i]
			c.Waiting.Effective = res.Classes[i].Waiting.Worth().Observations
			c.Response.Effective = c.Waiting.Effective
		}
		effective = res.All.Waiting.Worth().Observations
		hol = useControls(r, res.Fit, method)
	}
	q.m.close(r, hol, effective)
	q.note(r)
}

// bound is the upper queue, calculated if it can be, else proved by simulation.
func (q *CertifiedQuery) bound(ctx context.Context, m *Model, sys *sampling.System, r *Result, load float64) (*sampling.Majorant, error) {
	if bound, exact := m.exactMajorant(ctx, q.eps, load); exact {
		r.Source += ", calculated"
		return bound, nil
	}
	bound, err := sys.FindMajorant(ctx, m.tilted, r.Rate, load, q.eps/2)
	if errors.Is(err, sampling.ErrNoMajorant) && ctx.Err() == nil {
		return nil, fmt.Errorf("mjq: certified sampling: %w at rate %.6g, %.3g of the limit: no block of jobs is provably served faster than it arrives; use Unbiased, or a lower rate", err, r.Rate, load)
	} else if err != nil {
		return nil, fmt.Errorf("mjq: certified sampling: interrupted while proving the bound: %w", err)
	}
	return bound, nil
}

// firstWindow is as many jobs as come in the time that the upper queue needs to
// come down, and half as much again: it then serves most samples (measured; see
// BenchmarkCertified).
func firstWindow(bound *sampling.Majorant, eps, rate, load float64) int64 {
	down := 1.5 * (math.Log(1/eps)/bound.Theta + float64(bound.Block)*load/rate) / (1 - load)
	return max(256, int64(down*rate))
}

// tilted is the input under services tilted by theta: classes are met in
// proportion to their exponential moments, which favours long jobs.
func (m *Model) tilted(theta float64, seed uint64) (src *stream.Source, logService, logGap float64, ok bool) {
	var classes []stream.Class
	sum := 0.0
	for _, c := range m.classes {
		l, logMoment, ok := law.Tilt(c.Service, theta)
		if !ok || logMoment > 700 {
			return nil, 0, 0, false
		}
		weight := c.Prob * math.Exp(logMoment)
		classes = append(classes, stream.Class{Need: c.Need, Prob: weight, Service: l})
		sum += weight
	}
	for i := range classes {
		classes[i].Prob /= sum
	}
	return stream.New(seed, m.arrivals, classes), math.Log(sum), math.Log(m.arrivals.Laplace(theta)), true
}
