package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// StabilityQuery asks for the stability limit. It is a value: each call returns a
// changed copy.
type StabilityQuery struct {
	m  *Model
	by method.LimitMethod
	o  method.Options
}

// Stability asks for the stability limit λ_c by the best method for the model: the
// closed formula if all jobs need the same number of servers, a product form if one is
// known, the saturated chain if services are phase-type and it has at most 100,000
// states, and else the pile. All but the pile are exact, to about 12 digits. The result
// names the method. Where classes ask for servers by number and others for any, the
// recurrence is not monotone, so that Theorem 5.1 behind the pile does not prove the
// limit; results say so.
//
// Under other policies it is found, exactly where it can be, by a condition on means alone
// (MaxWeight attains the Capacity; quickswaps of one and of all servers, ServerFilling and
// PreemptiveMostServersFirst with needs that divide each other and the servers carry all
// that the servers can do), the saturated chain (Window, ServerFilling), what favoured
// needs leave to the others (PreemptiveMostServersFirst, PreemptiveLeastServersFirst), or
// the drifts of a random walk of two counts (MostServersFirst, LeastServersFirst, FirstFit
// and AdaptiveQuickswap with two needs; Fayolle, Malyshev and Menshikov 1995); the last
// three for phase-type services. Else the rate is searched for by simulation, which ends
// with an interval: of RelErr 0.01 if MaxJobs, by default 2·10^7 and some ten seconds,
// lets it. Pile is for first come first served.
func (m *Model) Stability() StabilityQuery { return StabilityQuery{m: m, o: method.Defaults()} }

// Pile forces Algorithm 2 of Baccelli, Olliaro, Ajmone Marsan and Marin: the growth
// rate of the saturated system, which is 1/λ_c for any service laws of finite mean
// (their Theorem 5.1). Ours differs in that independent replications, a warm-up and
// control variates give it an interval, and in that it knows what it has not seen (see
// MaxJobs); theirs stops when two estimates agree, which says little about the error.
// The interval lies between what holds for any laws: jobs side by side as if all were
// as wide as the widest, and IdealRate.
func (q StabilityQuery) Pile() StabilityQuery {
	q.by |= method.PileLimit
	return q
}

// Exact forces an exact limit: product form, or the saturated chain up to a million
// multisets of phases in service, of the order of a minute and half a gigabyte
// (BenchmarkSolve in package saturated has one of 690,000), and up to as many phases over
// all classes as package law makes. Run fails, naming what stands in the way and the way
// out, if a service is not phase-type or the chain is larger.
func (q StabilityQuery) Exact() StabilityQuery {
	q.by |= method.ExactLimit
	return q
}

// RelErr asks the pile to go on until the half-width of the interval is at most r times
// the limit; the default is 0.002. The cost grows as 1/r².
func (q StabilityQuery) RelErr(r float64) StabilityQuery {
	q.o.SetReal(method.RelErr, r)
	return q
}

// MaxJobs bounds the work of the pile, in jobs, of which every replication takes at
// least 2000; the default is 10^8, of the order of ten seconds. If the bound comes
// first, Met is false and the interval is as wide as it is. The bound also says what the
// run can see. Services so long and rare, or classes so rare, that it holds next to none
// of them are not sampled, for a sample without them tells nothing; what they do at most
// is part of the interval, and Notes name them.
func (q StabilityQuery) MaxJobs(n int) StabilityQuery {
	q.o.Set(method.MaxJobs, int64(n))
	return q
}

// Replications sets how many piles grow side by side, from which the interval comes, at
// least 16; the default is 64, or 16 where MaxJobs leaves too little time to each of
// more. A GPU wants thousands; each then has fewer jobs beside its warm-up for the same
// error.
func (q StabilityQuery) Replications(n int) StabilityQuery {
	q.o.Set(method.Replications, int64(n))
	return q
}

// Device chooses the processor of the pile; see SampleQuery.Device.
func (q StabilityQuery) Device(where Processor) StabilityQuery {
	q.o.SetDevice(where)
	return q
}

// Seed chooses the randomness of the pile; see SampleQuery.Seed.
func (q StabilityQuery) Seed(seed uint64) StabilityQuery {
	q.o.SetSeed(seed)
	return q
}

// Level sets the confidence level of the interval; the default is 0.95.
func (q StabilityQuery) Level(level float64) StabilityQuery {
	q.o.Level = level
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q StabilityQuery) Workers(n int) StabilityQuery {
	q.o.Workers = n
	return q
}

// Progress has f called a few times a second with how much of how much is done. Calls
// come one at a time.
func (q StabilityQuery) Progress(f func(done, total float64)) StabilityQuery {
	q.o.Progress = f
	return q
}

// Run finds the limit. On cancellation it returns what it has, along with the error of
// the context.
func (q StabilityQuery) Run(ctx context.Context) (*result.Stability, error) {
	st, err := q.m.p.FindLimit(ctx, q.by, q.o)
	return st, prefixed(err)
}
