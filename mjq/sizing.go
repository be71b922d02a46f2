package mjq

import (
	"context"
	"fmt"
	"maps"

	"github.com/mjqueue/mjq/mjq/internal/planning"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Goal is a target for the system: MeanWait, WaitQuantile, ServiceLevel, MeanSlowdown, Blocked,
// Left or ETTR, of each of the classes named or, if none is, of all jobs together. Goals given
// together must all be met.
//
// Waits and slowdowns are those of the jobs that start. A queue that drops jobs could meet a
// goal on them by dropping nearly all, so such a goal is an error without one on the drops.
// Blocked bounds jobs that are turned away, and Left those that give up or leave when the policy
// stops them. ServiceLevel bounds jobs that are turned away or give up. One for all jobs counts
// for a class if it lets fewer jobs be dropped than the class has.
type Goal interface {
	Option
	goals() []planning.Target
}

type goal []planning.Target

func (g goal) set(a *asked)             { a.goals = append(a.goals, g...) }
func (g goal) goals() []planning.Target { return g }

// MeanWait asks for a mean wait of at most this time, in the unit of time of the model.
func MeanWait(most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.MeanWait, Bound: most}, classes)
}

// WaitQuantile asks for a p-quantile of the wait, 0 < p < 1, of at most this time.
func WaitQuantile(p, most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Quantile, At: p, Bound: most}, classes)
}

// ServiceLevel asks that at least this share of the jobs that arrive, between 0 and 1, start
// within a time. Jobs that are turned away or give up do not start, and so count against it.
func ServiceLevel(within, share float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Within, At: within, Bound: share}, classes)
}

// MeanSlowdown asks for a mean slowdown of at most this, where services shorter than the
// threshold count as that long (bounded slowdown).
func MeanSlowdown(threshold, most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Slowdown, At: threshold, Bound: most}, classes)
}

// Blocked asks that at most this share of the jobs is turned away; see Room.
func Blocked(most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Blocked, Bound: most}, classes)
}

// Left asks that at most this share of the jobs gives up; see Patience.
func Left(most float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.Left, Bound: most}, classes)
}

// ETTR asks for an effective share of the time of jobs, between 0 and 1, of at least this where
// servers fail: the mean service time over the mean time from the first start to the end.
func ETTR(least float64, classes ...string) Goal {
	return of(planning.Target{Kind: planning.ETTR, Bound: least}, classes)
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

// FewestServers returns the smallest number of servers with which the queue meets its goals; on
// nodes, the number of nodes of the last kind.
//
//	n, err := m.FewestServers(ctx, mjq.MeanWait(0.25), mjq.WaitQuantile(0.99, 2, "wide"))
//	n.Best, n.Confirmed
//
// The search is a bisection. A candidate is solved exactly if that takes about a second;
// otherwise forward runs, or Simulation, are lengthened until the interval decides. A method
// that you give answers every candidate, once and with its settings. The answer as a whole is
// right with probability Level; Confirmed reports whether intervals decided on both sides of it.
// The search assumes that more servers help, a theorem under first come, first served. A model
// at a load keeps the rate that it has as given.
//
// Cost: some ten candidates of 320,000 jobs, and near the answer up to MaxJobs each, by default
// 2·10⁸. When ctx ends it returns the candidates tried, along with the error of ctx. It fails,
// naming all errors, on goals that make no sense.
//
// Options: any number of goals, a method that finds waits, MaxJobs.
func (m Model) FewestServers(ctx context.Context, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "FewestServers", planning.Query{Sought: planning.Servers}, goal, opts)
}

// Costs are the cost of a server per unit of time, of a job per unit of time that it waits, whether it
// starts in the end or gives up, and of an amount of energy of 1. With Watts in kilowatts and times in
// hours Energy is the price of a kilowatt-hour; it needs Watts.
type Costs struct{ Server, Wait, Energy float64 }

// CheapestServers returns the number of servers of least cost, among those that meet the goals
// if there are any; see FewestServers. Costs of waiting in a queue that drops jobs need a goal on
// the drops, see Goal, because a job that is dropped waits no longer.
func (m Model) CheapestServers(ctx context.Context, costs Costs, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "CheapestServers", planning.Query{Sought: planning.Servers, Costs: planning.Costs(costs), Costed: true}, nil, opts)
}

// LargestRate returns the largest arrival rate at which the queue meets its goals, to 1 %, or
// to RelErr; see FewestServers. It is an error if no rate is too large for the goals.
func (m Model) LargestRate(ctx context.Context, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "LargestRate", planning.Query{Sought: planning.Rate}, goal, opts)
}

// LargestNeed returns the largest number of servers that jobs of a class can need if the queue
// still meets its goals; see FewestServers.
func (m Model) LargestNeed(ctx context.Context, class string, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "LargestNeed", planning.Query{Sought: planning.Need, Class: class}, goal, opts)
}

// CheapestMix returns the numbers of units of each type of resource that cost least at these
// prices per unit and meet the goals; see FewestServers. Cost: with two types, about one
// candidate per unit above the smallest stable mix; each further type multiplies this.
func (m Model) CheapestMix(ctx context.Context, prices map[string]float64, goal Goal, opts ...Option) (*result.Sizing, error) {
	return m.size(ctx, "CheapestMix", planning.Query{Sought: planning.Mix, Prices: maps.Clone(prices)}, goal, opts)
}

func (m Model) size(ctx context.Context, question string, q planning.Query, first Goal, opts []Option) (_ *result.Sizing, err error) {
	defer problem.Caught("mjq: "+question, &err)
	a, p, err := m.request(ctx, question, opts)
	if err != nil {
		return nil, err
	}
	q.Problem, q.Targets, q.Asked, q.Level, q.Seed = p, a.goals, a.engine(), a.o.Level, a.o.SeedOr(problem.SweepSeed)
	if first != nil {
		q.Targets = append(first.goals(), a.goals...)
	}
	q.MaxJobs, q.RelErr = a.o.MaxJobs.Or(0), a.o.RelErr.Or(0)
	q.Options = a.o
	s, err := planning.Find(ctx, q)
	s = labelled(s, func(s *result.Sizing) *result.Unit { return &s.Unit }, p.Unit)
	if err != nil {
		err = fmt.Errorf("mjq: %s: %w", question, err)
	}
	return s, err
}
