package mjq

import (
	"context"
	"maps"

	"github.com/mjqueue/mjq/mjq/internal/planning"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Goal is what a system is to achieve: MeanWait, WaitQuantile, ServiceLevel or MeanSlowdown,
// of each of the classes named or, if none is, of all jobs together. Goals given together are
// all to be met.
type Goal interface {
	Option
	goals() []planning.Target
}

type goal []planning.Target

func (g goal) set(a *asked)             { a.goals = append(a.goals, g...) }
func (g goal) goals() []planning.Target { return g }

// MeanWait asks for a mean wait of at most this.
func MeanWait(most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.MeanWait, Bound: most}, classes)
}

// WaitQuantile asks for a p-quantile of the wait of at most this.
func WaitQuantile(p, most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Quantile, At: p, Bound: most}, classes)
}

// ServiceLevel asks that at least this share of the jobs wait no longer than a time.
func ServiceLevel(within, share float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Within, At: within, Bound: share}, classes)
}

// MeanSlowdown asks for a mean slowdown of at most this, where services shorter than the
// threshold count as that long (bounded slowdown).
func MeanSlowdown(threshold, most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Slowdown, At: threshold, Bound: most}, classes)
}

func of(t planning.Target, classes []string) (g goal) {
	if len(classes) == 0 {
		classes = []string{""}
	}
	for _, t.Class = range classes {
		g = append(g, t)
	}
	return g
}

// FewestServers finds the smallest number of servers with which the queue meets its goals.
//
//	n, err := m.FewestServers(ctx, mjq.MeanWait(0.25), mjq.WaitQuantile(0.99, 2, "wide"))
//	n.Best, n.Confirmed
//
// Sizes are tried by bisection, each exactly where that takes a second or so, else by forward
// runs with the same jobs for all, or by Simulation under other policies and for slowdowns; a
// method given answers every size, once and with its settings. A run is lengthened until its
// interval decides, so that sizes far from the answer cost little. The answer as a whole is
// right with probability Level; Confirmed says whether intervals decided on both sides of it,
// and the table shows its neighbours. It is sought where more servers help, which is proven
// under first come first served (the recurrence is monotone) and only usual under other
// policies. A model at a load keeps the rate that it has as given.
//
// Cost: some ten looks of 320,000 jobs, and near the goals up to MaxJobs a look, by default
// 2·10⁸, which is some ten seconds of one core. When ctx ends it returns what has been looked
// at, along with the error of the context. It fails, naming all faults, on goals that make no
// sense.
//
// Options: any number of goals, a method that finds waits, MaxJobs.
func (m Model) FewestServers(ctx context.Context, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "FewestServers", planning.Query{Sought: planning.Servers}, goal, opts)
}

// Costs are what a server costs in a unit of time, and a job in a unit of time that it waits.
type Costs struct{ Server, Wait float64 }

// CheapestServers finds the number of servers of least cost, among those that meet the goals
// if there are any; see FewestServers.
func (m Model) CheapestServers(ctx context.Context, costs Costs, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "CheapestServers", planning.Query{Sought: planning.Servers, Costs: planning.Costs(costs), Costed: true}, nil, opts)
}

// LargestRate finds the largest arrival rate at which the queue meets its goals, to 1 %, or to
// RelErr; see FewestServers.
func (m Model) LargestRate(ctx context.Context, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "LargestRate", planning.Query{Sought: planning.Rate}, goal, opts, "RelErr")
}

// LargestNeed finds the largest number of servers that jobs of a class can need with the goals
// met; see FewestServers.
func (m Model) LargestNeed(ctx context.Context, class string, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "LargestNeed", planning.Query{Sought: planning.Need, Class: class}, goal, opts)
}

// CheapestMix finds the numbers of units of each type of resource that cost least, at these
// prices a unit, with the goals met; see FewestServers. With two types it takes about as many
// looks as the answer has units more than the least that is stable; each further type
// multiplies.
func (m Model) CheapestMix(ctx context.Context, prices map[string]float64, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "CheapestMix", planning.Query{Sought: planning.Mix, Prices: maps.Clone(prices)}, goal, opts)
}

func (m Model) size(ctx context.Context, question string, q planning.Query, first Goal, opts []Option, takes ...string) (_ *result.Sizing, err error) {
	defer problem.Caught("mjq: sizing", &err)
	a, p, err := m.request(ctx, question, opts, append(takes, "MaxJobs", "goal"), nil)
	if err != nil {
		return nil, err
	}
	q.Problem, q.Targets, q.Asked, q.Level, q.Seed = p, a.goals, a.engine(), a.o.Level, a.o.SeedOr(problem.SweepSeed)
	if first != nil {
		q.Targets = append(first.goals(), a.goals...)
	}
	q.MaxJobs, q.RelErr = a.o.TakeJobs(), a.o.TakeRelErr()
	q.Options = a.o
	s, err := planning.Find(ctx, q)
	return s, prefixed(err)
}
