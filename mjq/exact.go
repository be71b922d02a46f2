package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// ExactQuery asks for the exact solution of the open queue. It is a value: each call
// returns a changed copy.
type ExactQuery struct {
	m *Model
	o method.Options
}

// Exact solves the open queue without simulation: Poisson or Markovian arrivals,
// phase-type services (ExpMean, ErlangMean, HyperExp, Cox2, PhaseType). The result has
// mean and variance of every class to about 12 digits, the distribution of waiting and
// response times to about 9, the number of jobs, and the idle servers, all without
// intervals but for systems of many phases.
//
// With Poisson arrivals the number of jobs in the system and the multiset of phases in
// service form a quasi-birth-and-death process, homogeneous above as many jobs as can be
// in service at once. The class of the job at the head of the line need not be part of
// the state (package states of this module), which makes it several times smaller than
// the textbook's. For P multisets the cost is of the order of 200 P³ operations and 100
// P² bytes; Size tells beforehand. Of more than 500 phases sweeps over levels that are
// never made matrices take the place of that: with an error that is bounded in practice by
// what is left of the equations and stands in HalfWidth, and in 80 bytes for each state of
// each level, which is proportional to P: 50 MB, and some seconds for moments and three
// times that with distributions, for 2,435 phases (five classes on 40 servers). Size says
// Sparse then. Where phases of a service can be come back to, sweeps give moments alone, and
// matrices that MaxBytes has space for are still used for distributions; they are also the
// resort where sweeps do not settle.
//
// Markovian arrivals are all that package arrival can write by matrices: MAP, MMPP,
// MarkedMAP, gaps of phase type, Batches and Superpositions of these; not a Profile. Waits
// are then as arriving jobs find them, which is not what time averages say, and P(W = 0)
// is the probability of starting at once, behind the others of a batch. The state is the
// age of the job at the head of the line with the multiset of phases in service and the
// phase of the arrivals just after that job came, and, if arrivals mark classes, its
// class. For n of these, with a line at most P times the phases of the arrivals times the
// largest batch and about as many without, the cost is of the order of 50 n³ operations
// and 60 n² bytes, and that of Poisson arrivals, with P times the phases of the arrivals
// in place of P, for the number of jobs. If classes are marked, that has its mean only,
// and the stability limit in the result is the one of their order.
//
// Under other policies it is means only, by chains in which the class of a job is drawn
// when the policy first looks at it: Window and ServerFilling, and, cut at a number of jobs
// that grows until the means no longer move, MostServersFirst, LeastServersFirst, the
// preemptive ones but PreemptiveFirstFit, MaxWeight, the quickswaps, and FirstFit with two
// needs. The error at the cut is proved, or else follows from a comparison of cuts, as a note
// of the result says; see METHODS.md for the proof, and for which arrivals and sizes.
//
// Source: the waiting time of a class splits into the time to the head of the line and
// the time there; means and second moments by the distributional law of Little,
// distributions by Laplace transforms of a matrix-exponential. With Markovian arrivals
// all follow from the density of ages, which is matrix-exponential (Sengupta 1989; see
// package open).
func (m *Model) Exact() ExactQuery { return ExactQuery{m, method.Defaults()} }

// MomentsOnly leaves out the distributions of waiting and response times. They take a third
// to half of the time, two thirds where sweeps solve many phases, and more where services
// have many phases that can be come back to.
func (q ExactQuery) MomentsOnly() ExactQuery {
	q.o.Set(method.MomentsOnly, 1)
	return q
}

// MaxBytes is the memory beyond which Run refuses; the default is 10⁹, which is some
// 30,000 phases, fewer the nearer to the limit; 3000 phases by matrices (4000 states with
// Markovian arrivals), and of the order of half an hour.
func (q ExactQuery) MaxBytes(bytes float64) ExactQuery {
	q.o.SetReal(method.MaxBytes, bytes)
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q ExactQuery) Workers(n int) ExactQuery {
	q.o.Workers = n
	return q
}

// Progress has f called a few times a second with the operations done and their number.
func (q ExactQuery) Progress(f func(done, total float64)) ExactQuery {
	q.o.Progress = f
	return q
}

// Moments has f called with the result as soon as it has its moments, before the
// distributions are found, which can take longer; f must not keep it. An answer that is
// remembered, or has no distributions, comes without.
func (q ExactQuery) Moments(f func(*result.Result)) ExactQuery {
	q.o.Moments = f
	return q
}

// ExactSize is the size of an exact solution: phases, boundary levels, bytes and
// floating-point operations. A core does some 10⁹ to 10¹⁰ operations a second.
type ExactSize = method.ExactSize

// Size is how large the solution is, found by counting, at no cost; of a chain that a
// policy has cut it is estimated from the first levels and from the load. It fails like
// Run if the model is not one that can be solved.
func (q ExactQuery) Size() (ExactSize, error) {
	size, err := method.SizeOf(context.Background(), q.m.p, q.o)
	return size, prefixed(err)
}

// Run solves. It fails with the sizes if the model is too large, and with the error of
// ctx if that ends first; there is nothing to keep then. Beyond the stability limit it
// returns a result with Stable false.
func (q ExactQuery) Run(ctx context.Context) (*result.Result, error) {
	r, err := method.Exact.Run(ctx, q.m.p, q.o)
	return r, prefixed(err)
}

// HeavyTraffic solves the Poisson equation of the saturated chain. E[Δ(Y_d)] is how
// many completions a saturated system that starts just after a completion is ahead in
// the long run of one that starts at a random time; the open queue with Poisson
// arrivals then has
//
//	(1 - ρ) E[N] → E[Δ(Y_d)] + 1   as ρ = λ/λ_c → 1,
//
// N being the number of jobs in the system. Services must be phase-type and positive.
// States are listed when all are exponential and there are at most 2000. The cost is
// about twice that of Stability().Exact().
//
// Source: Grosof, Hong, Harchol-Balter and Scheller-Wolf, The RESET and MARC
// Techniques, with Application to Multiserver-Job Analysis (2023).
func (m *Model) HeavyTraffic(ctx context.Context) (*result.HeavyTraffic, error) {
	h, err := m.p.HeavyTraffic(ctx)
	return h, prefixed(err)
}
