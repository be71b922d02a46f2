package mjq

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// LawFamily is a kind of service law by its mean: {"constant", Deterministic}.
type LawFamily struct {
	Name string
	Of   func(mean float64) Law
}

// Grid holds the variants of a model that Sweep asks about: every law family, with every number
// of servers, size of nodes and placement, at every rate and every load. An empty field leaves the model as it is.
type Grid struct {
	Rates        []float64   // arrival rates; points beyond the stability limit have infinite waits
	Loads        []float64   // fractions of the stability limit of each variant, found first
	Servers      []int       // numbers of servers
	NodeSizes    []int       // units of a node, with as many units in all; for nodes that are alike
	Placements   []Placement // of jobs on nodes
	Laws         []LawFamily // in place of the service law of every class, with the same mean
	Replications int         // into so many jobs every point is cut; the default is 1
}

// Sweep answers Solve for every point of a grid.
//
//	g, err := mjq.Sweep(ctx, m, mjq.Grid{Loads: []float64{0.5, 0.7, 0.9}, Servers: []int{32, 48}}, mjq.Forward{})
//	g.Table()
//
// Without a method, Solve chooses one for each point, and the table names it. A point is one or
// more replications, each a job of its own with a seed that depends only on Seed and its number;
// their results are pooled. Replication 0 has the seed itself, so a point is what Solve returns
// with that Seed, and all points share their randomness. Results are bit-identical however the
// sweep is divided, into goroutines or into parts on several machines (Shard) that
// result.MergeSweeps puts together. A MethodFunc is called once per replication.
//
// A point whose question fails is left out and named in the error, which comes with the results
// of the others. When ctx ends Sweep returns the jobs completed, along with the error of ctx.
//
// Options: those of Solve, and Shard.
func Sweep(ctx context.Context, m Model, g Grid, opts ...Option) (_ *result.Sweep, err error) {
	defer problem.Caught("mjq: Sweep", &err)
	a, p, err := m.request(ctx, "Sweep", opts)
	if err != nil {
		return nil, err
	}
	x := &sweep{Grid: g, asked: a, p: p}
	bases, res, err := x.lay()
	if err != nil {
		return nil, prefixed(err)
	}
	res.Unit = p.Unit
	return res, x.run(ctx, bases, res)
}

// sweep is one at work.
type sweep struct {
	Grid
	*asked
	p *problem.Problem
}

// mostReplications are all kept, each with its result.
const mostReplications = 1 << 20

// run computes the jobs of this part.
func (x *sweep) run(ctx context.Context, bases []*problem.Problem, res *result.Sweep) error {
	all := len(res.Points) * x.Replications
	mine := (all - x.part + x.parts - 1) / x.parts
	report := replicate.Throttled(x.o.Progress)
	if report == nil {
		report = func(done, total float64) {}
	}
	var failed []error
	for done := 0; done < mine && ctx.Err() == nil; done++ {
		index := x.part + done*x.parts
		job := result.SweepJob{Point: index / x.Replications, Replication: index % x.Replications}
		point := &res.Points[job.Point]
		r, err := x.compute(ctx, bases[job.Point], point, job.Replication, func(part float64) {
			report(float64(done)+part, float64(mine))
		})
		switch {
		case err == nil:
			job.Result = r
			res.Jobs = append(res.Jobs, job)
		case ctx.Err() == nil:
			failed = append(failed, fmt.Errorf("mjq: Sweep: %s: %w", point.Label(), err))
		}
		if ctx.Err() == nil {
			report(float64(done+1), float64(mine))
		}
	}
	if len(res.Jobs)+len(failed) < mine {
		failed = append(failed, errors.New("mjq: Sweep: interrupted; the result holds the points completed"), context.Cause(ctx))
	}
	return errors.Join(failed...)
}

// compute is one job. report is told the fraction of it that is done.
func (x *sweep) compute(ctx context.Context, base *problem.Problem, p *result.SweepPoint, replication int, report func(part float64)) (r *result.Result, err error) {
	defer panics.Catch(&err)
	at := base.WithArrivals(base.WithRate(p.Rate))
	if !math.IsNaN(p.Load) {
		if at, err = limit.Resolve(ctx, base.WithArrivals(base.WithLoad(p.Load)), func() { report(0) }); err != nil {
			return nil, err
		}
	}
	a := *x.asked
	how := a.engine()
	if how != nil {
		how = run.Share(how, &a.o, replication, x.Replications)
	}
	a.o.SetSeed(replicationSeed(x.o.Seed, replication))
	a.o.Progress, a.o.Moments, a.o.Interval = func(done, total float64) { report(min(done/total, 0.999)) }, nil, nil
	if r, err = a.solve(ctx, at, how); err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errors.New("the method returned neither a result nor an error; return one of them")
	}
	return r, nil
}

// replicationSeed is the seed of a replication: the seed itself for the first, the finaliser
// of SplitMix64 (Steele, Lea and Flood, 2014) of both for others.
func replicationSeed(seed uint64, replication int) uint64 {
	if replication == 0 {
		return seed
	}
	z := seed + uint64(replication)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// lay checks the grid and lists its points, each with the variant that it is of.
func (x *sweep) lay() (bases []*problem.Problem, res *result.Sweep, err error) {
	if x.Replications == 0 {
		x.Replications = 1
	}
	var f check.Faults
	x.faults(&f)
	x.o.SetSeed(x.o.SeedOr(problem.SweepSeed))
	res = &result.Sweep{Method: x.words(), Seed: x.o.Seed, Level: x.o.Level, Replications: x.Replications}
	for _, c := range x.p.Classes {
		res.Classes = append(res.Classes, c.Name)
	}
	for _, l := range orOne(x.Laws) {
		for _, servers := range orOne(x.Servers) {
			for _, size := range orOne(x.NodeSizes) {
				for _, at := range orOne(x.Placements) {
					v, err := x.variant(l, servers, size, at)
					if err != nil {
						f.Join(err)
						continue
					}
					for _, p := range x.points(v) {
						p.Law = l.Name
						bases, res.Points = append(bases, v), append(res.Points, p)
					}
				}
			}
		}
	}
	return bases, res, f.Err("Sweep")
}

// words are the method with its settings, by which parts of a sweep are told apart.
func (x *sweep) words() string {
	if e := x.engine(); e != nil {
		return run.Describe(e, &x.o)
	}
	return "the method that suits"
}

// faults says what is wrong with the settings of the sweep.
func (x *sweep) faults(f *check.Faults) {
	x.o.Check(f)
	if e := x.engine(); e != nil {
		run.Settings(f, e)
	}
	f.Asked(x.Replications >= 1, "Replications %d: give at least 1", x.Replications)
	f.AtMost("Replications", int64(x.Replications), mostReplications)
	f.AtMost("Shard", int64(x.parts), 1<<40)
	f.Asked(x.parts >= 1 && x.part >= 0 && x.part < x.parts, "Shard(%d, %d): no such shard; number them from 0 to their number less 1", x.part, x.parts)
	for _, v := range x.Rates {
		f.That(v > 0 && !math.IsInf(v, 1), "Rates: %v must be positive and finite", v)
	}
	for _, v := range x.Loads {
		f.That(v > 0 && !math.IsInf(v, 1), "Loads: %v must be positive and finite", v)
	}
	if len(x.Rates)+len(x.Loads) == 0 {
		x.p.ArrivalFaults(f)
	}
}

// points are those of a variant: its rates, then its loads, or it as it is.
func (x *sweep) points(base *problem.Problem) (points []result.SweepPoint) {
	p := result.SweepPoint{Servers: base.Servers, Rate: math.NaN(), Load: math.NaN()}
	if base.Features().Has(spec.Placed) {
		p.Nodes, p.Placement = base.NodesShort(), base.Placement.String()
	}
	for _, v := range x.Rates {
		p.Rate = v
		points = append(points, p)
	}
	p.Rate = math.NaN()
	for _, v := range x.Loads {
		p.Load = v
		points = append(points, p)
	}
	if len(points) == 0 {
		p.Rate = base.Rate()
		if l := base.Load; l != nil {
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

// variant is the model with other laws, servers, sizes of nodes and placement; what is zero stays.
func (x *sweep) variant(l LawFamily, servers, size int, at Placement) (*problem.Problem, error) {
	if l.Of == nil && len(x.Laws) > 0 {
		return nil, fmt.Errorf("the family %q of Laws has no function; give one, as in {\"constant\", mjq.Deterministic}", l.Name)
	}
	if l.Of == nil && len(x.Grid.Servers)+len(x.NodeSizes)+len(x.Placements) == 0 {
		return x.p, nil
	}
	s := x.p.Spec
	if len(x.Grid.Servers) > 0 {
		s = s.WithServers(servers)
	}
	if len(x.NodeSizes) > 0 {
		var err error
		if s, err = s.WithNodeSize(size); err != nil {
			return nil, fmt.Errorf("NodeSizes: %w", err)
		}
	}
	if len(x.Placements) > 0 {
		s = s.WithPlacement(at)
	}
	if l.Of != nil {
		s = s.WithLaws(func(_ int, service Law) Law { return l.Of(service.Mean()) })
	}
	known, err := s.Checked()
	if err != nil {
		return nil, err
	}
	return problem.New(known), nil
}
