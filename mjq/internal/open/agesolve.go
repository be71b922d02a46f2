package open

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Ages is the stationary law of the age of the job at the head of the line, and
// with it that of the waiting times under Markovian arrivals.
type Ages struct {
	*ages
	fluid    *mam.FluidSolution
	zero     []float64 // probability of each state without a line
	enter    []float64 // rate at which each state with a line is entered from those without
	waiting  []float64 // probability of each state with a line
	inverse  mat.LU    // of -K
	classes  []ageClass
	Residual float64 // of the fluid queue, and of the rates at which classes start, relative
	Steps    int     // of the doubling
}

// ageClass is what the jobs of a class see: they start at the rates low, by
// state without a line, and, at an age, at the rates start by state with a line.
// left is (-K)^-1 start.
type ageClass struct {
	rate, zero  float64
	start, left []float64
}

// SolveAges finds the waiting times of a system under Markovian arrivals whose
// jobs may come in batches and marked; classes are the probabilities of those
// whose class is left open, by class of the system. report is told what part is
// done. It fails with *mam.Unstable
// beyond the stability limit and with the error of ctx.
//
// Waits of first come first served are ages: the wait of a job is its age when it
// starts, and while it is at the head of the line its age grows as time goes by.
// The job behind it is younger by the time between their arrivals. The age of the
// head, the multiset of phases in service and the phase of the arrivals just
// after the head came are Markov; the class of the head is implied where arrivals
// leave it open (package states) and part of the state where they mark it.
//
// Source: Sengupta, Markov processes whose steady state distribution is
// matrix-exponential (1989); He, Analysis of a continuous time SM[K]/PH[K]/1/FCFS
// queue (2005), for marks on one server; solved as a fluid queue.
func SolveAges(ctx context.Context, x *states.Index, servers int, a states.Arrivals, report func(part float64)) (*Ages, error) {
	s := &Ages{ages: newAges(x, servers, a)}
	u, d := len(s.up.list), len(s.down.list)
	f := mam.Fluid{UpUp: s.up.toUp.dense(u), UpDown: s.up.toLow.dense(d), DownUp: s.down.toUp.dense(u), DownDown: s.down.toLow.dense(d)}
	var err error
	s.fluid, err = f.Solve(ctx, mam.OnStep(func(step int, _ float64) { report(float64(step) / (doublings + float64(step))) }))
	if err != nil {
		return nil, err
	}
	s.Steps, s.Residual = s.fluid.Steps, s.fluid.Residual
	minus := mat.NewDense(u, u, nil)
	minus.Scale(-1, s.fluid.K)
	if !within(ctx, func() { s.inverse.Factorize(minus) }) {
		return nil, context.Cause(ctx)
	}
	if err := s.empty(ctx); err != nil {
		return nil, err
	}
	return s, s.starts(a.Drawn)
}

// AgeLoad is Load without the solution, stable or not: the time with the age of the head
// rising over that with it falling. It takes 2/3 n³ operations for n states of the age
// process.
func AgeLoad(ctx context.Context, x *states.Index, servers int, a states.Arrivals) (float64, error) {
	g := newAges(x, servers, a)
	u, d := len(g.up.list), len(g.down.list)
	q := mat.NewDense(u+d, u+d, nil)
	fill := func(r *rows, from, to int) {
		for i := range len(r.start) - 1 {
			for _, e := range r.row(i) {
				if k := to + int(e.to); k != from+i {
					q.Set(from+i, k, q.At(from+i, k)+e.rate)
				}
			}
		}
	}
	fill(&g.up.toUp, 0, 0)
	fill(&g.up.toLow, 0, u)
	fill(&g.down.toUp, u, 0)
	fill(&g.down.toLow, u, u)
	for i := range u + d {
		row := q.RawRowView(i)
		row[i] = -floats.Sum(row)
	}
	pi, err := mam.GTHContext(ctx, q)
	if err != nil {
		return 0, err
	}
	return floats.Sum(pi[:u]) / floats.Sum(pi[u:]), nil
}

// Load is the rate of the arrivals over that at which the system would be
// saturated: if they came c times as fast it would be c times as large.
func (s *Ages) Load() float64 { return s.fluid.Load }

// dense is the matrix of the rates, with so many columns.
func (r *rows) dense(columns int) *mat.Dense {
	m := mat.NewDense(len(r.start)-1, columns, nil)
	for i := range len(r.start) - 1 {
		for _, e := range r.row(i) {
			m.Set(i, int(e.to), m.At(i, int(e.to))+e.rate)
		}
	}
	return m
}

// empty finds the law of the states without a line, watched alone: the way
// through those with one leads back by Psi.
func (s *Ages) empty(ctx context.Context) error {
	n := len(s.ages.zero.list)
	q := s.ages.zero.toLow.dense(n)
	back := make([]int, len(s.down.list))
	for i, state := range s.down.list {
		back[i] = s.ages.zero.place[state]
	}
	for i := range n {
		row := q.RawRowView(i)
		for _, e := range s.ages.zero.toUp.row(i) {
			for j, p := range s.fluid.Psi.RawRowView(int(e.to)) {
				row[back[j]] += e.rate * p
			}
		}
		row[i] = 0
		row[i] = -floats.Sum(row)
	}
	var err error
	if s.zero, err = mam.GTHContext(ctx, q); err != nil {
		return err
	}
	s.enter = make([]float64, len(s.up.list))
	s.ages.zero.toUp.times(s.zero, s.enter)
	if s.waiting, err = s.solve(true, s.enter); err != nil {
		return err
	}
	total := 1 + floats.Sum(s.waiting)
	for _, p := range [][]float64{s.zero, s.enter, s.waiting} {
		floats.Scale(1/total, p)
	}
	return nil
}

// solve is (-K)^-1 b, or b (-K)^-1.
func (s *Ages) solve(left bool, b []float64) ([]float64, error) {
	x := mat.NewVecDense(len(b), nil)
	if err := s.inverse.SolveVecTo(x, left, mat.NewVecDense(len(b), b)); singular(err) {
		return nil, fmt.Errorf("the ages do not sum: %w", err)
	}
	return x.RawVector().Data, nil
}

// starts finds where the jobs of each class start.
func (s *Ages) starts(classes []float64) error {
	rates := s.arrivals.ClassRates()
	for i, share := range classes {
		c := ageClass{start: s.up.startsOf(s.ages, i, share)}
		down := mat.NewVecDense(len(s.down.list), s.down.startsOf(s.ages, i, share))
		start := mat.NewVecDense(len(c.start), c.start)
		var again mat.VecDense
		again.MulVec(s.fluid.Psi, down)
		start.AddVec(start, &again)
		atOnce := floats.Dot(s.zero, s.ages.zero.startsOf(s.ages, i, share))
		var err error
		if c.left, err = s.solve(false, c.start); err != nil {
			return err
		}
		c.rate = atOnce + floats.Dot(s.waiting, c.start)
		c.zero = atOnce / c.rate
		s.Residual = max(s.Residual, math.Abs(c.rate/rates[i]-1))
		s.classes = append(s.classes, c)
	}
	return nil
}

// startsOf are the rates at which jobs of a class start, by state: those marked
// so, and its share of those whose class is open.
func (p *part) startsOf(g *ages, class int, share float64) []float64 {
	kind := g.Of[class]
	out := make([]float64, len(p.list))
	for _, l := range g.labels {
		if l.class >= 0 && l.class != class {
			continue
		}
		part := 1.0
		if l.class < 0 {
			part = share / g.Plan.Kinds[kind].Prob
		}
		for i := range out {
			out[i] += part * p.starts[i*g.sources+l.first+kind]
		}
	}
	return out
}
