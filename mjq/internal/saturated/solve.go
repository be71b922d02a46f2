package saturated

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// denseStates is up to where elimination is as fast as the iteration.
const denseStates = 400

// Tolerance is the relative residual that a solution has at most, in the
// 1-norm: the flow into each state against the flow out of it. Of a chain whose
// time scales lie far apart it bounds this norm among the states of equal
// numbers of jobs in slow phases, by flow and by time and relative to the same
// norm of these states, and between such sets of states the flow into each
// against the flow out of it. The iteration goes on below it until the
// throughput has settled as well.
const Tolerance = 1e-12

// Solution is the stationary distribution of a chain and what follows from it.
type Solution struct {
	Throughput float64 // λ_c, jobs per unit of time
	Residual   float64 // relative, see Tolerance
	States     int     // multisets of phases in service
	Pairs      int     // with the class at the head of the line
	Passes     int     // over the chain
	Flow       []float64
}

// Stalled is the error for an iteration that stops improving too early.
type Stalled struct {
	States   int
	Residual float64
}

// Error names the size and the way out.
func (e *Stalled) Error() string {
	return fmt.Sprintf("the iteration on the %d states of the saturated chain stalls at a relative residual of %.2g; "+
		"use mjq.Pile{}, which samples the limit of any model", e.States, e.Residual)
}

// Solve finds the stationary distribution. Up to 400 states it is an
// elimination that keeps every digit, as it is up to 2000 where the iteration
// stalls; else an iteration of some hundred passes, a pass taking of the order
// of 10 ns per state and phase. report, if not nil, is told the digits reached
// and wanted. On cancellation the solution is the last iterate, along with the
// error of the context; *Stalled is the error of an iteration that does not get
// to the Tolerance.
func (c *Chain) Solve(ctx context.Context, report func(done, total float64)) (*Solution, error) {
	s := &Solution{States: c.States(), Pairs: c.Pairs()}
	var err error
	if c.States() <= denseStates {
		err = c.eliminate(ctx, s)
	} else {
		err = c.approach(ctx, s, report)
	}
	if s.Flow == nil {
		return nil, err
	}
	s.Throughput = c.throughput(s.Flow)
	return s, err
}

// eliminate solves by elimination.
func (c *Chain) eliminate(ctx context.Context, s *Solution) (err error) {
	if s.Flow, err = c.gth(ctx); err != nil {
		return err
	}
	s.Passes = c.States() + 1
	into := make([]float64, c.States())
	c.jump(ctx, s.Flow, into)
	s.Residual = floats.Distance(s.Flow, into, 1)
	return nil
}

// approach solves by iteration and, where it stalls, as long drains make it, by
// elimination if the chain is not too large for it, or in blocks.
func (c *Chain) approach(ctx context.Context, s *Solution, report func(done, total float64)) (err error) {
	if report == nil {
		report = func(done, total float64) {}
	}
	s.Flow = slices.Repeat([]float64{1}, c.States())
	s.Residual, s.Passes, err = c.iterate(ctx, s.Flow, report)
	if stalled := new(Stalled); !errors.As(err, &stalled) {
		return err
	}
	if c.States() <= MaxDeltas {
		return c.eliminate(ctx, s)
	}
	if c.blocks == nil {
		if c.blocks = newBlocks(ctx, c, slightly); c.blocks != nil {
			s.Residual, s.Passes, err = c.iterate(ctx, s.Flow, report)
		}
	}
	return err
}

// iterate improves y until the residual is within Tolerance and the throughput
// has settled as far, or until neither gets better.
func (c *Chain) iterate(ctx context.Context, y []float64, report func(done, total float64)) (residual float64, passes int, err error) {
	g := newGMRES(c, len(y))
	if g.stiff != nil {
		c.guess(y)
		g.alternate(ctx, y, roundsAtFirst, settledEnough)
	}
	best, before, first := math.Inf(1), 0.0, 0.0
	for patience := 20; ; {
		residual = g.residual(ctx, y)
		if first == 0 {
			first = residual
		}
		report(min(1, math.Log(residual/first)/math.Log(Tolerance/first)), 1)
		rate := c.throughput(y)
		if g.stiff != nil {
		}
		settled := math.Abs(rate-before) <= Tolerance*rate
		gained := residual <= 0.5*best
		if !gained {
			patience--
		}
		best, before = min(best, residual), rate
		switch {
		case ctx.Err() != nil:
			return residual, g.passes, ctx.Err()
		case residual <= Tolerance && (settled || patience == 0):
			return residual, g.passes, nil
		case patience == 0:
			return residual, g.passes, &Stalled{len(y), residual}
		}
		g.improve(ctx, y, gained || patience%2 == 0)
	}
}

// passesInstead is how many jumps take the place of a cycle that would not help:
// they follow long drains to their end, which the directions of a cycle do not.
const passesInstead = 400

// improve is a cycle, or what helps where a cycle does not.
func (g *gmres) improve(ctx context.Context, y []float64, cycle bool) {
	switch {
	case cycle && g.stiff == nil:
		g.cycle(ctx, y)
	case cycle:
		g.cycle(ctx, y)
		for i, before := range g.stiff.y {
			y[i] = max(y[i], leastShrink*before) // so that no block is lost
		}
		g.alternate(ctx, y, roundsAfter, 0)
	case g.stiff == nil:
		for range passesInstead {
			g.chain.jump(ctx, y, g.basis[0])
			if ctx.Err() != nil {
				return
			}
			g.passes++
			copy(y, g.basis[0])
		}
	default:
		g.alternate(ctx, y, roundsInstead, 0)
	}
}

// throughput is the rate of completions by Little's law, E[jobs in service] =
// λ E[σ], when y is the flow out of every state. It holds for every law and
// does not look at the rates of completion.
func (c *Chain) throughput(y []float64) float64 {
	time, jobs := 0.0, 0.0
	for i, v := range y {
		time += v * c.hold[i]
		jobs += v * c.hold[i] * c.served[i]
	}
	return jobs / time / c.index.MeanService()
}
