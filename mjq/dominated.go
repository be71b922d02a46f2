package mjq

import (
	"context"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// DominatedQuery asks for exact samples.
type DominatedQuery struct {
	Query[DominatedQuery]
	Target[DominatedQuery]
	m       *Model
	samples int
}

// Dominated draws independent samples of exactly the stationary queue by
// dominated coupling from the past: Algorithms 1 to 3 of Golovin, "Exact
// sampling for heterogeneous multiserver job model", after Sigman's for the
// M/G/c queue. No window is chosen and no error is left.
//
// The dominating queue is the one in which every job takes all servers: M/G/1,
// whose workload, the same under processor sharing, can be drawn in equilibrium
// and run backwards. So it needs Poisson arrivals, a load λ E[σ] of that queue
// below 1 (and not only below the limit: small jobs that run beside each other
// push it above) and services of finite variance. Run says which of these
// fails; take Certified or Backward there.
//
// Cost: see Cost; it grows as (1-λ E[σ])^-2. Memory follows the longest sample.
func (s SampleQuery) Dominated() *DominatedQuery {
	q := &DominatedQuery{m: s.m, samples: byDefault}
	q.Query, q.Target = newQuery(q, seedDominated), newTarget(q)
	return q
}

// N sets the number of samples; the default is 10,000.
func (q *DominatedQuery) N(samples int) *DominatedQuery {
	q.samples = samples
	return q
}

// dominatingLoad is ρ = λ E[σ], the load of the dominating queue.
func (m *Model) dominatingLoad() float64 { return m.Rate() * m.meanService() }

// secondMoment is E[σ²] of any class.
func (m *Model) secondMoment() float64 {
	sum := 0.0
	for _, c := range m.classes {
		mean := c.Service.Mean()
		sum += c.Prob * (c.Service.Variance() + mean*mean)
	}
	return sum
}

// Cost is the expected number of jobs a sample, each simulated in both queues:
// with ρ = λ E[σ] it is ρ/(1-ρ) present at time 0 and λ times the mean time
// λ E[σ²]/(2(1-ρ)²) that the dominating queue takes from equilibrium to empty.
// +Inf where Dominated does not apply, NaN without arrivals,
// and for a model at a load before Model.Resolve.
func (q *DominatedQuery) Cost() float64 {
	rho := q.m.dominatingLoad()
	if rho >= 1 {
		return math.Inf(1)
	}
	rate := q.m.Rate()
	return rho/(1-rho) + rate*rate*q.m.secondMoment()/(2*(1-rho)*(1-rho))
}

// Run draws the samples. Run.Narrow and Run.Wide of the result are the fewest
// and the most jobs of a sample. When ctx ends it returns the samples
// completed, along with the error of the context.
func (q *DominatedQuery) Run(ctx context.Context) (_ *Result, err error) {
	defer caught("dominated sampling", &err)
	samples := q.number(q.samples, 10_000)
	if err := q.check(q.m, samples); err != nil {
		return nil, err
	}
	run, err := q.open(ctx, q.m, float64(samples))
	if err != nil {
		return nil, err
	}
	if err := q.check(run.Model, samples); err != nil { // now that the rate is known
		return nil, err
	}
	r, ok, err := run.begin(ctx, "dominated, exact", "Golovin: Algorithms 1 to 3, dominated coupling from the past")
	if !ok {
		return r, err
	}
	if err := q.untargeted(ctx, run.Model, r.Rate, overSamples); err != nil {
		return nil, err
	}
	started := time.Now()
	d := sampling.Dominated{System: run.system(q.seed, q.workers), Initial: run.spreads(q.seed), Load: run.dominatingLoad(),
		Samples: samples, Level: q.level, Enough: q.enough(512)}
	res := d.Run(ctx, q.throttled())
	r.Run.Samples, r.Run.Steps, r.Run.Narrow, r.Run.Wide = res.Done, res.Steps, res.Narrow, res.Wide
	finish(&r.Run, started, res.Done == samples || ctx.Err() == nil)
	const method = "exact samples"
	for i := range r.Classes {
		fillClass(&r.Classes[i], &res.Classes[i], q.level, method)
	}
	setPrecision(&r.All, &res.All)
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.Waiting.Mean(q.level, method), res.All.Waiting.Variance(q.level, method)
	q.m.close(r, res.HOL.Mean(q.level, method), float64(res.Done))
	run.heavyTails(ctx, r, overSamples)
	q.note(r)
	return r, interrupted(ctx, r)
}

// check says all that keeps the query from running on m.
func (q *DominatedQuery) check(m *Model, samples int) error {
	var f faults
	q.Query.faults(&f)
	q.Target.faults(&f)
	m.drawingFaults(&f)
	f.atMost("N", int64(samples), mostSamples)
	f.check(samples >= 1, "N(%d): at least one sample is needed", samples)
	if gap := m.arrivals; gap != nil {
		f.check(m.poisson(), "the time between arrivals is %v: the dominating queue needs Poisson arrivals, as of .Poisson(rate); use Certified or Backward", gap)
		load := m.dominatingLoad()
		f.check(!(load >= 1), "the load of the dominating queue, in which every job takes all servers, is λ E[σ] = %.4g; it must be below 1; use Certified(1e-6) or Backward, or a rate below %.6g", load, 1/m.meanService())
	}
	for _, c := range m.classes {
		f.check(!math.IsInf(c.Service.Variance(), 1), "class %q: %v has an infinite variance, so a sample would take infinitely long on average; use Forward", c.Name, c.Service)
	}
	return f.err("dominated sampling")
}

// spreads are the customers that the dominating queue holds in equilibrium:
// class k with probability ρ_k/ρ, equation (12), its whole service by the spread
// of its law and, for a gap, the fraction still to be served.
func (m *Model) spreads(seed uint64) *stream.Source {
	var classes []stream.Class
	mean := m.meanService()
	for _, c := range m.classes {
		classes = append(classes, stream.Class{Need: c.Need, Prob: c.Prob * c.Service.Mean() / mean, Service: law.Spread(c.Service)})
	}
	return stream.New(seed, law.Uniform{Lo: 0, Hi: 1}, classes)
}
