package exact

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
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

// Solve finds the law. For m states of the chain and at most c jobs in service it takes
// about 200 m³ + 5 c m³ operations. It fails with *mam.Unstable and the error of ctx.
func (q modulated) Solve(ctx context.Context) (*modulatedJobs, error) {
	most := 1
	for _, x := range q.Servers {
		most = max(most, x)
	}
	far := q.level(most)
	sol, err := far.Solve(ctx)
	if err != nil {
		return nil, err
	}
	st, err := mam.Boundary{Levels: most, At: func(n int) mam.Level { return mam.Level(q.level(n)) }}.Solve(ctx, far, sol)
	if err != nil {
		return nil, err
	}
	s := &modulatedJobs{Decay: sol.Caudal, Residual: sol.Residual}
	for n, pi := range st.Pi[:most] {
		level := 0.0
		for i, p := range pi {
			level += p
			s.Running += p * float64(min(n, q.Servers[i]))
		}
		s.Levels = append(s.Levels, level)
		s.Jobs += float64(n) * level
		s.JobsSquare += float64(n) * float64(n) * level
	}
	above, first, pairs := st.Above(0), st.Above(1), st.Above(2)
	c := float64(most)
	for i, p := range above {
		s.Running += p * float64(q.Servers[i])
		s.Jobs += c*p + first[i]
		s.JobsSquare += c*c*p + 2*c*first[i] + 2*pairs[i] + first[i]
	}
	return s, nil
}

// level is the rates with n jobs.
func (q modulated) level(n int) mam.QBD {
	m := len(q.Servers)
	b := mam.QBD{Up: mat.NewDense(m, m, nil), Local: mat.DenseCopyOf(q.Generator), Down: mat.NewDense(m, m, nil)}
	for i, x := range q.Servers {
		down := float64(min(n, x)) * q.Service
		b.Up.Set(i, i, q.Arrival)
		b.Down.Set(i, i, down)
		b.Local.Set(i, i, b.Local.At(i, i)-q.Arrival-down)
	}
	return b
}
