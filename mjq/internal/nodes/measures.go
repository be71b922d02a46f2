package nodes

import "github.com/mjqueue/mjq/mjq/result"

// Measures are what follows from the law of a chain, by class of the system where they are
// lists. Shares of jobs are those that an arriving job sees.
type Measures struct {
	Blocked   []float64 // share of the jobs that is turned away; of the time, too
	AtOnce    []float64 // share of the jobs that starts at once
	Queue     []float64 // mean number that waits
	Pairs     []float64 // E[N(N-1)] of the number N that waits
	Served    []float64 // mean number in service
	Scattered []float64 // share of the jobs that do not fit although as many units are free as they need
	Held      float64   // share of the time in which the head waits although as many units are free as it needs
	Stranded  float64   // mean number of units that are free in that time, 0 in other times
	Wasted    float64   // mean number of units that are free while a job waits
	Unusable  float64   // mean number of free units by node, each by the share of the jobs that do not fit there
	Busy      float64   // mean number of busy units
	Empty     float64   // mean number of empty nodes
	Jobs      []float64 // Jobs[n] is the probability of n jobs in the system
	Decay     float64   // of these far out; 0 if there are no more
	Mean      float64   // number of jobs in the system
	Square    float64   // E[N(N-1)] of it
	States    int

	c    *cluster
	rate float64
}

func (c *cluster) newMeasures(rate float64) *Measures {
	list := func() []float64 { return make([]float64, len(c.kinds)) }
	return &Measures{Blocked: list(), AtOnce: list(), Queue: list(), Pairs: list(), Served: list(), Scattered: list(), c: c, rate: rate}
}

// count adds a state in which so many jobs wait.
func (m *Measures) count(x *config, p float64, waiting, room int) {
	m.cluster(x, p)
	n := x.jobs + waiting
	for len(m.Jobs) <= n {
		m.Jobs = append(m.Jobs, 0)
	}
	m.Jobs[n] += p
	m.Mean += p * float64(n)
	m.Square += p * float64(n) * float64(n-1)
	if waiting == 0 {
		m.open(x, p)
	}
	for k, fits := range x.fits {
		if waiting >= room && (waiting > 0 || !fits) {
			m.Blocked[k] += p
		}
	}
	if waiting > 0 {
		b := float64(waiting - 1)
		m.behind(x, p, p*b, p*b*(b-1))
	}
}

// cluster adds what follows from a configuration alone.
func (m *Measures) cluster(x *config, p float64) {
	c := m.c
	m.Busy += p * float64(c.Nodes*c.Units-x.free)
	m.Empty += p * float64(x.empty)
	for k := range c.kinds {
		kind := &c.kinds[k]
		if !x.fits[k] && x.free >= kind.units {
			m.Scattered[k] += p
		}
		for j := kind.Lo; j < kind.Hi && kind.span > 0; j++ {
			m.Served[k] += p * float64(x.at[c.place[j]])
		}
	}
	c.runs(x, func(v uint16, nodes int) {
		for k := range c.kinds {
			kind := &c.kinds[k]
			for j := kind.Lo; j < kind.Hi && kind.span == 0; j++ {
				m.Served[k] += p * float64(nodes) * float64(c.contents.counts[v][c.place[j]])
			}
			if free := c.contents.free[v]; kind.span == 0 && kind.Need > free || kind.span > 0 && v != 0 {
				m.Unusable += p * float64(nodes*c.spare(v)) * kind.Prob
			}
		}
	})
}

// open adds a state in which nobody waits.
func (m *Measures) open(x *config, p float64) {
	for k, fits := range x.fits {
		if fits {
			m.AtOnce[k] += p
		}
	}
}

// behind adds states in which jobs wait: their probability, and with it the means of the
// number b behind the head and of b(b-1).
func (m *Measures) behind(x *config, p, mean, square float64) {
	m.Wasted += p * float64(x.free)
	for k := range m.c.kinds {
		kind := &m.c.kinds[k]
		m.Queue[k] += mean * kind.Prob
		m.Pairs[k] += square * kind.Prob * kind.Prob
		if x.fits[k] {
			continue
		}
		head := kind.Prob / x.refused
		m.Queue[k] += p * head
		m.Pairs[k] += 2 * mean * kind.Prob * head
		if x.free >= kind.units {
			m.Held += p * head
			m.Stranded += p * head * float64(x.free)
		}
	}
}

// finish puts the classes of the system in place of the kinds, of which each has its part.
func (m *Measures) finish() *Measures {
	part := func(of []float64, power int) []float64 {
		out := make([]float64, len(m.c.plan.Of))
		for i, k := range m.c.plan.Of {
			if k < 0 {
				continue
			}
			out[i] = of[k]
			for range power {
				out[i] *= m.c.Classes[i].Prob / m.c.kinds[k].Prob
			}
		}
		return out
	}
	m.Blocked, m.AtOnce, m.Scattered = part(m.Blocked, 0), part(m.AtOnce, 0), part(m.Scattered, 0)
	m.Queue, m.Served, m.Pairs = part(m.Queue, 1), part(m.Served, 1), part(m.Pairs, 2)
	return m
}

// Wait returns the mean and the second moment of the wait of a class, by Little's law and its
// extension to the second moment, where all jobs that come are served in the order in which
// they came. Source: Haji and Newell, Journal of Applied Probability 8 (1971).
func (m *Measures) Wait(class int) (mean, second float64) {
	rate := m.rate * m.c.Classes[class].Prob
	return m.Queue[class] / rate, m.Pairs[class] / (rate * rate)
}

// Fragmentation is what results have of it.
func (m *Measures) Fragmentation() result.Fragmentation {
	known := func(v float64) result.Estimate { return result.Exact(v, "exact") }
	return result.Fragmentation{Held: known(m.Held), Stranded: known(m.Stranded), Unusable: known(m.Unusable), EmptyNodes: known(m.Empty)}
}
