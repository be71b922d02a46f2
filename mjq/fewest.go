package mjq

import (
	"context"
	"maps"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/internal/planning"
	"github.com/mjqueue/mjq/mjq/result"
)

// FewestQuery asks how large a system must be; see Fewest. It is a value: each call
// returns a changed copy.
type FewestQuery struct {
	q      planning.Query
	asking Question
}

// Fewest asks for the smallest number of servers with which the queue meets its targets,
// or, by LargestRate, LargestNeed and CheapestMix, for another border of that kind. At
// least one target is needed, or Costs.
//
//	f, err := mjq.Fewest(m).MeanWait(0.25).Quantile(0.99, 2, "wide").Run(ctx)
//	f.Best, f.Sure
//
// Sizes are tried by bisection, each exactly where that takes a second or so, else by
// forward runs with the same jobs for all, or by Simulate under other policies and for
// slowdowns. A run is lengthened until its interval decides, so that sizes far from the
// answer cost little. The answer as a whole is right with probability Level; Sure says
// whether intervals decided on both sides of it, and the table shows its neighbours. It
// is sought where more servers help, which is proven under first come first served
// (the recurrence is monotone) and only usual under other policies.
//
// Cost: some ten looks of 320,000 jobs, and near the targets up to MaxJobs.
func Fewest(m *Model) FewestQuery {
	o := method.Defaults()
	return FewestQuery{q: planning.Query{Problem: m.p, Options: o, Level: o.Level, Seed: method.SweepSeed}}
}

// MeanWait asks for a mean wait of at most this, of each of the classes named or, if none
// is, of all jobs together.
func (q FewestQuery) MeanWait(most float64, classes ...string) FewestQuery {
	return q.target(planning.Target{Kind: planning.MeanWait, Bound: most}, classes)
}

// Quantile asks for a p-quantile of the wait of at most this; classes as for MeanWait.
func (q FewestQuery) Quantile(p, most float64, classes ...string) FewestQuery {
	return q.target(planning.Target{Kind: planning.Quantile, At: p, Bound: most}, classes)
}

// Within asks that at least this share of the jobs wait no longer than a time; classes as
// for MeanWait.
func (q FewestQuery) Within(time, share float64, classes ...string) FewestQuery {
	return q.target(planning.Target{Kind: planning.Within, At: time, Bound: share}, classes)
}

// Slowdown asks for a mean slowdown of at most this, where services shorter than the
// threshold count as that long (bounded slowdown); classes as for MeanWait.
func (q FewestQuery) Slowdown(threshold, most float64, classes ...string) FewestQuery {
	return q.target(planning.Target{Kind: planning.Slowdown, At: threshold, Bound: most}, classes)
}

// Costs has Fewest find the cheapest number of servers among those that meet the targets,
// where a server costs this in a unit of time and a job that in a unit of time it waits.
func (q FewestQuery) Costs(server, wait float64) FewestQuery {
	q.q.Costs = planning.Costs{Server: server, Wait: wait}
	return q
}

// LargestRate asks instead for the largest arrival rate at which the queue meets its
// targets, to 1 %, or to RelErr.
func (q FewestQuery) LargestRate() FewestQuery {
	q.q.Sought = planning.Rate
	return q
}

// RelErr is how precise LargestRate is to be, relative to the rate.
func (q FewestQuery) RelErr(r float64) FewestQuery {
	q.q.RelErr = r
	return q
}

// LargestNeed asks instead for the largest number of servers that jobs of a class can
// need.
func (q FewestQuery) LargestNeed(class string) FewestQuery {
	q.q.Sought, q.q.Class = planning.Need, class
	return q
}

// CheapestMix asks instead for the numbers of units of each type of resource that cost
// least, at these prices a unit. With two types it takes about as many looks as the
// answer has units more than the least that is stable; each further type multiplies.
func (q FewestQuery) CheapestMix(prices map[string]float64) FewestQuery {
	q.q.Sought, q.q.Prices = planning.Mix, maps.Clone(prices)
	return q
}

// Using has every size answered by a query of Sample, Simulate or Exact, once and with
// its settings.
func (q FewestQuery) Using(question Question) FewestQuery {
	q.asking = question
	return q
}

// MaxJobs is the most jobs of one look, in all its replications; the default is 2·10⁸,
// which is some ten seconds of one core.
func (q FewestQuery) MaxJobs(n int) FewestQuery {
	q.q.MaxJobs = int64(n)
	return q
}

// Seed chooses the randomness, the same for all sizes.
func (q FewestQuery) Seed(seed uint64) FewestQuery {
	q.q.Seed = seed
	return q
}

// Level is the probability with which the answer is to be right; the default is 0.95.
func (q FewestQuery) Level(level float64) FewestQuery {
	q.q.Level = level
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q FewestQuery) Workers(n int) FewestQuery {
	q.q.Options.Workers = n
	return q
}

// Progress has f called a few times a second with the sizes looked at and a guess of how
// many there will be.
func (q FewestQuery) Progress(f func(done, total float64)) FewestQuery {
	q.q.Options.Progress = f
	return q
}

// Run searches. When ctx ends it returns what has been looked at, along with the error of
// the context. It fails, naming all faults, on targets that make no sense.
func (q FewestQuery) Run(ctx context.Context) (_ *result.Sizing, err error) {
	defer method.Caught("mjq: sizing", &err)
	if q.asking != nil {
		m, o := q.asking.ask()
		o.Workers, o.Progress = q.q.Options.Workers, q.q.Options.Progress
		o.Fresh = o.Fresh || q.q.Options.Fresh
		q.q.Asked, q.q.Options = m, o
	}
	s, err := planning.Find(ctx, q.q)
	return s, prefixed(err)
}

func (q FewestQuery) target(t planning.Target, classes []string) FewestQuery {
	q.q.Targets = slices.Clone(q.q.Targets)
	if len(classes) == 0 {
		classes = []string{""}
	}
	for _, c := range classes {
		t.Class = c
		q.q.Targets = append(q.q.Targets, t)
	}
	return q
}
