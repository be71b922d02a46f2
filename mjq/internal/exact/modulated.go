package exact

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// modulated is the jobs of one need: Poisson arrivals, exponential services, of which up to
// Servers[i] go on while the chain is in state i.
//
// An independent Markov chain gives out the servers: the Markovian service rate policies of
// Chen, Grosof and Berg (arXiv 2412.08915). It chooses how many jobs of each need may run,
// whatever the queue; a need that has fewer leaves its servers idle, and jobs are stopped and
// go on later. So every need is a queue of its own in a random environment, a
// quasi-birth-and-death process in the number of its jobs with the state of the chain as its
// phase, for any number of needs.
type modulated struct {
	Arrival, Service float64 // rates
	Servers          []int
	Generator        *mat.Dense // of the chain
}

// modulatedJobs is the stationary law of the number of jobs.
type modulatedJobs struct {
	Jobs, JobsSquare float64   // moments
	Running          float64   // mean number in service
	Levels           []float64 // P(N = n), up to the most that run at once
	Decay            float64   // P(N = n+1)/P(N = n) for large n
	Residual         float64
}

// scheduled is a state: jobs, and the state of the chain.
type scheduled struct{ jobs, at int }

// rule is what happens. With more jobs than run at once its layers are alike.
func (q modulated) rule(most int) chain.Rule[scheduled, scheduled] {
	return chain.Rule[scheduled, scheduled]{Key: func(s scheduled) scheduled { return s }, Layer: func(s scheduled) int { return s.jobs },
		Repeat: &chain.Repeat[scheduled]{From: most, Shift: func(s scheduled, by int) scheduled { return scheduled{s.jobs + by, s.at} }},
		Moves: func(_ context.Context, s scheduled, to func(scheduled, float64)) {
			to(scheduled{s.jobs + 1, s.at}, q.Arrival)
			for next, rate := range q.Generator.RawRowView(s.at) {
				to(scheduled{s.jobs, next}, rate)
			}
			if running := min(s.jobs, q.Servers[s.at]); running > 0 {
				to(scheduled{s.jobs - 1, s.at}, float64(running)*q.Service)
			}
		}}
}

// Solve finds the law. For m states of the chain and at most c jobs in service it takes
// about 200 m³ + 5 c m³ operations. It fails with *mam.Unstable and the error of ctx.
func (q modulated) Solve(ctx context.Context) (*modulatedJobs, error) {
	most := max(1, slices.Max(q.Servers))
	graph, err := chain.Explore(ctx, q.rule(most), chain.Limits{}, scheduled{})
	if err != nil {
		return nil, err
	}
	law, err := graph.Unending(ctx, q.Arrival, chain.Limits{})
	if err != nil {
		return nil, err
	}
	s := &modulatedJobs{Levels: law.Layered(most, 0), Decay: law.Decay, Residual: law.Residual}
	graph.Each(law, func(x scheduled, p, above, pairs float64) {
		n := float64(x.jobs)
		s.Running += p * float64(min(x.jobs, q.Servers[x.at]))
		s.Jobs += p*n + above
		s.JobsSquare += p*n*n + 2*n*above + pairs + above
	})
	return s, nil
}
