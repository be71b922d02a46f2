package saturated

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// preconditioner has GMRES look at what a chain in blocks does within them: a
// correction goes along with the change of the weights of the blocks that it
// calls for. States count by the square root of their flow within their block,
// in which norm a chain of jumps contracts, and all blocks alike.
type preconditioner struct {
	blocks *blocks
	of     []int32   // block by state
	y      []float64 // the flows that the blocks' weights multiply
	weight []float64 // by state
	z      []float64
	mass   []float64 // by block
	sum    []float64 // by block
}

func newPreconditioner(c *Chain, n int) *preconditioner {
	b := c.blocks
	return &preconditioner{blocks: b, of: b.of[c.first:], y: make([]float64, n), weight: make([]float64, n), z: make([]float64, n),
		mass: make([]float64, b.n), sum: make([]float64, b.n)}
}

// heaviest finds the masses of the blocks and the block of the largest.
func (p *preconditioner) heaviest(y []float64) int {
	clear(p.mass)
	for i, v := range y {
		p.mass[p.of[i]] += v
	}
	return floats.MaxIdx(p.mass)
}

// leastShrink bounds what a correction takes away.
const leastShrink = 0.1

// leastState is the least share of a state in its block, as far as its weight
// goes.
const leastState = 1e-16

// set takes y, of sum 1, and the flows between blocks of the last pass.
func (p *preconditioner) set(ctx context.Context, y []float64) {
	copy(p.y, y)
	pivot := p.heaviest(y)
	for i, v := range p.y {
		m := p.mass[p.of[i]]
		if m <= leastWeight {
			p.weight[i] = 1
			continue
		}
		p.weight[i] = math.Sqrt(max(v, leastState*m)) * math.Sqrt(m)
	}
	p.blocks.eliminate(ctx, pivot)
}

// apply is the correction that a direction stands for.
func (p *preconditioner) apply(v []float64) []float64 {
	floats.MulTo(p.z, v, p.weight)
	clear(p.sum)
	for i, z := range p.z {
		p.sum[p.of[i]] += z
	}
	p.blocks.solve(0, p.sum)
	for i, y := range p.y {
		p.z[i] += y * p.sum[p.of[i]]
	}
	return p.z
}

// residual makes y a probability vector and returns the 1-norm of y P - y,
// which it keeps for the next cycle. Of a chain in blocks it is the largest of
// these norms within a block, by flow and by time, relative to the block, and
// of the imbalances of blocks, relative to the flows between them; the weights
// of the blocks are made to balance before.
func (g *gmres) residual(ctx context.Context, y []float64) float64 {
	r := g.basis[0]
	if g.stiff == nil {
		normalise(y)
		g.chain.jump(ctx, y, r)
		g.passes++
		floats.Sub(r, y)
		return floats.Norm(r, 1)
	}
	g.balance(ctx, y)
	if ctx.Err() != nil {
		return math.Inf(1)
	}
	floats.Sub(r, y)
	g.stiff.set(ctx, y)
	worst := max(g.chain.blocks.imbalance(), g.stiff.within(g.chain.hold, y, r))
	g.stiff.exactly(r, nil)
	floats.Div(r, g.stiff.weight)
	return worst
}

// balance gives the blocks the weights that the flows between them ask for, and
// keeps y P in the first vector of the basis.
func (g *gmres) balance(ctx context.Context, y []float64) {
	b := g.chain.blocks
	g.chain.jump(ctx, y, g.basis[0])
	b.eliminate(ctx, g.stiff.heaviest(y))
	if ctx.Err() != nil {
		return
	}
	multiple := make([]float64, b.n)
	b.solve(1, multiple)
	for i := range y {
		y[i] *= multiple[g.stiff.of[i]]
	}
	normalise(y)
	g.chain.jump(ctx, y, g.basis[0])
	g.passes += 2
}

// Rounds of settle: at the start, until the weights of the blocks are about
// right; after a cycle, for the rounding that it leaves in rare states; and in
// place of a cycle that would not help.
const (
	roundsAtFirst = 100
	roundsAfter   = 5
	roundsInstead = 40
	settledEnough = 1e-3
)

// alternate has jumps and the weights of the blocks take turns, which never
// subtracts, until the residual is as small as asked.
func (g *gmres) alternate(ctx context.Context, y []float64, rounds int, enough float64) {
	for range rounds {
		g.balance(ctx, y)
		if ctx.Err() != nil {
			return
		}
		next := g.basis[0]
		floats.SubTo(g.basis[1], next, y)
		done := g.stiff.within(g.chain.hold, y, g.basis[1]) <= enough
		copy(y, next)
		if done {
			return
		}
	}
}

// exactly gives a residual r the sums over blocks that the flows between them
// and the source have: the sums of its terms are lost in the rounding of the
// flows within. A nil source is 0.
func (p *preconditioner) exactly(r, source []float64) {
	clear(p.sum)
	for i, v := range r {
		p.sum[p.of[i]] -= v
	}
	for i, v := range source {
		p.sum[p.of[i]] += v
	}
	p.blocks.net(p.sum)
	for i, y := range p.y {
		if m := p.mass[p.of[i]]; m > leastWeight {
			r[i] += y / m * p.sum[p.of[i]]
		}
	}
}

// within is the largest 1-norm of r within a block relative to that of y, by
// flow and by time.
func (p *preconditioner) within(hold, y, r []float64) (worst float64) {
	n := p.blocks.n
	flow, time := make([]float64, n), make([]float64, n)
	flows, times := make([]float64, n), make([]float64, n)
	for i, v := range r {
		j, v, h := p.of[i], math.Abs(v), hold[i]
		flow[j] += v
		time[j] += v * h
		flows[j] += y[i]
		times[j] += y[i] * h
	}
	for j, all := range flows {
		if all > leastWeight {
			worst = max(worst, flow[j]/all, time[j]/times[j])
		}
	}
	return worst
}

// normalise makes y a probability vector.
func normalise(y []float64) {
	sum := 0.0
	for i, v := range y {
		y[i] = max(0, v)
		sum += y[i]
	}
	floats.Scale(1/sum, y)
}

// guess is where a stiff chain starts from: the flow out of every state if jobs
// in each phase were Poisson in number, with the means of unlimited servers.
func (c *Chain) guess(y []float64) {
	x := c.index
	mean := c.begun()
	work := 0.0
	for _, k := range x.Kinds {
		for p := k.Lo; p < k.Hi; p++ {
			mean[p] /= x.Phases[p].Rate
			work += mean[p] * float64(k.Need)
		}
	}
	for p := range mean {
		mean[p] *= float64(x.Servers) / work
	}
	highest := math.Inf(-1)
	c.Describe(func(i int, counts []int32, free int) {
		y[i] = math.Log(x.Above(free) / c.hold[i])
		for p, n := range counts {
			factorial, _ := math.Lgamma(float64(n + 1))
			y[i] += float64(n)*math.Log(mean[p]) - factorial
		}
		highest = max(highest, y[i])
	})
	for i, log := range y {
		y[i] = math.Exp(log - highest)
	}
	normalise(y)
}
