package saturated

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// By what factor the rate of a slow phase is below that of a usual one: less is
// left to the iteration, which mostly needs a few hundred passes then, and where
// it stalls the second is tried.
const (
	slowness = 100
	slightly = 3
)

// Bounds on the matrix of the flows between blocks: its numbers, and the
// additions of its elimination for each node and phase.
const (
	maxBand = 1 << 23
	maxWork = 500
)

// Blocks of so little flow out of them are left out, of all flow being 1, and
// those of somewhat more, which border on them, do not count in the residual.
const (
	leastFlow   = 1e-290
	leastWeight = 1e-250
)

// blocks divides the nodes by how many jobs are in each slow phase. Where such
// phases are rarely begun the chain is nearly completely decomposable: it comes
// to rest within a block long before it leaves it. The iteration alone then
// needs as many passes as there are jumps to a change of block, and a residual
// says little, since the flow between blocks drowns in that within them.
//
// So the flows between blocks are kept apart, where no rounding of the larger
// ones touches them, and the weights of the blocks found from them by
// elimination (aggregation and disaggregation).
//
// Source: Koury, McAllister and Stewart, Iterative methods for computing
// stationary distributions of nearly completely decomposable Markov chains,
// SIAM Journal on Algebraic and Discrete Methods 5 (1984).
type blocks struct {
	of    []int32 // by node
	n     int
	pivot int       // eliminated last
	band  int       // no flow leads further
	flow  []float64 // n rows of 2 band + 1, around the diagonal
	lu    []float64 // flow eliminated from the last block on
	out   []float64 // what leaves a block for earlier ones in lu
}

// newBlocks finds the blocks, as many as the bounds allow; nil if no phase is
// slow.
func newBlocks(ctx context.Context, c *Chain, slower float64) *blocks {
	slow := c.slowPhases(slower)
	for ; len(slow) > 0 && ctx.Err() == nil; slow = slow[1:] {
		if b := c.divide(ctx, slow); b != nil {
			return b
		}
	}
	return nil
}

// begun is how often each phase is begun for a job that starts, about: moves
// that come back to a phase are followed as often as there are phases.
func (c *Chain) begun() []float64 {
	x := c.index
	n := make([]float64, len(x.Phases))
	for range x.Phases {
		next := make([]float64, len(n))
		for _, k := range x.Kinds {
			for p := k.Lo; p < k.Hi; p++ {
				ph := &x.Phases[p]
				next[p] += k.Prob * ph.Start
				for _, m := range ph.Moves {
					next[m.To] += n[p] * m.Rate / ph.Rate
				}
			}
		}
		n = next
	}
	return n
}

// slowPhases is the phases slower than the usual one by more than a factor,
// fastest first. The usual
// rate is the median over phases begun.
func (c *Chain) slowPhases(slower float64) []int {
	x := c.index
	begun := c.begun()
	order := make([]int, len(begun))
	for p := range order {
		order[p] = p
	}
	slices.SortStableFunc(order, func(p, q int) int { return cmp.Compare(x.Phases[q].Rate, x.Phases[p].Rate) })
	half := floats.Sum(begun) / 2
	usual, sum := 0.0, 0.0
	for _, p := range order {
		if sum += begun[p]; sum >= half {
			usual = x.Phases[p].Rate
			break
		}
	}
	first := slices.IndexFunc(order, func(p int) bool { return x.Phases[p].Rate*slower < usual })
	if first < 0 {
		return nil
	}
	return order[first:]
}

// divide numbers the blocks in the order of their numbers of jobs, so that the
// flows lie near the diagonal; nil if there are too many.
func (c *Chain) divide(ctx context.Context, slow []int) *blocks {
	x := c.index
	slow = slices.Sorted(slices.Values(slow))
	b := &blocks{of: make([]int32, 0, len(c.drawn))}
	met := map[string]int32{}
	var keys []string
	key := make([]byte, 4*len(slow))
	for _, l := range c.levels {
		x.Each(x.Servers-l.free, func(counts []int32) bool {
			if len(b.of)%4096 == 0 && ctx.Err() != nil {
				return false
			}
			for i, p := range slow {
				binary.BigEndian.PutUint32(key[4*i:], uint32(counts[p]))
			}
			at, ok := met[string(key)]
			if !ok {
				at = int32(len(keys))
				keys = append(keys, string(key))
				met[string(key)] = at
			}
			b.of = append(b.of, at)
			return true
		})
	}
	if ctx.Err() != nil {
		return nil
	}
	b.n = len(keys)
	place := make([]int32, b.n)
	for i, k := range slices.Sorted(slices.Values(keys)) {
		place[met[k]] = int32(i)
	}
	for node, at := range b.of {
		b.of[node] = place[at]
	}
	b.band = c.reach(b)
	if wide := float64(2*b.band + 1); float64(b.n)*wide > maxBand || float64(b.n)*wide*wide/2 > maxWork*float64(len(c.rises)) {
		return nil
	}
	b.flow, b.lu = make([]float64, b.n*(2*b.band+1)), make([]float64, b.n*(2*b.band+1))
	b.out = make([]float64, b.n)
	return b
}

// reach is how far apart in number blocks are that a flow connects.
func (c *Chain) reach(b *blocks) (band int) {
	phases := len(c.index.Phases)
	for lo := 0; lo < len(c.rises); lo += phases {
		for k, up := range c.rises[lo : lo+phases] {
			if up.node < 0 {
				continue
			}
			at := int(b.of[up.node])
			band = max(band, at-int(b.of[lo/phases]), int(b.of[lo/phases])-at)
			for _, m := range c.index.Phases[k].Moves {
				to := int(b.of[c.rises[lo+m.To].node])
				band = max(band, at-to, to-at)
			}
		}
	}
	return band
}

// add notes a flow from one node to another.
func (b *blocks) add(from, to int32, flow float64) {
	if i, j := int(b.of[from]), int(b.of[to]); i != j {
		b.flow[i*(2*b.band+1)+j-i+b.band] += flow
	}
}

// imbalance is the largest difference of the flow into a block and out of it,
// relative to these flows.
func (b *blocks) imbalance() (worst float64) {
	in, out := make([]float64, b.n), make([]float64, b.n)
	for i := range b.n {
		for j := max(0, i-b.band); j < min(b.n, i+b.band+1); j++ {
			f := b.flow[i*(2*b.band+1)+j-i+b.band]
			out[i] += f
			in[j] += f
		}
	}
	for i := range b.n {
		if in[i]+out[i] > leastWeight {
			worst = max(worst, math.Abs(in[i]-out[i])/(in[i]+out[i]))
		}
	}
	return worst
}

// order calls visit with every block but the pivot, those behind it from the
// last on and then those before it from the first on, and with the range of
// the blocks in reach that are left then.
func (b *blocks) order(visit func(k, lo, hi int)) {
	for k := b.n - 1; k > b.pivot; k-- {
		visit(k, max(0, k-b.band), k)
	}
	for k := range b.pivot {
		visit(k, k+1, min(b.pivot, k+b.band)+1)
	}
}

// row is the flows of lu from block k to blocks lo to hi-1.
func (b *blocks) row(k, lo, hi int) []float64 {
	at := k*(2*b.band+1) - k + b.band
	return b.lu[at+lo : at+hi]
}

// eliminate factors the flows without a subtraction (Grassmann, Taksar and
// Heyman), the pivot being the last block. It should be a heavy one.
func (b *blocks) eliminate(ctx context.Context, pivot int) {
	b.pivot = pivot
	copy(b.lu, b.flow)
	b.order(func(k, lo, hi int) {
		row := b.row(k, lo, hi)
		b.out[k] = floats.Sum(row)
		if b.out[k] < leastFlow {
			b.out[k] = 0 // as good as never visited: what flows there comes straight back
		}
		if b.out[k] == 0 || ctx.Err() != nil {
			return
		}
		for i := lo; i < hi; i++ {
			if into := b.row(i, k, k+1)[0] / b.out[k]; into > 0 {
				floats.AddScaled(b.row(i, lo, hi), into, row)
			}
		}
	})
}

// solve is x with x_i Σ_j flow_ij - Σ_j x_j flow_ji = rhs_i, where rhs sums to
// 0 and x is given for the pivot. rhs is overwritten by x.
func (b *blocks) solve(given float64, rhs []float64) {
	var done []eliminated
	b.order(func(k, lo, hi int) {
		done = append(done, eliminated{k, lo, hi})
		if b.out[k] > 0 {
			floats.AddScaled(rhs[lo:hi], rhs[k]/b.out[k], b.row(k, lo, hi))
		}
	})
	rhs[b.pivot] = given
	for _, e := range slices.Backward(done) {
		if b.out[e.block] == 0 {
			rhs[e.block] = 0
			continue
		}
		for i := e.lo; i < e.hi; i++ {
			rhs[e.block] += rhs[i] * b.row(i, e.block, e.block+1)[0]
		}
		rhs[e.block] /= b.out[e.block]
	}
}

// eliminated is a block and the range of those left when it went.
type eliminated struct{ block, lo, hi int }

// net adds to sum what flows into each block less what flows out of it.
func (b *blocks) net(sum []float64) {
	for i := range b.n {
		for j := max(0, i-b.band); j < min(b.n, i+b.band+1); j++ {
			f := b.flow[i*(2*b.band+1)+j-i+b.band]
			sum[i] -= f
			sum[j] += f
		}
	}
}
