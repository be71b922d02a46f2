package nodes

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/result"
)

// Measures are what follows from the law of a chain, by class of the system where they are
// lists. Shares of jobs are those that an arriving job sees.
type Measures struct {
	*queue.Measures
	Scattered []float64 // share of the jobs that do not fit although as many units are free as they need
	Held      float64   // share of the time in which the head waits although as many units are free as it needs
	Stranded  float64   // mean number of units that are free in that time, 0 in other times
	Unusable  float64   // mean number of free units by node, each by the share of the jobs that do not fit there
	Empty     float64   // mean number of empty nodes

	c    *cluster
	x    *queue.Solution
	rate float64
}

// measures are those of a solved queue with Poisson arrivals of a rate.
func (c *cluster) measures(x *queue.Solution, rate float64) *Measures {
	m := &Measures{Measures: x.Measures, Scattered: make([]float64, len(c.kinds)), c: c, x: x, rate: rate}
	x.Each(func(s queue.State, p, _, _ float64) {
		at := c.configs[s.At()]
		m.cluster(at, p)
		if s.Drawn() > 0 {
			m.head(at, p)
		}
	})
	m.ofClasses()
	return m
}

// cluster adds what follows from a configuration alone.
func (m *Measures) cluster(x *config, p float64) {
	c := m.c
	m.Empty += p * float64(x.empty)
	for k := range c.kinds {
		if !x.fits[k] && x.free >= c.kinds[k].units {
			m.Scattered[k] += p
		}
	}
	c.runs(x, func(v uint16, nodes int) {
		for k := range c.kinds {
			kind := &c.kinds[k]
			if free := c.contents.free[v]; kind.span == 0 && kind.Need > free || kind.span > 0 && v != 0 {
				m.Unusable += p * float64(nodes*c.spare(v)) * kind.Prob
			}
		}
	})
}

// head adds what follows from a configuration in front of which the head waits.
func (m *Measures) head(x *config, p float64) {
	for k := range m.c.kinds {
		if kind := &m.c.kinds[k]; !x.fits[k] && x.free >= kind.units {
			head := kind.Prob / x.refused
			m.Held += p * head
			m.Stranded += p * head * float64(x.free)
		}
	}
}

// ofClasses puts the classes of the system in place of the kinds, of which each has its part.
func (m *Measures) ofClasses() {
	own := *m.Measures
	for _, x := range []struct {
		of    *[]float64
		power int
	}{{&own.Blocked, 0}, {&own.BlockedTime, 0}, {&own.Left, 0}, {&own.AtOnce, 0}, {&m.Scattered, 0}, {&own.Queue, 1}, {&own.Served, 1}, {&own.Pairs, 2}} {
		of := *x.of
		*x.of = make([]float64, len(m.c.plan.Of))
		for i, k := range m.c.plan.Of {
			if k < 0 {
				continue
			}
			(*x.of)[i] = of[k]
			for range x.power {
				(*x.of)[i] *= m.c.Classes[i].Prob / m.c.kinds[k].Prob
			}
		}
	}
	m.Measures = &own
}

// Little returns the mean and the second moment of the wait of a class, by Little's law and its
// extension to the second moment, where all jobs that come are served in the order in which
// they came. Source: Haji and Newell, Journal of Applied Probability 8 (1971).
func (m *Measures) Little(class int) (mean, second float64) {
	rate := m.rate * m.c.Classes[class].Prob
	return m.Queue[class] / rate, m.Pairs[class] / (rate * rate)
}

// Wait is the wait of the jobs of a class that join the queue.
func (m *Measures) Wait(ctx context.Context, class int, bytes float64) (*queue.Wait, error) {
	k := m.c.plan.Of[class]
	if k < 0 {
		return new(queue.Wait), nil
	}
	return m.x.Wait(ctx, k, bytes)
}

// Fragmentation is what results have of it.
func (m *Measures) Fragmentation() result.Fragmentation {
	known := func(v float64) result.Estimate { return result.Exact(v, "exact") }
	return result.Fragmentation{Held: known(m.Held), Stranded: known(m.Stranded), Unusable: known(m.Unusable), EmptyNodes: known(m.Empty)}
}
