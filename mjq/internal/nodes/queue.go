package nodes

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Queue solves the first come first served queue with Poisson arrivals of a rate: a
// quasi-birth-and-death process whose level is the number of jobs in the system. The levels
// with more jobs than can be in service are alike. It fails with *mam.Unstable beyond the
// stability limit, with *chain.TooLarge where it takes more than so many bytes, and with the
// cause of the end of ctx. report, if not nil, is told what part is done, about.
func (s *System) Queue(ctx context.Context, rate, bytes float64, report func(part float64)) (*Measures, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	if err := c.all(ctx); err != nil {
		return nil, err
	}
	most, err := c.fits(bytes)
	if err != nil {
		return nil, err
	}
	if report == nil {
		report = func(float64) {}
	}
	rule := c.queue(queue.System{Rate: rate, Room: endless}).Rule()
	rule.Repeat = &chain.Repeat[queue.State]{From: most + 1, Shift: func(s queue.State, by int) queue.State { return queue.Behind(s.At(), s.Drawn()+by) }}
	graph, err := chain.Explore(ctx, rule, chain.Limits{}, c.blocked(most+1)...)
	if err != nil {
		return nil, err
	}
	q, boundary := graph.QBD()
	far, err := q.Solve(ctx, mam.OnStep(func(step int, _ float64) { report(min(0.5, 0.05*float64(step))) }))
	if err != nil {
		return nil, err
	}
	law, err := boundary.Solve(ctx, q, far, mam.OnStep(func(_ int, left float64) { report(1 - left/2) }))
	if err != nil {
		return nil, err
	}
	m := c.newMeasures(rate)
	m.levels(graph, law)
	m.Decay = far.Caudal
	return m.finish(), nil
}

// fits is the most jobs in service, or *chain.TooLarge if the matrices of all levels take more
// than so many bytes, about. Of the configurations of so many jobs at most, those beside which
// some class does not fit have jobs that wait.
func (c *cluster) fits(bytes float64) (most int, err error) {
	for _, x := range c.configs {
		most = max(most, x.jobs)
	}
	blocked, rest := make([]float64, most+1), make([]float64, most+1) // by jobs
	for _, x := range c.configs {
		if x.refused > 0 {
			blocked[x.jobs]++
		} else {
			rest[x.jobs]++
		}
	}
	need, wait := 0.0, 0.0
	for n := range blocked {
		wait += blocked[n]
		need += 40 * (wait + rest[n]) * (wait + rest[n])
	}
	if need += 100 * wait * wait; need > bytes {
		return 0, chain.Large(wait, need, "%.0f configurations of the nodes while jobs wait, with up to %d jobs in service, take %.2g MB", wait, most, need/1e6).
			Out("use MaxBytes, or mjq.Simulation{}")
	}
	return most, nil
}

// blocked are the states with more jobs than can be in service: configurations by ascending
// jobs, which leaves blocks of zeros to be skipped.
func (c *cluster) blocked(jobs int) (list []queue.State) {
	for at, x := range c.configs {
		if x.refused > 0 {
			list = append(list, queue.Behind(int32(at), jobs-x.jobs))
		}
	}
	slices.SortStableFunc(list, func(a, b queue.State) int { return b.Drawn() - a.Drawn() })
	return list
}

// levels adds up over the levels.
func (m *Measures) levels(graph *chain.Graph[queue.State, queue.State], law *mam.Stationary) {
	layers := graph.ByLayer()
	last := len(layers.Starts) - 2 // from which they are alike
	for n := range last {
		for i, k := range layers.Layer(n) {
			s := graph.States[k]
			m.count(m.c.configs[s.At()], law.Pi[n][i], s.Drawn(), endless)
		}
	}
	zero, one, two := law.Above(0), law.Above(1), law.Above(2)
	first := float64(last)
	for i, k := range layers.Layer(last) {
		s := graph.States[k]
		x := m.c.configs[s.At()]
		p, mean, pairs := zero[i], one[i], two[i]
		m.cluster(x, p)
		b := float64(s.Drawn()) - 1 // behind the head there
		m.behind(x, p, mean+b*p, 2*pairs+2*b*mean+b*(b-1)*p)
		m.Mean += mean + first*p
		m.Square += 2*pairs + 2*first*mean + first*(first-1)*p
	}
	for x := mat.NewVecDense(len(zero), slices.Clone(law.Pi[last])); len(m.Jobs) < listed; {
		p := mat.Sum(x)
		if m.Jobs = append(m.Jobs, p); p < leastListed {
			break
		}
		next := mat.NewVecDense(len(zero), nil)
		next.MulVec(law.R.T(), x)
		x = next
	}
	m.States = len(zero)
}

// Probabilities of the number of jobs are kept until they are so small, and at most so many.
const (
	listed      = 512
	leastListed = 1e-18
)
