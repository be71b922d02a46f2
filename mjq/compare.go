package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/planning"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
)

// Compare simulates the queue under each policy with the same jobs, and returns the results and
// the differences between every two of them. Differences come from pairs of replications, so
// their intervals are narrower than those of two results. A model at a load keeps the rate that
// its own policy gives. A policy under which the queue is unstable has infinite waits and no
// differences.
//
// If it exists, the result has a lower bound that no policy can beat. It is the larger of the
// mean service time and the mean response time of one server, as fast as all together, that
// serves the least remaining work first.
//
// With a target each policy makes replications until its own interval is narrow enough. MaxJobs
// bounds the jobs of all policies and of the bound together. When ctx ends it returns the
// policies done by then, along with the error of ctx.
//
// Options: Simulation, RelErr, HalfWidth, MaxJobs. Cost: that of Simulation for each policy, and
// once more for the bound.
//
// Source: Law, Simulation Modeling and Analysis, section 11.2 (common random numbers).
func Compare(ctx context.Context, m Model, policies []Policy, opts ...Option) (*result.Comparison, error) {
	a, p, err := m.request(ctx, "Compare", opts)
	if err != nil {
		return nil, err
	}
	how, _ := a.method.(Simulation)
	c, err := simulation.Compare(ctx, p, policies, simulation.Method(how), a.o)
	return compared(c, p), prefixed(err)
}

// compared is a comparison with its unit of time.
func compared(c *result.Comparison, p *problem.Problem) *result.Comparison {
	if c == nil {
		return nil
	}
	c.Unit = p.Unit
	for _, r := range c.Results {
		r.Unit, r.Limit.Unit = p.Unit, p.Unit
	}
	return c
}

// ComparePlacements is Compare of placements on nodes in place of policies, with the same jobs
// under the policy of the model; the rows of the result are the placements. For nodes of other
// sizes see Grid.NodeSizes.
//
// Options: Simulation, RelErr, HalfWidth, MaxJobs.
func ComparePlacements(ctx context.Context, m Model, placements []Placement, opts ...Option) (*result.Comparison, error) {
	a, p, err := m.request(ctx, "ComparePlacements", opts)
	if err != nil {
		return nil, err
	}
	how, _ := a.method.(Simulation)
	c, err := simulation.ComparePlacements(ctx, p, placements, simulation.Method(how), a.o)
	return compared(c, p), prefixed(err)
}

// Sensitivities returns how the mean wait of all jobs changes with each part of the model. The
// parts are the arrival rate (dE[W]/dλ, and 1 % fewer jobs), one server more and one fewer, and
// for each class one server less per job and service times 1 % shorter. Changes are exact if the
// queue and all variants have exact solutions of about a second. Otherwise all are simulated
// with the same jobs, in 32 replications of 100,000 jobs or more within MaxJobs. It is for
// identical servers.
//
// When ctx ends it returns the changes found by then, along with the error of ctx. Cost: that of
// Simulation, or of Exact, for the queue and about two variants a class.
//
// Options: Exact (exact changes or an error), Simulation, MaxJobs.
//
// Source: Law, Simulation Modeling and Analysis, section 11.2; Glasserman, Gradient Estimation
// via Perturbation Analysis, 1991.
func (m Model) Sensitivities(ctx context.Context, opts ...Option) (*result.Sensitivities, error) {
	a, p, err := m.request(ctx, "Sensitivities", opts)
	if err != nil {
		return nil, err
	}
	s, err := planning.Sensitivities(ctx, p, a.engine(), a.o)
	if s != nil {
		s.Unit = p.Unit
	}
	return s, prefixed(err)
}
