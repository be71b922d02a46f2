package mjq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/panics"
)

// LawFamily is a kind of service law by its mean: {"constant", Deterministic}.
type LawFamily struct {
	Name string
	Of   func(mean float64) Law
}

// verb computes one replication of the result of a model, with a seed.
type verb func(ctx context.Context, q *SweepQuery, m *Model, seed uint64, replication int, progress func(done, total float64)) (*Result, error)

// SweepQuery asks for the results of many variants of a model; see Sweep.
type SweepQuery struct {
	Query[SweepQuery]
	m            *Model
	rates, loads []float64
	laws         []LawFamily
	servers      []int
	verb         verb
	verbName     string
	verbFaults   faults
	replications int
	part, parts  int
}

// Sweep begins a query for results over a grid: every law family, with every
// number of servers, at every rate and load. What is not given stays as in the
// model.
//
//	sw, err := mjq.Sweep(m).Loads(0.5, 0.7, 0.9).Servers(32, 48, 64).Backward(10_000).Run(ctx)
//	sw.Table()
//
// A point of the grid is computed as one or more replications (Replications),
// each a job of its own. The seed of a job depends on the seed of the sweep and
// on the number of its replication, and on nothing else: replication 0 has the
// seed itself, so that a point is what its verb gives with that Seed, and all
// points share their randomness, so that differences between them are sharp.
// Jobs run one after another, each on all cores. The bits are therefore the same
// however the sweep is cut: into goroutines, or into parts on several machines
// (Part) that MergeSweeps puts together.
func Sweep(m *Model) *SweepQuery {
	q := &SweepQuery{m: m, replications: 1, parts: 1}
	q.Query = newQuery(q, seedSweep)
	return q.Backward(10_000)
}

// Rates are arrival rates, in jobs per unit of time. Points beyond the
// stability limit have infinite waits.
func (q *SweepQuery) Rates(rates ...float64) *SweepQuery {
	q.rates = rates
	return q
}

// Loads are fractions of the stability limit of each variant, found first; see
// Model.AtLoad. With Rates given too, the grid has both.
func (q *SweepQuery) Loads(loads ...float64) *SweepQuery {
	q.loads = loads
	return q
}

// Laws replaces the service law of every class by one of the family with the
// same mean.
func (q *SweepQuery) Laws(families ...LawFamily) *SweepQuery {
	q.laws = families
	return q
}

// Servers are numbers of servers.
func (q *SweepQuery) Servers(numbers ...int) *SweepQuery {
	q.servers = numbers
	return q
}

// Replications cuts every point into n jobs. A point of Backward or Certified
// samples has them shared out among its jobs. The results are pooled: means
// weighted by their number of observations, half-widths added as errors of
// independent numbers. The default is 1. A By function is called once a
// replication, each time with another seed.
func (q *SweepQuery) Replications(n int) *SweepQuery {
	q.replications = n
	return q
}

// Part leaves only the jobs whose index is k modulo n, k from 0, for the k-th
// of n machines. Give all of them the same sweep, and their results to
// MergeSweeps.
func (q *SweepQuery) Part(k, n int) *SweepQuery {
	q.part, q.parts = k, n
	return q
}

// Backward computes every point from n backward samples; see
// SampleQuery.Backward. This is the default, with 10,000.
func (q *SweepQuery) Backward(n int) *SweepQuery {
	q.samples("Backward", n)
	q.verbName = fmt.Sprintf("backward, %d samples", n)
	q.verb = func(ctx context.Context, s *SweepQuery, m *Model, seed uint64, rep int, progress func(done, total float64)) (*Result, error) {
		return m.Sample().Backward().N(share(n, rep, s.replications)).Seed(seed).Level(s.level).Workers(s.workers).Progress(progress).Run(ctx)
	}
	return q
}

// Certified computes every point from n samples that are exact but for a
// probability eps each; see SampleQuery.Certified.
func (q *SweepQuery) Certified(eps float64, n int) *SweepQuery {
	q.samples("Certified", n)
	q.verbName = fmt.Sprintf("certified to %g, %d samples", eps, n)
	q.verb = func(ctx context.Context, s *SweepQuery, m *Model, seed uint64, rep int, progress func(done, total float64)) (*Result, error) {
		return m.Sample().Certified(eps).N(share(n, rep, s.replications)).Seed(seed).Level(s.level).Workers(s.workers).Progress(progress).Run(ctx)
	}
	return q
}

// By computes every point by the given function: any verb, or a formula. It
// must give the same result for the same model and seed. name says in the
// table what it does, and tells sweeps apart when they are merged.
func (q *SweepQuery) By(name string, f func(ctx context.Context, m *Model, seed uint64) (*Result, error)) *SweepQuery {
	q.verbFaults = faults{}
	q.verbName = name
	q.verb = func(ctx context.Context, _ *SweepQuery, m *Model, seed uint64, _ int, _ func(done, total float64)) (*Result, error) {
		return f(ctx, m, seed)
	}
	return q
}

// samples notes an impossible number of samples for Run.
func (q *SweepQuery) samples(verb string, n int) {
	q.verbFaults = faults{}
	q.verbFaults.check(n >= 1, "%s(%d): at least one sample is needed", verb, n)
	q.verbFaults.atMost(verb, int64(n), mostSamples)
}

// share is the part-th of n things dealt out to parts, one at least.
func share(n, part, parts int) int {
	k := n / parts
	if part < n%parts {
		k++
	}
	return max(1, k)
}

// replicationSeed is the seed of a replication: the seed itself for the first,
// the finaliser of SplitMix64 (Steele, Lea and Flood, 2014) of both for others.
func replicationSeed(seed uint64, replication int) uint64 {
	if replication == 0 {
		return seed
	}
	z := seed + uint64(replication)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// mostReplications are all kept, each with its result.
const mostReplications = 1 << 20

// Run computes the sweep. Progress counts jobs. A point whose verb fails is
// left out and named in the error, which comes with the result of the others.
// When ctx ends it returns the jobs completed, along with the error of the
// context.
func (q *SweepQuery) Run(ctx context.Context) (_ *SweepResult, err error) {
	defer caught("sweep", &err)
	bases, res, err := q.grid()
	if err != nil {
		return nil, err
	}
	all := len(res.Points) * q.replications
	mine := (all - q.part + q.parts - 1) / q.parts
	report := q.throttled()
	if report == nil {
		report = func(done, total float64) {}
	}
	var failed []error
	for done := 0; done < mine && ctx.Err() == nil; done++ {
		index := q.part + done*q.parts
		job := SweepJob{Point: index / q.replications, Replication: index % q.replications}
		job.Result, err = q.compute(ctx, bases[job.Point], &res.Points[job.Point], job.Replication, func(part float64) {
			report(float64(done)+part, float64(mine))
		})
		switch {
		case err == nil:
			res.Jobs = append(res.Jobs, job)
		case ctx.Err() == nil:
			failed = append(failed, fmt.Errorf("mjq: sweep: %s: %w", res.Points[job.Point].label(), err))
		}
		if ctx.Err() == nil {
			report(float64(done+1), float64(mine))
		}
	}
	if len(res.Jobs)+len(failed) < mine {
		failed = append(failed, errors.New("mjq: sweep: interrupted; the result holds the points completed"), context.Cause(ctx))
	}
	return res, errors.Join(failed...)
}

// compute is one job. report is told the fraction of it that is done.
func (q *SweepQuery) compute(ctx context.Context, base *Model, p *SweepPoint, replication int, report func(part float64)) (_ *Result, err error) {
	defer panics.Catch(&err)
	m, err := q.at(ctx, base, p, func() { report(0) })
	if err != nil {
		return nil, err
	}
	r, err := q.verb(ctx, q, m, replicationSeed(q.seed, replication), replication, func(done, total float64) {
		report(min(done/total, 0.999))
	})
	if err == nil && r == nil {
		err = errors.New("the verb gave neither a result nor an error")
	}
	return r, err
}

// grid checks the query and lays out the points, each with its model before
// rate or load is set.
func (q *SweepQuery) grid() (bases []*Model, res *SweepResult, err error) {
	var f faults
	q.Query.faults(&f)
	f.list = append(f.list, q.verbFaults.list...)
	f.check(q.replications >= 1, "Replications(%d): at least one is needed", q.replications)
	f.atMost("Replications", int64(q.replications), mostReplications)
	f.atMost("Part", int64(q.parts), mostSamples)
	f.check(q.parts >= 1 && q.part >= 0 && q.part < q.parts, "Part(%d, %d): number the parts from 0 to one less than there are", q.part, q.parts)
	for _, x := range slices.Concat(q.rates, q.loads) {
		f.check(x > 0 && !math.IsInf(x, 1), "Rates or Loads: %v must be positive and finite", x)
	}
	if len(q.rates)+len(q.loads) == 0 {
		q.m.arrivalFaults(&f)
	}
	res = &SweepResult{Verb: q.verbName, Seed: q.seed, Level: q.level, Replications: q.replications}
	for _, c := range q.m.classes {
		res.Classes = append(res.Classes, c.Name)
	}
	for _, l := range orOne(q.laws) {
		for _, s := range orOne(q.servers) {
			base, err := q.variant(l, s)
			if err != nil {
				f.list = append(f.list, err)
				continue
			}
			p := SweepPoint{Law: l.Name, Servers: base.servers, Rate: math.NaN(), Load: math.NaN()}
			for _, x := range q.rates {
				p.Rate = x
				bases, res.Points = append(bases, base), append(res.Points, p)
			}
			p.Rate = math.NaN()
			for _, x := range q.loads {
				p.Load = x
				bases, res.Points = append(bases, base), append(res.Points, p)
			}
			if len(q.rates)+len(q.loads) == 0 {
				p.Rate, p.Load = base.Rate(), base.Load()
				bases, res.Points = append(bases, base), append(res.Points, p)
			}
		}
	}
	return bases, res, f.err("sweep")
}

// orOne is xs, or one zero that stands for "as it is".
func orOne[T any](xs []T) []T {
	if len(xs) == 0 {
		return make([]T, 1)
	}
	return xs
}

// variant is the model with other laws and servers; what is zero stays.
func (q *SweepQuery) variant(l LawFamily, servers int) (*Model, error) {
	if l.Of == nil && len(q.laws) > 0 {
		return nil, fmt.Errorf("Laws: the family %q has no function; give one, as in {\"constant\", mjq.Deterministic}", l.Name)
	}
	if l.Of == nil && len(q.servers) == 0 {
		return q.m, nil
	}
	b := Servers(q.m.servers)
	if len(q.servers) > 0 {
		b = Servers(servers)
	}
	classes := q.m.Classes()
	for i := range classes {
		if l.Of != nil {
			classes[i].Service = l.Of(classes[i].Service.Mean())
		}
	}
	b = b.Classes(classes...)
	if q.m.arrivals != nil {
		b = b.Arrivals(q.m.arrivals)
	}
	m, err := b.Build()
	if err != nil {
		return nil, err
	}
	m.load = q.m.load
	if l.Of == nil {
		m.notes = q.m.notes // on laws, which are the same
	}
	return m, nil
}

// at sets the rate or load of a point. alive is called while it waits for a
// stability limit.
func (q *SweepQuery) at(ctx context.Context, base *Model, p *SweepPoint, alive func()) (*Model, error) {
	if math.IsNaN(p.Load) {
		return base.AtRate(p.Rate), nil
	}
	return base.AtLoad(p.Load).resolve(ctx, alive)
}
