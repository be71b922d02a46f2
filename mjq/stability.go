package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Stability finds the stability limit λ_c: the queue is stable at every rate below it, and
// grows without bound above. It takes the best method for the model: the closed formula if
// all jobs need the same number of servers, a product form if one is known, the saturated
// chain if services are phase-type and it has at most 100,000 states, and else the pile. All
// but the pile are exact, to about 12 digits; Method of the result names the one taken. Where
// classes ask for servers by number and others for any, the recurrence is not monotone, so
// that Theorem 5.1 behind the pile does not prove the limit; results say so.
//
// Under other policies it is found, exactly where it can be, by a condition on means alone
// (MaxWeight attains the Capacity; quickswaps of one and of all servers, ServerFilling and
// PreemptiveMostServersFirst with needs that divide each other and the servers carry all that
// the servers can do), the saturated chain (Window, ServerFilling), what favoured needs leave
// to the others (PreemptiveMostServersFirst, PreemptiveLeastServersFirst), or the drifts of a
// random walk of two counts (MostServersFirst, LeastServersFirst, FirstFit and
// AdaptiveQuickswap with two needs; Fayolle, Malyshev and Menshikov 1995); the last three for
// phase-type services. Else the rate is searched for by simulation, which ends with an
// interval: of RelErr 0.01 if MaxJobs, by default 2·10^7 and some ten seconds, lets it.
//
// Without options the limit is found once for all copies of the model that differ in the
// arrivals only; goroutines that ask at the same time share one computation. When ctx ends
// Stability returns what it has, along with the error of the context.
//
// Options: Exact for an exact limit or an error, Pile, RelErr, MaxJobs.
func (m Model) Stability(ctx context.Context, opts ...Option) (*result.Stability, error) {
	a, p, err := m.request(ctx, "Stability", opts, []string{"RelErr", "MaxJobs"}, []string{"Exact", "Pile"})
	if err != nil {
		return nil, err
	}
	by := limit.Best
	switch a.method.(type) {
	case Exact, *Exact:
		by = limit.Exact
	case Pile, *Pile:
		by = limit.Pile
	}
	if len(opts) == 0 {
		st, err := limit.Of(ctx, p, nil)
		return st, prefixed(err)
	}
	st, err := limit.Find(ctx, p, by, a.o)
	return st, prefixed(err)
}

// Pile finds the stability limit by Algorithm 2 of Baccelli, Olliaro, Ajmone Marsan and
// Marin: the growth rate of the saturated system, which is 1/λ_c for any service laws of
// finite mean (their Theorem 5.1). Ours differs in that independent replications, a warm-up
// and control variates give it an interval, and in that it knows what it has not seen; theirs
// stops when two estimates agree, which says little about the error. The interval lies
// between what holds for any laws: jobs side by side as if all were as wide as the widest,
// and IdealRate. It is for first come first served.
//
// It goes on until the half-width is 0.002 of the limit, or what RelErr says, at a cost that
// grows as 1/r², or until MaxJobs are spent, by default 10^8 and of the order of ten seconds,
// of which every replication takes at least 2000. If that comes first, Met is false and the
// interval is as wide as it is. MaxJobs also says what the run can see. Services so long and
// rare, or classes so rare, that it holds next to none of them are not sampled, for a sample
// without them tells nothing; what they do at most is part of the interval, and Notes name
// them.
type Pile struct {
	// Replications is how many piles grow side by side, from which the interval comes, at least
	// 16; the default is 64, or 16 where MaxJobs leaves too little time to each of more. A GPU
	// wants thousands; each then has fewer jobs beside its warm-up for the same error.
	Replications int
	// Device is the processor; see Processor.
	Device Processor
}

func (x Pile) set(a *asked)        { a.by(x) }
func (x Pile) engine() *run.Method { return nil }

// Capacity finds the largest arrival rate that any scheduling policy can carry, preemptive or
// not, with any knowledge of the jobs: a yardstick for the limits and loads of all of them. It
// does not depend on the policy of the model, nor on the arrivals and the laws of services but
// for their means. MaxWeight attains it, and so does CapacityPolicy. For servers that are
// alike and for several types of resources.
//
// It is the linear program over all sets of jobs that fit together: the least time in which
// mixtures of them do the work that a job brings. Sets are generated as needed, by a knapsack,
// so that there may be dozens of classes and thousands of servers; the result has the mixture
// that attains the rate, and the prices that prove that none does better. Cost: K³ operations
// a round and K (s+1) for the knapsack, for K different needs and some multiples of K rounds;
// of several types of resources K times the product of units+1, of which there may be ten
// million.
//
// It fails if servers are asked for by number or drawn at random, if there are too many
// combinations of resources, and with the error of ctx.
//
// Source: Tassiulas and Ephremides, IEEE Transactions on Automatic Control 37 (1992); column
// generation: Gilmore and Gomory, Operations Research 9 (1961).
func (m Model) Capacity(ctx context.Context, opts ...Option) (*result.Capacity, error) {
	a, p, err := m.request(ctx, "Capacity", opts, nil, []string{})
	if err != nil {
		return nil, err
	}
	c, err := limit.FindCapacity(ctx, p, a.o.Fresh)
	return c, prefixed(err)
}
