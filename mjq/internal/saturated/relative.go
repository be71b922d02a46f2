package saturated

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// MaxDeltas is the largest chain whose relative completions are given state by
// state: an elimination on a dense matrix.
const MaxDeltas = 2000

// RelativeCompletions is E[Δ(Y_d)]: by how many jobs a saturated system that
// starts as a completion leaves it, with everything it starts drawn, gets ahead
// in the long run of one that starts in its time-average state. solved is what
// Solve gave for this chain. The cost is that of a second Solve.
//
// With P the jump chain, h the mean holding times, c the rates of completion
// and π the distribution over time, Δ solves (P - 1)Δ = h (λ_c - c) with πΔ = 0.
// For d, the distribution just after a completion, d Δ = Σ z h (c - λ_c) where
// z (1 - P) = d - π, a system of the same kind as the one for π itself.
//
// Source: Grosof, Hong, Harchol-Balter and Scheller-Wolf, The RESET and MARC
// Techniques, with Application to Multiserver-Job Analysis (2023).
func (c *Chain) RelativeCompletions(ctx context.Context, solved *Solution) (float64, error) {
	n := c.States()
	after := make([]float64, n)
	c.flow(ctx, solved.Flow, after)
	floats.Scale(1/floats.Sum(after), after)
	if n > denseStates {
		sum, err := c.relative(ctx, solved, after)
		if stalled := new(Stalled); !errors.As(err, &stalled) || n > MaxDeltas {
			return sum, err
		}
	}
	delta, err := c.Deltas(ctx, solved)
	if err != nil {
		return math.NaN(), err
	}
	return floats.Dot(after, delta), nil
}

// relative is d Δ by the iteration, d being the distribution after.
func (c *Chain) relative(ctx context.Context, solved *Solution, after []float64) (float64, error) {
	rhs := c.Probabilities(solved)
	floats.SubTo(rhs, after, rhs)
	z, err := c.inverse(ctx, solved.Flow, rhs)
	if err != nil {
		return math.NaN(), err
	}
	sum := 0.0
	for i, completions := range c.completions() {
		sum += z[i] * (completions - solved.Throughput*c.hold[i])
	}
	return sum, nil
}

// inverse solves z (1 - P) = rhs, whose sum is 0; flow is the solution of the
// chain, from which a stiff one has the weights of its blocks.
func (c *Chain) inverse(ctx context.Context, flow, rhs []float64) ([]float64, error) {
	z := make([]float64, len(rhs))
	g := newGMRES(c, len(rhs))
	if g.stiff != nil {
		g.residual(ctx, slices.Clone(flow))
	}
	first, best := g.size(rhs), math.Inf(1)
	for patience := 20; ; {
		r := g.basis[0]
		c.jump(ctx, z, r)
		for i := range z {
			r[i] += rhs[i] - z[i]
		}
		if g.stiff != nil {
			g.stiff.exactly(r, rhs)
		}
		residual := g.size(r)
		if !(residual <= 0.5*best) {
			patience--
			if g.stiff != nil && residual <= Tolerance*g.size(z) {
				return z, ctx.Err()
			}
		}
		best = min(best, residual)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case patience > 0 && residual > 1e-15*first:
			if g.stiff != nil {
				floats.Div(r, g.stiff.weight)
			}
			g.cycle(ctx, z)
		case !(residual <= Tolerance*max(first, g.size(z))):
			return nil, &Stalled{len(rhs), residual}
		default:
			return z, nil
		}
	}
}

// size is the 1-norm; of a stiff chain, of the numbers relative to their weights.
func (g *gmres) size(v []float64) (sum float64) {
	if g.stiff == nil {
		return floats.Norm(v, 1)
	}
	for i, w := range g.stiff.weight {
		sum += math.Abs(v[i] / w)
	}
	return sum
}

// completions is the mean number of completions, 0 to 1, at the end of a stay
// in each state.
func (c *Chain) completions() []float64 {
	n := c.States()
	out := make([]float64, n)
	x := c.index
	first := int32(c.first)
	for lo := 0; lo < len(c.rises); lo += len(x.Phases) {
		for k, up := range c.rises[lo : lo+len(x.Phases)] {
			if up.node >= first {
				i := up.node - first
				out[i] += c.hold[i] * float64(up.jobs) * x.Phases[k].Exit
			}
		}
	}
	return out
}

// Deltas is Δ(y) for every state y, by elimination on the Poisson equation
// above: 2n³/3 operations, up to 2000 states.
func (c *Chain) Deltas(ctx context.Context, solved *Solution) ([]float64, error) {
	n := c.States()
	if n > MaxDeltas {
		return nil, fmt.Errorf("the saturated chain has %d states; relative completions by state are given up to %d", n, MaxDeltas)
	}
	// (1 - P) with the weights of π added to each row: not singular, and the
	// solution has πΔ = 0.
	a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	unit, into := make([]float64, n), make([]float64, n)
	time := floats.Dot(solved.Flow, c.hold)
	completions := c.completions()
	for i := range n {
		unit[i] = 1
		c.jump(ctx, unit, into)
		unit[i] = 0
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j, p := range into {
			a.Set(i, j, solved.Flow[j]*c.hold[j]/time-p)
		}
		a.Set(i, i, a.At(i, i)+1)
		b.SetVec(i, completions[i]-solved.Throughput*c.hold[i])
	}
	var delta mat.VecDense
	if err := delta.SolveVec(a, b); err != nil {
		return nil, fmt.Errorf("the Poisson equation of the saturated chain: %w", err)
	}
	return delta.RawVector().Data, nil
}

// Probabilities is the distribution over time that a solution stands for.
func (c *Chain) Probabilities(solved *Solution) []float64 {
	p := make([]float64, len(solved.Flow))
	floats.MulTo(p, solved.Flow, c.hold)
	floats.Scale(1/floats.Sum(p), p)
	return p
}

// Describe calls visit with every state, in the order of Deltas and of Flow: the
// number of jobs in each phase and the servers that are free, counted in the
// greatest common divisor of the needs.
func (c *Chain) Describe(visit func(state int, counts []int32, free int)) {
	state := 0
	for _, l := range c.levels {
		if l.free >= c.index.Widest() {
			continue
		}
		c.index.Each(c.index.Servers-l.free, func(counts []int32) bool {
			visit(state, counts, l.free)
			state++
			return true
		})
	}
}
