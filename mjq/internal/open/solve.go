package open

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Solution is the stationary distribution of the open system.
type Solution struct {
	*space
	lambda   float64
	boundary []*level    // levels 0 to most
	far      *level      // any level above
	pi       [][]float64 // by level, 0 to most
	qbd      *mam.QBDSolution
	large    *chain.LevelLaw // instead of qbd, of SolveLarge
	steps    *steps          // of SolveLarge
	decay    float64         // P(N = n+1) / P(N = n) for large n
	tails    [][]float64     // tails[k][phase] = Σ_j j(j-1)...(j-k+1) π_{most+j}, j from 1
	Residual float64         // largest imbalance of the boundary levels and of the QBD, relative
	Error    float64         // of the mean number of jobs, relative, as SolveLarge bounds it; 0 of Solve, which has rounding only
	Steps    int             // of the reduction, or sweeps
}

// Progress is told what part of the work is done.
type Progress func(done, total float64)

// Solve finds the stationary distribution of a system with Poisson arrivals of
// rate lambda on a given number of servers. It fails with *mam.Unstable beyond the stability limit and
// with the error of ctx.
//
// Source: Latouche and Ramaswami, Introduction to Matrix Analytic Methods
// (1999), chapter 12, for the levels below the homogeneous ones.
func Solve(ctx context.Context, x *states.Index, servers int, lambda float64, report Progress) (*Solution, error) {
	s := &Solution{space: newSpace(x, servers), lambda: lambda}
	if report == nil {
		report = func(done, total float64) {}
	}
	d := &drawer{space: s.space, starts: map[int][]start{}}
	for n := 0; n <= s.most; n++ {
		s.boundary = append(s.boundary, d.build(n, lambda))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	s.far = d.build(s.most+1, lambda)
	work := SizeOf(x)
	var err error
	s.qbd, err = s.homogeneous().Solve(ctx, mam.OnStep(func(step int, _ float64) {
		report(13*float64(step)*math.Pow(float64(work.Phases), 3), work.Flops)
	}))
	if err != nil {
		return nil, err
	}
	s.Steps, s.decay = s.qbd.Iterations, s.qbd.Caudal
	return s, s.levels(ctx, func(part float64) { report((0.8+0.2*part)*work.Flops, work.Flops) })
}

// homogeneous is the blocks of the levels above most.
func (s *Solution) homogeneous() mam.QBD {
	n := len(s.blocked)
	q := mam.QBD{Up: mat.NewDense(n, n, nil), Local: mat.NewDense(n, n, nil), Down: mat.NewDense(n, n, nil)}
	for i := range n {
		q.Up.Set(i, i, s.lambda)
		out := s.lambda
		for _, e := range s.far.local.row(i) {
			q.Local.Set(i, int(e.to), e.rate)
			out += e.rate
		}
		for _, e := range s.far.down.row(i) {
			q.Down.Set(i, int(e.to), e.rate)
			out += e.rate
		}
		q.Local.Set(i, i, -out)
	}
	return q
}

// levels finds the distribution on the boundary levels: with
// R_n = A0_{n-1} N_n, N_n = -(A1_n + R_{n+1} A2_{n+1})^{-1}, π_n = π_{n-1} R_n.
func (s *Solution) levels(ctx context.Context, report func(part float64)) error {
	inverse := make([]*mat.Dense, s.most+1)
	above := mat.DenseCopyOf(s.qbd.R)
	down := &s.far.down
	for n := s.most; n > 0; n-- {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l := s.boundary[n]
		m := l.censored(above, down, s.lambda)
		inverse[n] = mat.NewDense(len(l.nodes), len(l.nodes), nil)
		var err error
		if !within(ctx, func() { err = inverse[n].Inverse(m) }) {
			return ctx.Err()
		}
		if singular(err) {
			return fmt.Errorf("level %d: %w", n, err)
		}
		above = s.boundary[n-1].rise(inverse[n])
		down = &l.down
		report(1 - float64(n-1)/float64(s.most))
	}
	s.pi = [][]float64{{1}}
	for n := 1; n <= s.most; n++ {
		size := len(s.boundary[n].nodes)
		in, out := make([]float64, size), make([]float64, size)
		s.boundary[n-1].up.times(s.pi[n-1], in)
		mat.NewVecDense(size, out).MulVec(inverse[n].T(), mat.NewVecDense(size, in))
		s.pi = append(s.pi, out)
	}
	return s.normalise()
}

// within runs f, and leaves it behind if ctx ends first: the dense operations of
// the library cannot be stopped. What f writes must then not be read.
func within(ctx context.Context, f func()) bool {
	done := make(chan error, 1)
	go func() { done <- panics.Call(f) }()
	select {
	case err := <-done:
		if err != nil {
			panic(err) // here, where a caller can recover from it
		}
		return true
	case <-ctx.Done():
		return false
	}
}

// singular reports whether an error of the library is more than a warning about
// the condition, which the residual tells better.
func singular(err error) bool {
	var c mat.Condition
	return err != nil && (!errors.As(err, &c) || math.IsInf(float64(c), 1))
}

// censored is minus the generator of a level watched only below the next one,
// above holding the R of the next level and down its completions.
func (l *level) censored(above *mat.Dense, down *rows, lambda float64) *mat.Dense {
	n := len(l.nodes)
	m := mat.NewDense(n, n, nil)
	back := make([]float64, n)
	for i := range n {
		clear(back)
		down.times(above.RawRowView(i), back)
		row := m.RawRowView(i)
		for j, v := range back {
			row[j] = -v
		}
		row[i] += l.rate[i] + lambda
		for _, e := range l.local.row(i) {
			row[e.to] -= e.rate
		}
	}
	return m
}

// rise is the arrivals of a level times a matrix on the next.
func (l *level) rise(inverse *mat.Dense) *mat.Dense {
	_, cols := inverse.Dims()
	r := mat.NewDense(len(l.nodes), cols, nil)
	for i := range l.nodes {
		for _, e := range l.up.row(i) {
			floats.AddScaled(r.RawRowView(i), e.rate, inverse.RawRowView(int(e.to)))
		}
	}
	return r
}

// factorials is how many factorial moments of the level are summed.
const factorials = 5

// normalise sums the homogeneous levels and makes the total 1. With
// x_j = π_most R^j, Σ_{j≥1} j(j-1)...(j-k+1) R^j = k! R^max(k,1) (1-R)^{-k-1}.
func (s *Solution) normalise() error {
	n := len(s.blocked)
	rest := mat.NewDense(n, n, nil)
	for i := range n {
		rest.Set(i, i, 1)
	}
	rest.Sub(rest, s.qbd.R)
	var lu mat.LU
	lu.Factorize(rest)
	top := mat.NewVecDense(n, s.pi[s.most])
	for k := range factorials {
		x := mat.NewVecDense(n, nil)
		if k <= 1 {
			x.MulVec(s.qbd.R.T(), top)
		} else {
			x.MulVec(s.qbd.R.T(), mat.NewVecDense(n, s.tails[k-1]))
			x.ScaleVec(float64(k), x)
		}
		if k == 1 {
			// R (1-R)^{-2} = (R (1-R)^{-1}) (1-R)^{-1}
			x.CopyVec(mat.NewVecDense(n, s.tails[0]))
		}
		sum := mat.NewVecDense(n, nil)
		if err := lu.SolveVecTo(sum, true, x); singular(err) {
			return fmt.Errorf("the levels above %d do not sum: %w", s.most, err)
		}
		s.tails = append(s.tails, sum.RawVector().Data)
	}
	total := floats.Sum(s.tails[0])
	for _, p := range s.pi {
		total += floats.Sum(p)
	}
	for _, p := range append(s.pi, s.tails...) {
		floats.Scale(1/total, p)
	}
	s.Residual = max(s.imbalance(), s.qbd.Residual)
	return nil
}

// imbalance is the largest difference of the flow into a boundary state and out
// of it, relative to the largest flow.
func (s *Solution) imbalance() float64 {
	worst, scale := 0.0, 0.0
	next := make([]float64, len(s.blocked)) // π_{most+1}
	mat.NewVecDense(len(next), next).MulVec(s.qbd.R.T(), mat.NewVecDense(len(next), s.pi[s.most]))
	for n, l := range s.boundary {
		in := make([]float64, len(l.nodes))
		l.local.times(s.pi[n], in)
		if n > 0 {
			s.boundary[n-1].up.times(s.pi[n-1], in)
		}
		if n < s.most {
			s.boundary[n+1].down.times(s.pi[n+1], in)
		} else {
			s.far.down.times(next, in)
		}
		for i, p := range s.pi[n] {
			out := p * (l.rate[i] + s.lambda)
			worst, scale = max(worst, math.Abs(in[i]-out)), max(scale, out)
		}
	}
	return worst / scale
}
