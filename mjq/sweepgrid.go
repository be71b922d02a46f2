package mjq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

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

// Run computes the sweep. A point whose query fails is left out and named in the error,
// which comes with the result of the others. When ctx ends it returns the jobs
// completed, along with the error of the context.
func (q SweepQuery) Run(ctx context.Context) (_ *SweepResult, err error) {
	defer method.Caught("mjq: sweep", &err)
	bases, res, err := q.grid()
	if err != nil {
		return nil, prefixed(err)
	}
	all := len(res.Points) * q.replications
	mine := (all - q.part + q.parts - 1) / q.parts
	report := replicate.Throttled(q.o.Progress)
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
func (q *SweepQuery) compute(ctx context.Context, base *Model, p *SweepPoint, replication int, report func(part float64)) (r *result.Result, err error) {
	defer panics.Catch(&err)
	m := base.AtRate(p.Rate)
	if !math.IsNaN(p.Load) {
		known, err := base.AtLoad(p.Load).p.Resolve(ctx, func() { report(0) })
		if err != nil {
			return nil, err
		}
		m = &Model{known}
	}
	seed := replicationSeed(q.o.Seed, replication)
	if q.by != nil {
		r, err = q.by(ctx, m, seed)
	} else {
		x, o := q.question.ask()
		o.Share(x, replication, q.replications)
		o.SetSeed(seed)
		o.Level, o.Workers, o.Fresh = q.o.Level, q.o.Workers, o.Fresh || q.o.Fresh
		o.Progress = func(done, total float64) { report(min(done/total, 0.999)) }
		r, err = x.Run(ctx, m.p, o)
	}
	if r != nil {
		result.MarkUnknown(r) // what a verb of the user's has left out
	}
	if err == nil && r == nil {
		err = errors.New("the verb gave neither a result nor an error")
	}
	return r, err
}

// grid checks the query and lays out the points, each with its model before rate or
// load is set.
func (q *SweepQuery) grid() (bases []*Model, res *SweepResult, err error) {
	var f check.Faults
	q.faults(&f)
	res = &SweepResult{Verb: q.name, Seed: q.o.Seed, Level: q.o.Level, Replications: q.replications}
	for _, c := range q.m.p.Classes {
		res.Classes = append(res.Classes, c.Name)
	}
	for _, l := range orOne(q.laws) {
		for _, s := range orOne(q.servers) {
			base, faults := q.variant(l, s)
			if f.Join(faults...); len(faults) > 0 {
				continue
			}
			for _, p := range q.points(base) {
				p.Law = l.Name
				bases, res.Points = append(bases, base), append(res.Points, p)
			}
		}
	}
	return bases, res, f.Err("sweep")
}

// faults says what is wrong with the settings of the sweep.
func (q *SweepQuery) faults(f *check.Faults) {
	q.o.Check(f)
	if q.by == nil {
		_, o := q.question.ask()
		o.Check(f)
	}
	f.That(q.replications >= 1, "Replications(%d): at least one is needed", q.replications)
	f.AtMost("Replications", int64(q.replications), mostReplications)
	f.AtMost("Shard", int64(q.parts), 1<<40)
	f.That(q.parts >= 1 && q.part >= 0 && q.part < q.parts, "Shard(%d, %d): number the shards from 0 to one less than there are", q.part, q.parts)
	for _, x := range slices.Concat(q.rates, q.loads) {
		f.That(x > 0 && !math.IsInf(x, 1), "Rates or Loads: %v must be positive and finite", x)
	}
	if len(q.rates)+len(q.loads) == 0 {
		q.m.p.ArrivalFaults(f)
	}
}

// points are those of a variant: its rates, then its loads, or it as it is.
func (q *SweepQuery) points(base *Model) (points []SweepPoint) {
	p := SweepPoint{Servers: base.Servers(), Rate: math.NaN(), Load: math.NaN()}
	for _, x := range q.rates {
		p.Rate = x
		points = append(points, p)
	}
	p.Rate = math.NaN()
	for _, x := range q.loads {
		p.Load = x
		points = append(points, p)
	}
	if len(points) == 0 {
		p.Rate = base.Rate()
		if l := base.p.Load; l != nil {
			p.Load = *l
		}
		points = append(points, p)
	}
	return points
}

// orOne is xs, or one zero that stands for "as it is".
func orOne[T any](xs []T) []T {
	if len(xs) == 0 {
		return make([]T, 1)
	}
	return xs
}

// variant is the model with other laws and servers; what is zero stays.
func (q *SweepQuery) variant(l LawFamily, servers int) (*Model, []error) {
	if l.Of == nil && len(q.laws) > 0 {
		return nil, []error{fmt.Errorf("Laws: the family %q has no function; give one, as in {\"constant\", mjq.Deterministic}", l.Name)}
	}
	if l.Of == nil && len(q.servers) == 0 {
		return q.m, nil
	}
	s := q.m.p.Spec
	if len(q.servers) > 0 {
		s = s.WithServers(servers)
	}
	if l.Of != nil {
		s = s.WithLaws(func(_ int, service Law) Law { return l.Of(service.Mean()) })
	}
	if faults := s.Validate(); len(faults) > 0 {
		return nil, []error{described(faults)}
	}
	return &Model{method.New(s.Normalized())}, nil
}

// described is the error of a description with these faults.
func described(faults []error) error {
	return fmt.Errorf("the model has %s:\n%w", spec.Count(len(faults), "fault"), errors.Join(faults...))
}
