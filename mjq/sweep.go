package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// LawFamily is a kind of service law by its mean: {"constant", Deterministic}.
type LawFamily struct {
	Name string
	Of   func(mean float64) Law
}

// Question is what a sweep asks at every point: a query of Sample, Simulate or Exact
// with its settings.
type Question interface {
	ask() (*method.Method, method.Options)
}

func (q SampleQuery) ask() (*method.Method, method.Options)   { return q.method.Under(q.m.p.Spec), q.o }
func (q SimulateQuery) ask() (*method.Method, method.Options) { return method.Simulate, q.o }
func (q ExactQuery) ask() (*method.Method, method.Options)    { return method.Exact, q.o }

// SweepQuery asks for the results of many variants of a model; see Sweep. It is a value:
// each call returns a changed copy.
type SweepQuery struct {
	m            *Model
	o            method.Options // seed, level, workers, progress
	rates, loads []float64
	laws         []LawFamily
	servers      []int
	question     Question
	by           func(ctx context.Context, m *Model, seed uint64) (*result.Result, error) // instead
	name         string
	replications int
	part, parts  int
}

// Sweep begins a query for results over a grid: every law family, with every number of
// servers, at every rate and load. What is not given stays as in the model.
//
//	sw, err := mjq.Sweep(m).Loads(0.5, 0.7, 0.9).Servers(32, 48, 64).Using(m.Sample().Backward()).Run(ctx)
//	sw.Table()
//
// A point of the grid is computed as one or more replications (Replications), each a
// job of its own. The seed of a job depends on the seed of the sweep and on the number
// of its replication, and on nothing else: replication 0 has the seed itself, so that a
// point is what its query gives with that Seed, and all points share their randomness,
// so that differences between them are sharp. Jobs run one after another, each on all
// cores. The bits are therefore the same however the sweep is cut: into goroutines, or
// into parts on several machines (Shard) that MergeSweeps puts together.
func Sweep(m *Model) SweepQuery {
	q := SweepQuery{m: m, replications: 1, parts: 1, o: method.Defaults()}
	q.o.SetSeed(method.SweepSeed)
	return q.Using(m.Sample().Backward())
}

// Rates are arrival rates, in jobs per unit of time. Points beyond the stability limit
// have infinite waits.
func (q SweepQuery) Rates(rates ...float64) SweepQuery {
	q.rates = rates
	return q
}

// Loads are fractions of the stability limit of each variant, found first; see
// Model.AtLoad. With Rates given too, the grid has both.
func (q SweepQuery) Loads(loads ...float64) SweepQuery {
	q.loads = loads
	return q
}

// Laws replaces the service law of every class by one of the family with the same mean.
func (q SweepQuery) Laws(families ...LawFamily) SweepQuery {
	q.laws = families
	return q
}

// Servers are numbers of servers.
func (q SweepQuery) Servers(numbers ...int) SweepQuery {
	q.servers = numbers
	return q
}

// Replications cuts every point into n jobs. The samples of a query are shared out among
// them. The results are pooled: means weighted by their number of observations,
// half-widths added as errors of independent numbers. The default is 1. A By function is
// called once a replication, each time with another seed.
func (q SweepQuery) Replications(n int) SweepQuery {
	q.replications = n
	return q
}

// Shard leaves only the jobs whose index is k modulo n, k from 0, for the k-th of n
// machines. Give all of them the same sweep, and their results to MergeSweeps.
func (q SweepQuery) Shard(k, n int) SweepQuery {
	q.part, q.parts = k, n
	return q
}

// Using computes every point by a query of Sample, Simulate or Exact: its method and its
// settings, put to the variants of the model of the sweep. Seed, level, goroutines and
// progress are those of the sweep. The default is Sample().Backward().
func (q SweepQuery) Using(question Question) SweepQuery {
	m, o := question.ask()
	q.question, q.by, q.name = question, nil, m.Describe(&o)
	return q
}

// By computes every point by the given function: any verb, or a formula. It must give
// the same result for the same model and seed. name says in the table what it does, and
// tells sweeps apart when they are merged.
func (q SweepQuery) By(name string, f func(ctx context.Context, m *Model, seed uint64) (*result.Result, error)) SweepQuery {
	q.question, q.by, q.name = nil, f, name
	return q
}

// Seed chooses the randomness; see SampleQuery.Seed.
func (q SweepQuery) Seed(seed uint64) SweepQuery {
	q.o.SetSeed(seed)
	return q
}

// Level sets the confidence level of all intervals; the default is 0.95.
func (q SweepQuery) Level(level float64) SweepQuery {
	q.o.Level = level
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q SweepQuery) Workers(n int) SweepQuery {
	q.o.Workers = n
	return q
}

// Progress has f called a few times a second with the jobs done and their number. Calls
// come one at a time.
func (q SweepQuery) Progress(f func(done, total float64)) SweepQuery {
	q.o.Progress = f
	return q
}
