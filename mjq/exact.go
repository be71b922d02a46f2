package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Exact solves the queue without simulation. Means and variances of every class have about 12
// digits, distributions of waiting and response times about 9. Only large systems have
// intervals, which bound the error.
//
// It assumes Poisson or Markovian arrivals (MAP, MMPP, MarkedMAP, phase-type interarrival times,
// Batches and Superpositions of these; not a Profile) and phase-type service times. Where all
// jobs need the same number of servers, or no two fit together, the formulas of M/M/c, M/G/1,
// M/D/c and G/M/c answer, and a note names the one. Under other policies and on Nodes it returns
// means for small systems: site/docs/methods/policies.md and nodes.md list which, Model.Methods
// says whether it answers.
//
// Given to Stability, it returns the exact limit or an error; given to ByTime and Transient, it
// follows the chain by uniformisation.
//
// Cost: 200 P³ operations and 100 P² bytes for P sets of phases in service; above 500 phases 80
// bytes for each state of each level instead, some seconds for 2,435 phases. Markovian arrivals
// cost 50 n³ operations and 60 n² bytes for n states of the age process. Size predicts this, and
// a model that is too large is an error with its sizes. If ctx ends first there is no result.
//
// Source: moments from the distributional form of Little's law, distributions from inverted
// Laplace transforms; with Markovian arrivals, from the density of ages (Sengupta 1989). See
// site/docs/methods/exact.md.
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
