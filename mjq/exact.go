package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Exact solves the queue without simulation. Means and variances of every class have about 12
// digits, distributions of waiting and response times about 9. The result also has the number
// of jobs and the idle servers. It has intervals only for large systems, where they bound the
// error.
//
// Where all jobs need the same number of servers, or no two fit together, the formulas of M/M/c,
// M/G/1, M/D/c and G/M/c answer: with any service times for one server. A note names the formula.
//
// Otherwise it assumes Poisson or Markovian arrivals and phase-type service times (ExpMean,
// ErlangMeanPhases, HyperExpMeans, Cox2, PhaseType). Markovian arrivals are MAP, MMPP,
// MarkedMAP, phase-type interarrival times, Batches and Superpositions of these; not a Profile.
// Waits are then as arriving jobs find them, and NoWait is the probability of starting at once,
// behind the others of a batch. If arrivals decide classes, only the mean of the number of jobs
// is known, and the stability limit is that of their order.
//
// Under other policies Exact returns means: Window, ServerFilling and MSR as
// quasi-birth-and-death processes; MostServersFirst, LeastServersFirst, the preemptive policies
// except PreemptiveFirstFit, MaxWeight, the quickswaps, and FirstFit with two needs as
// truncated chains. The error of the truncation is proved, or follows from comparing two
// levels; a note of the result says which. site/docs/methods/policies.md lists what is solved.
//
// On Nodes Exact returns means and variances under first come, first served with Poisson
// arrivals: for nodes of one kind, jobs on one node or on whole nodes, and every placement but
// LowestFit. With Room, or one exponential Patience for all classes, small chains also have
// distributions of waits. See site/docs/methods/nodes.md.
//
// Given to Stability, it returns the exact limit or an error. Given to ByTime and Transient, it
// follows the chain by uniformisation.
//
// Cost: 200 P³ operations and 100 P² bytes for P sets of phases in service. Above 500 phases,
// sweeps over sparse levels take 80 bytes for each state of each level instead: some seconds
// and 50 MB for the 2,435 phases of five classes on 40 servers. With Markovian arrivals the
// cost is 50 n³ operations and 60 n² bytes for n states of the age process. Size predicts all
// of this.
//
// It fails with the sizes if the model is too large. If ctx ends first, it returns the error of
// ctx and no result.
//
// Source: waiting time splits into the time to the head of the queue and the time there.
// Moments follow from the distributional form of Little's law, distributions from inverted
// Laplace transforms; with Markovian arrivals, from the density of ages (Sengupta 1989). See
// site/docs/methods/exact.md and truncation.md.
type Exact struct {
	// MomentsOnly leaves out the distributions of waiting and response times. They take 1.4 to
	// 2 times the processor time of moments, and more with service times of many cyclic phases.
	MomentsOnly bool
	// MaxBytes is the memory limit; above it the question returns an error. The default is 1
	// GB: about 30,000 phases for Poisson arrivals, fewer near the limit; 3000 phases by
	// matrices, or 4000 states with Markovian arrivals, which take about half an hour.
	MaxBytes float64
}

func (x Exact) set(a *asked)       { a.by(x) }
func (x Exact) engine() run.Method { return exact.Method(x) }

// Size returns the size of the exact solution of a model, found by counting, at no cost. For a
// truncated chain it is estimated from the first levels and from the load. It fails like Solve
// if the model cannot be solved.
func (x Exact) Size(m Model) (result.ExactSize, error) {
	p, err := m.problem()
	if err != nil {
		return result.ExactSize{}, err
	}
	size, err := exact.SizeOf(context.Background(), p, exact.Method(x), problem.Defaults())
	return size, prefixed(err)
}
