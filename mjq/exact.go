package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Exact solves the queue without simulation: Poisson or Markovian arrivals, phase-type
// services (ExpMean, ErlangMeanPhases, HyperExpMeans, Cox2, PhaseType). The result has mean and
// variance of every class to about 12 digits, the distribution of waiting and response times
// to about 9, the number of jobs, and the idle servers, all without intervals but for systems
// of many phases.
//
// With Poisson arrivals the number of jobs in the system and the multiset of phases in
// service form a quasi-birth-and-death process, homogeneous above as many jobs as can be in
// service at once. The class of the job at the head of the line need not be part of the state
// (package states of this module), which makes it several times smaller than the textbook's.
// For P multisets the cost is of the order of 200 P³ operations and 100 P² bytes; Size tells
// beforehand. Of more than 500 phases sweeps over levels that are never made matrices take
// the place of that: with an error that is bounded in practice by what is left of the
// equations and stands in HalfWidth, and in 80 bytes for each state of each level, which is
// proportional to P: 50 MB, and some seconds for moments and three times that with
// distributions, for 2,435 phases (five classes on 40 servers). Size says Sparse then. Where
// phases of a service can be come back to, sweeps give moments alone, and matrices that
// MaxBytes has space for are still used for distributions; they are also the resort where
// sweeps do not settle.
//
// Markovian arrivals are all that package arrival can write by matrices: MAP, MMPP, MarkedMAP,
// gaps of phase type, Batches and Superpositions of these; not a Profile. Waits are then as
// arriving jobs find them, which is not what time averages say, and NoWait is the probability
// of starting at once, behind the others of a batch. The state is the age of the job at the
// head of the line with the multiset of phases in service and the phase of the arrivals just
// after that job came, and, if arrivals mark classes, its class. For n of these, with a line
// at most P times the phases of the arrivals times the largest batch and about as many
// without, the cost is of the order of 50 n³ operations and 60 n² bytes, and that of Poisson
// arrivals, with P times the phases of the arrivals in place of P, for the number of jobs. If
// classes are marked, that has its mean only, and the stability limit in the result is the
// one of their order.
//
// Under other policies it is means only, by chains in which the class of a job is drawn when
// the policy first looks at it: Window and ServerFilling, and, cut at a number of jobs that
// grows until the means no longer move, MostServersFirst, LeastServersFirst, the preemptive
// ones but PreemptiveFirstFit, MaxWeight, the quickswaps, and FirstFit with two needs. The
// error at the cut is proved, or else follows from a comparison of cuts, as a note of the
// result says; see site/docs/methods/truncation.md for the proof. MSR is solved
// with Poisson arrivals and exponential services, of one mean for each need, for any number
// of needs: each is a queue of its own in a random environment (Chen, Grosof and Berg, arXiv
// 2412.08915), at the cost of one small quasi-birth-and-death process, 200 m³ operations for
// m schedules.
//
// Given to Stability it is the limit exactly or an error: by formula, product form, or the
// saturated chain up to a million multisets of phases in service, of the order of a minute
// and half a gigabyte. Given to ByTime and Transient the chain of the jobs in service by
// phase, the head of the line and the jobs behind it is followed by uniformisation; see
// there.
//
// It fails with the sizes if the model is too large, and with the error of ctx if that ends
// first; there is nothing to keep then.
//
// Source: the waiting time of a class splits into the time to the head of the line and the
// time there; means and second moments by the distributional law of Little, distributions by
// Laplace transforms of a matrix-exponential. With Markovian arrivals all follow from the
// density of ages, which is matrix-exponential (Sengupta 1989; see package open).
type Exact struct {
	// MomentsOnly leaves out the distributions of waiting and response times. They take a
	// third to half of the time, two thirds where sweeps solve many phases, and more where
	// services have many phases that can be come back to.
	MomentsOnly bool
	// MaxBytes is the memory beyond which it refuses; the default is 10⁹, which is some 30,000
	// phases, fewer the nearer to the limit; 3000 phases by matrices (4000 states with
	// Markovian arrivals), and of the order of half an hour.
	MaxBytes float64
}

func (x Exact) set(a *asked)        { a.by(x) }
func (x Exact) engine() *run.Method { return exact.Method }

// Size is how large the exact solution of a model is, found by counting, at no cost; of a
// chain that a policy has cut it is estimated from the first levels and from the load. It
// fails like Solve if the model is not one that can be solved.
func (x Exact) Size(m Model) (result.ExactSize, error) {
	p, err := m.problem()
	if err != nil {
		return result.ExactSize{}, err
	}
	o := problem.Defaults()
	fill(&o, x)
	size, err := exact.SizeOf(context.Background(), p, o)
	return size, prefixed(err)
}
