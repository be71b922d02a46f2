package nodes

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// queue is the queue without a limit on the jobs that wait, a quasi-birth-and-death process
// whose level is the number of jobs in the system. Level n has the configurations that some
// class does not fit beside, of at most n jobs, with n less their jobs in line, and then the
// others of n jobs.
type queue struct {
	*cluster
	rate    float64
	blocked []int32   // configurations by ascending jobs
	upTo    []int     // by jobs: how many of them have at most so many
	rest    [][]int32 // by jobs: the other configurations
	place   []int     // by configuration: its place in the levels that have it
	most    int       // jobs in service
}

// Queue solves the first come first served queue with Poisson arrivals of a rate. It fails
// with *mam.Unstable beyond the stability limit, with *TooMuch where it takes more than so
// many bytes, and with the cause of the end of ctx. report, if not nil, is told what part is
// done, about.
func (s *System) Queue(ctx context.Context, rate, bytes float64, report func(part float64)) (*Measures, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	o, err := newQueue(ctx, c, rate)
	if err != nil {
		return nil, err
	}
	if need := o.bytes(); need > bytes {
		return nil, &TooMuch{len(o.blocked), o.most, need}
	}
	if report == nil {
		report = func(float64) {}
	}
	q := o.homogeneous()
	far, err := q.Solve(ctx, mam.OnStep(func(step int, _ float64) { report(min(0.5, 0.05*float64(step))) }))
	if err != nil {
		return nil, err
	}
	b := mam.Boundary{Levels: o.most + 1, At: o.level}
	law, err := b.Solve(ctx, q, far, mam.OnStep(func(_ int, left float64) { report(1 - left/2) }))
	if err != nil {
		return nil, err
	}
	m := o.measure(law)
	m.Decay = far.Caudal
	return m, nil
}

// TooMuch is the error for a queue whose matrices take more memory than is allowed.
type TooMuch struct {
	Phases, Jobs int // configurations while jobs wait, and the most jobs in service
	Bytes        float64
}

// Error names the size.
func (e *TooMuch) Error() string {
	return fmt.Sprintf("%d configurations of the nodes while jobs wait, with up to %d jobs in service, take %.2g MB", e.Phases, e.Jobs, e.Bytes/1e6)
}

// newQueue lists the states.
func newQueue(ctx context.Context, c *cluster, rate float64) (*queue, error) {
	err := c.all(func(int) error { return context.Cause(ctx) })
	if err != nil {
		return nil, err
	}
	o := &queue{cluster: c, rate: rate, place: make([]int, len(c.configs))}
	for at, x := range c.configs {
		o.most = max(o.most, x.jobs)
		if x.refused > 0 {
			o.blocked = append(o.blocked, int32(at))
		}
	}
	slices.SortStableFunc(o.blocked, func(a, b int32) int { return c.configs[a].jobs - c.configs[b].jobs })
	o.rest, o.upTo = make([][]int32, o.most+1), make([]int, o.most+1)
	for at, x := range c.configs {
		if x.refused == 0 {
			o.rest[x.jobs] = append(o.rest[x.jobs], int32(at))
		}
	}
	for i, at := range o.blocked {
		o.place[at] = i
		for n := c.configs[at].jobs; n <= o.most; n++ {
			o.upTo[n] = i + 1
		}
	}
	for n, list := range o.rest {
		for i, at := range list {
			o.place[at] = o.upTo[n] + i
		}
	}
	return o, nil
}

// bytes is about what the matrices of all levels take.
func (o *queue) bytes() float64 {
	sum := 100 * float64(len(o.blocked)) * float64(len(o.blocked))
	for n, k := range o.upTo {
		size := float64(k + len(o.rest[n]))
		sum += 40 * size * size
	}
	return sum
}

// at is the configurations of level n in order.
func (o *queue) at(n int) []int32 {
	if n > o.most {
		return o.blocked
	}
	return append(slices.Clone(o.blocked[:o.upTo[n]]), o.rest[n]...)
}

// homogeneous is the blocks of the levels with more jobs than can be in service.
func (o *queue) homogeneous() mam.QBD {
	return mam.QBD(o.blocks(o.blocked, o.blocked, o.blocked, o.most+2, endless))
}

// level is the blocks of level n.
func (o *queue) level(n int) mam.Level {
	if n > o.most {
		return mam.Level{}
	}
	var under []int32
	if n > 0 {
		under = o.at(n - 1)
	}
	return o.blocks(o.at(n), under, o.at(n+1), n, 0)
}

// blocks are those of a level of n jobs with some configurations, given those below and above;
// at least so many jobs wait.
func (o *queue) blocks(here, under, above []int32, n, least int) mam.Level {
	l := mam.Level{Up: mat.NewDense(len(here), len(above), nil), Local: mat.NewDense(len(here), len(here), nil)}
	if len(under) > 0 {
		l.Down = mat.NewDense(len(here), len(under), nil)
	}
	for i, at := range here {
		waiting := max(least, n-o.configs[at].jobs)
		out := o.rate
		enter := func(m *mat.Dense, to int32, rate float64) {
			j := o.place[to]
			m.Set(i, j, m.At(i, j)+rate)
		}
		ends, moves := o.services(at)
		for _, m := range moves {
			enter(l.Local, m.to, m.rate)
			out += m.rate
		}
		for _, e := range ends {
			out += e.rate
			o.follow(at, e.to, waiting, e.rate, func(to int32, rate float64) { enter(l.Down, to, rate) })
		}
		o.arrivals(at, waiting, endless+1, o.rate, func(to int32, _ int, rate float64) { enter(l.Up, to, rate) })
		l.Local.Set(i, i, l.Local.At(i, i)-out)
	}
	return l
}

// measure adds up over the levels.
func (o *queue) measure(law *mam.Stationary) *Measures {
	m := o.newMeasures(o.rate)
	for n := 0; n <= o.most; n++ {
		for i, at := range o.at(n) {
			x := o.configs[at]
			m.count(x, law.Pi[n][i], n-x.jobs, endless)
		}
	}
	zero, one, two := law.Above(0), law.Above(1), law.Above(2)
	first := float64(o.most + 1) // the level from which they are alike
	for i, at := range o.blocked {
		x := o.configs[at]
		p, mean, pairs := zero[i], one[i], two[i]
		m.cluster(x, p)
		b := first - float64(x.jobs) - 1 // behind the head there
		m.behind(x, p, mean+b*p, 2*pairs+2*b*mean+b*(b-1)*p)
		m.Mean += mean + first*p
		m.Square += 2*pairs + 2*first*mean + first*(first-1)*p
	}
	for x := mat.NewVecDense(len(zero), slices.Clone(law.Pi[o.most+1])); len(m.Jobs) < listed; {
		p := mat.Sum(x)
		if m.Jobs = append(m.Jobs, p); p < leastListed {
			break
		}
		next := mat.NewVecDense(len(zero), nil)
		next.MulVec(law.R.T(), x)
		x = next
	}
	m.States = len(o.blocked)
	return m.finish()
}

// Probabilities of the number of jobs are kept until they are so small, and at most so many.
const (
	listed      = 512
	leastListed = 1e-18
)
