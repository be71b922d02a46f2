package sampler

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// The search for an exact bound gives up beyond a number of operations for a look
// at one block size, or where rounding could matter.
const (
	boundWork  = 3e8
	boundGuard = 1e-10 // by how much a job of a block must pass
)

// ExactMajorant is the bound of Certified by calculation instead of simulation,
// for phase-type services and chains that are not too large: blocks of K jobs
// and θ with E exp(θ H_K) E exp(-θτ)^K ≤ 1, chosen to make samples cheap. ok is
// false where it does not apply or finds none.
func ExactMajorant(ctx context.Context, m *problem.Problem, eps, load float64) (*sampling.Majorant, bool) {
	blocks, ok := blocks(m)
	if !ok {
		return nil, false
	}
	b := blockBound{ctx, m, blocks}
	best, cost, since := sampling.Majorant{}, math.Inf(1), 0
	for size := 32; float64(size)*float64(blocks.Work()) < boundWork && since < 3; size *= 2 {
		theta := b.largest(size)
		if ctx.Err() != nil {
			return nil, false
		}
		if theta == 0 {
			continue
		}
		// Time for the upper chain to come down from where it starts.
		c := -math.Log(eps)/theta + float64(size)/m.Rate()*load
		if since++; c < cost {
			best, cost, since = sampling.Majorant{Theta: theta, Block: size}, c, 0
		}
	}
	return &best, best.Theta > 0
}

// blocks are the blocks of jobs of the upper queue; ok is false where they cannot be
// calculated.
func blocks(m *problem.Problem) (*open.Blocks, bool) {
	s, err := states.Of(m.Compiled())
	if err != nil {
		return nil, false
	}
	x, err := states.NewIndex(s.Compile())
	if err != nil {
		return nil, false
	}
	return open.NewBlocks(x, m.Servers)
}

// MajorantWork is about how many operations ExactMajorant takes for a queue that forgets
// in so many jobs: some thirty looks at blocks of each size, whose sum grows as the power
// 0.6 of that (measured on the queues of BenchmarkPlanner); ok is false where it does not
// apply.
func MajorantWork(m *problem.Problem, forget float64) (operations float64, ok bool) {
	blocks, ok := blocks(m)
	if !ok {
		return 0, false
	}
	each := float64(blocks.Work())
	return 30 * min(40*math.Pow(forget, 0.6)*each, 2*boundWork), 32*each < boundWork
}

// blockBound looks for θ.
type blockBound struct {
	ctx    context.Context
	m      *problem.Problem
	blocks *open.Blocks
}

// log is log E exp(θ (H_K - T_K)).
func (b *blockBound) log(theta float64, size int) float64 {
	logGap, _, ok := gapBound(b.m, theta)
	if !ok {
		return math.Inf(1)
	}
	return b.blocks.LogMoment(b.ctx, theta, size) + float64(size)*logGap
}

// largest is a θ within a thousandth of the largest for which blocks of that
// size pass; 0 if there is none. The logarithm is convex in θ and 0 at 0, so
// that those which pass are an interval from 0.
func (b *blockBound) largest(size int) float64 {
	passes := func(theta float64) bool { return b.log(theta, size) <= -boundGuard*float64(size) }
	hi := 1 / b.m.MeanService()
	for !passes(hi) {
		if hi /= 2; hi < 1e-7/b.m.MeanService() || b.ctx.Err() != nil {
			return 0
		}
	}
	lo := hi
	for hi *= 2; passes(hi); hi *= 2 {
		lo = hi
	}
	for hi/lo > 1.001 && b.ctx.Err() == nil {
		if mid := math.Sqrt(lo * hi); passes(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
