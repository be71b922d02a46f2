package open

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

// largeTolerance is the relative error of the mean number of jobs that SolveLarge aims
// at.
const largeTolerance = 1e-9

// SolveLarge is Solve for systems with too many phases for matrices: by sweeps over the
// levels (package chain), up to an error of the mean number of jobs, Error of the
// solution, that is bounded in practice. It takes at most some bytes, and fails with
// *chain.TooLarge where the tail needs more, and with chain.ErrSlow. NewLargeWaits has
// the transforms of its solution.
func SolveLarge(ctx context.Context, x *states.Index, servers int, lambda, bytes float64, report Progress) (*Solution, error) {
	c := newSteps(x, servers, lambda)
	o := chain.LevelOptions{Tolerance: largeTolerance, Span: c.span(), Bytes: bytes}
	if report != nil {
		total := SizeOfLarge(x).Flops
		o.Report = func(part float64) { report(part*total, total) }
	}
	l, err := chain.SolveLevels(ctx, c, o)
	var unstable *chain.Unstable
	if errors.As(err, &unstable) {
		return nil, &mam.Unstable{Drift: lambda * (1 - 1/unstable.Load), Load: unstable.Load}
	} else if err != nil {
		return nil, err
	}
	s := &Solution{space: c.space, lambda: lambda, decay: l.Decay, Residual: l.Error, Error: l.Error, Steps: l.Sweeps, large: l, steps: c}
	s.pi = l.Levels[:s.most+1]
	s.tails, err = tailsOf(l, s.most+1)
	return s, err
}

// Levelled is how many levels SolveLarge kept; 0 of Solve.
func (s *Solution) Levelled() int {
	if s.large == nil {
		return 0
	}
	return len(s.large.Levels)
}

// span is about how many jobs two states of a level are apart in the long run: as many as
// can be in service, and those that come during the longest of services.
func (s *steps) span() float64 {
	longest := 0.0
	for _, k := range s.Kinds {
		longest = max(longest, k.Mean)
	}
	for _, p := range s.Phases {
		longest = max(longest, 1/p.Rate)
	}
	return float64(s.most) + s.lambda*longest
}

// tailsOf sums j(j-1)...(j-k+1) over the levels from the given one on, j from 1.
func tailsOf(l *chain.LevelLaw, from int) ([][]float64, error) {
	alike := l.Levels[from:]
	sums, err := l.Tails(factorials)
	if err != nil {
		return nil, fmt.Errorf("the levels above %d do not sum: %w", len(l.Levels)-1, err)
	}
	tails := make([][]float64, factorials)
	var p [factorials]float64
	for k := range tails {
		tails[k] = make([]float64, len(alike[0]))
		for j, x := range alike {
			floats.AddScaled(tails[k], factorial(k, float64(j+1), &[factorials]float64{1}), x)
		}
		for i := range tails[k] {
			for m := range p {
				p[m] = sums[m][i]
			}
			tails[k][i] += factorial(k, float64(len(alike)), &p)
		}
	}
	return tails, nil
}

// SizeOfLarge is the size of SolveLarge, about: the levels of the tail are not known
// before.
func SizeOfLarge(x *states.Index) Size {
	p, jobs := x.States(), float64(x.Servers/x.Kinds[0].Need+1)
	nodes, alike := 0.0, 100+2*jobs
	for u := range x.Servers + 1 {
		nodes += float64(x.Count(u))
	}
	all := p * (jobs/2 + alike)
	// What a sweep mends travels a level at a time, so that chains of many levels take more sweeps:
	// hyperexponential services on 500 servers were not done after minutes.
	sweeps := 400 * max(1, jobs*jobs/1e4)
	ways := 4*float64(len(x.Phases)) + 10
	return Size{Phases: int(min(p, 1<<62)), Levels: int(jobs), Bytes: chain.LevelBytesPerState*all + 40*nodes*ways, Flops: sweeps * all * ways, Sparse: true}
}
