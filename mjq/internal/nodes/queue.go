package nodes

import (
	"context"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
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
	x, err := c.queue(queue.System{Rate: rate}).Unending(ctx, chain.Limits{ReportSolving: report}, most, c.blocked(most+1)...)
	if err != nil {
		return nil, err
	}
	return c.measures(x, rate), nil
}

// Rooms solves a first come first served queue in front of the cluster, as q has it but for what
// serves: room for some jobs, with none of which every job that does not fit is turned away, and a
// rate at which those that wait give up. Arrivals are Poisson.
func (s *System) Rooms(ctx context.Context, q queue.System, most chain.Limits) (*Measures, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	x, err := c.queue(q).Solve(ctx, most)
	if err != nil {
		return nil, err
	}
	return c.measures(x, q.Rate), nil
}

// queue is a queue in front of the cluster, whose classes are the kinds.
func (c *cluster) queue(q queue.System) *queue.System {
	q.Place, q.Servers, q.Classes = c, c.Nodes*c.Units, nil
	for _, k := range c.kinds {
		q.Classes = append(q.Classes, queue.Class{Class: states.Class{Need: k.units, Prob: k.Prob, Alpha: []float64{1}}})
	}
	return &q
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
