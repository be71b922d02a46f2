package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/planning"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
)

// Compare simulates the queue under each policy, all with the same jobs (common random
// numbers), and finds the differences between every two of them with intervals from pairs of
// replications: these are narrower than what the two results alone would give, the more so
// the more alike the policies are. A model at a load is at that fraction of the limit under
// its own policy, which does not count otherwise; all policies get the rate that this gives.
// One under which the queue is unstable has infinite waits, and no differences.
//
// Where there is one, the lower bound that no policy can beat comes along: the mean response
// of the same jobs at one server as fast as all together that serves the least work left
// first, or the mean service if that is longer.
//
// A target has each policy make replications until its own interval is that narrow; the
// differences are over the replications that both policies have. Jobs are by default what the
// policy that forgets its state most slowly asks for. Cost: that of Simulation for each
// policy, and once more for the bound. When ctx ends it returns the policies done by then,
// along with the error of the context.
//
// Options: Simulation, RelErr, HalfWidth.
//
// Source: Law, Simulation Modeling and Analysis, section 11.2.
func Compare(ctx context.Context, m Model, policies []Policy, opts ...Option) (*result.Comparison, error) {
	a, p, err := m.request(ctx, "Compare", opts, []string{"RelErr", "HalfWidth"}, []string{"Simulation"})
	if err != nil {
		return nil, err
	}
	c, err := simulation.Compare(ctx, p, policies, a.o)
	return c, prefixed(err)
}

// Sensitivities finds how the mean wait of all jobs changes with the arrival rate (dE[W]/dλ,
// and 1 % fewer jobs), with one server more and one fewer, and, class by class, with jobs that
// need one server less and with services 1 % shorter. Where the queue and all of these have
// exact solutions that take no more than a second or so, the changes are exact. Otherwise all
// are simulated with the same jobs, and the intervals are of paired differences, which are
// much narrower than the two results alone would give. It is for identical servers.
//
// A replication, of 32, has 100,000 jobs, and more near the stability limit, if MaxJobs, of
// all variants and replications together, lets it. Cost: that of Simulation, or of Exact, for
// the queue and about two variants a class. When ctx ends it returns the changes found by
// then, along with the error of the context.
//
// Options: Exact (exact changes or an error), Simulation, MaxJobs.
//
// Source: Law, Simulation Modeling and Analysis, section 11.2 (common random numbers);
// Glasserman, Gradient Estimation via Perturbation Analysis, 1991.
func (m Model) Sensitivities(ctx context.Context, opts ...Option) (*result.Sensitivities, error) {
	a, p, err := m.request(ctx, "Sensitivities", opts, []string{"MaxJobs"}, []string{"Exact", "Simulation"})
	if err != nil {
		return nil, err
	}
	s, err := planning.Sensitivities(ctx, p, a.engine(), a.o)
	return s, prefixed(err)
}
