package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Stability returns the stability limit λ_c: the queue is stable at every rate below it, and
// grows without bound above. It takes the first method that fits: a formula, a product form, the
// saturated chain with phase-type service times and at most 100,000 states, and otherwise Pile.
// All except Pile are exact, to about 12 digits; Method of the result names the one taken. Under
// other policies the limit is exact where theory has it, see site/docs/methods/stability.md.
// Otherwise a search by simulation of about a second returns an interval of mostly 2 to 8 %;
// with RelErr it goes on until the interval is as narrow, or until MaxJobs, 2·10⁷ by default,
// are spent.
//
// On Nodes the limit is exact for up to 100,000 configurations, with Exact 300,000; Pool of the
// result is the limit of the same units as one pool. For a Priority with Poisson arrivals at a
// known rate the result also has every level's own limit, where a closed form or a chain has it.
//
// Copies of the model that differ in the arrivals only share one limit. When ctx ends, Stability
// returns what it has, along with the error of ctx.
//
// Options: Exact for an exact limit or an error, Pile, RelErr, MaxJobs.
//
// Source: Baccelli and Foss, J. Appl. Probab. 32, 1995; Fayolle, Malyshev and Menshikov 1995 for
// drifts.
func (m Model) Stability(ctx context.Context, opts ...Option) (*result.Stability, error) {
	a, p, err := m.request(ctx, "Stability", opts)
	if err != nil {
		return nil, err
	}
	by := limit.Way{}
	switch x := a.method.(type) {
	case Exact:
		by.Exact = true
	case Pile:
		by.Piled, by.Pile = true, limit.Pile(x)
	}
	find := func() (*result.Stability, error) { return limit.Find(ctx, p, by, a.o) }
	if len(opts) == 0 {
		find = func() (*result.Stability, error) { return limit.Of(ctx, p, nil) }
	}
	st, err := find()
	if err == nil {
		st, err = limit.WithLevels(ctx, p, st)
	}
	if err == nil {
		st, err = limit.WithPool(ctx, p, st)
	}
	if err == nil {
		st = limit.WithDown(p, st)
	}
	return labelled(st, func(s *result.Stability) *result.Unit { return &s.Unit }, p.Unit), prefixed(err)
}

// labelled is an answer with the unit of the model: a copy, as copies of the model share it.
func labelled[T any](x *T, of func(*T) *result.Unit, u result.Unit) *T {
	if x == nil || *of(x) == u {
		return x
	}
	own := *x
	*of(&own) = u
	return &own
}

// Pile finds the stability limit by simulating the saturated system, for any service times of
// finite mean. Jobs pile up on the servers without arrivals, and the pile grows by 1/λ_c per
// job. It is for first come, first served.
//
// It runs until the half-width is 0.002 of the limit, or RelErr, or until MaxJobs, by default
// 10⁸, are spent; then Met is false. The interval includes the most that service times or
// classes can do which are too rare to be sampled; Notes name them. It ends where theory proves
// that the limit cannot lie, so that the limit need not be near its middle.
//
// Source: Algorithm 2 and Theorem 5.1 of Baccelli, Olliaro, Ajmone Marsan and Marin. Independent
// replications, a warm-up and control variates add the interval; the authors' rule stops when
// two estimates agree.
type Pile struct {
	// Replications is the number of independent piles, from which the interval comes, at least
	// 16. The default is 64, or 16 if MaxJobs leaves too little time for each. A GPU needs
	// thousands.
	Replications int
	// Device is the processor; see Processor.
	Device Processor
}

func (x Pile) set(a *asked)       { a.by(x) }
func (x Pile) engine() run.Method { return nil }

// Capacity returns the largest arrival rate at which some scheduling policy is stable,
// preemptive or not. It depends on the means of service times only. MaxWeight attains it, and so
// does CapacityPolicy. The result has the mixture of sets of jobs that attains the rate, and the
// prices that prove that no other does better.
//
// It takes identical servers, typed resources, or nodes with jobs on one node or on whole nodes,
// and at most ten million combinations of resources. Dozens of classes on thousands of servers
// take below a second.
//
// Source: Tassiulas and Ephremides, IEEE Transactions on Automatic Control 37 (1992); column
// generation: Gilmore and Gomory, Operations Research 9 (1961).
func (m Model) Capacity(ctx context.Context, opts ...Option) (*result.Capacity, error) {
	a, p, err := m.request(ctx, "Capacity", opts)
	if err != nil {
		return nil, err
	}
	c, err := limit.FindCapacity(ctx, p, a.o.Fresh)
	return labelled(c, func(c *result.Capacity) *result.Unit { return &c.Unit }, p.Unit), prefixed(err)
}
