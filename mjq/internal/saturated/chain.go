// Package saturated solves the saturated system of a multiserver-job queue:
// the line never runs empty, so the servers always hold as many jobs as fit
// and the job at the head of the line (HOL) does not. Its throughput is the
// stability limit λ_c of the open queue (the saturation rule of Baccelli and
// Foss). Service laws are phase-type; a state is the multiset of phases in
// service, the HOL job being implied (package states).
package saturated

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Chain is the saturated system as a Markov chain that jumps at completions
// and phase changes, built and ready to be solved. It holds 8 bytes per state
// and phase, and 400 bytes per state while it is solved. It is not safe for concurrent use.
type Chain struct {
	index  *states.Index
	levels []level
	rises  []rise // by node and phase
	first  int    // number of nodes before the first state
	hold   []float64
	served []float64 // by state: jobs in service
	moving bool      // some phase leads to another
	x      []float64 // by state, scratch
	drawn  []float64 // by node, scratch
	blocks *blocks   // of a stiff chain, else nil
}

// level is the nodes of equal number of free servers. A node is a multiset of
// phases in service; it is a state if some class does not fit, else it is only
// passed through while jobs are drawn.
type level struct {
	free   int
	lo, hi int     // nodes
	above  float64 // Q(free)
	fit    int     // classes 0..fit-1 fit
	from   int     // a job of class from or later completing led here from a node that is no state if smaller
	scale  []float64
	next   []int
	again  float64 // probability that a drawn job fits and is over at once
}

// rise is what becomes of a node when a job enters phase k: the node above,
// and how many jobs it holds in that phase; node is -1 if the job does not fit.
type rise struct{ node, jobs int32 }

// States is the number of states.
func (c *Chain) States() int { return len(c.hold) }

// Pairs is the number of states if the class at the head of the line is named.
func (c *Chain) Pairs() int { return int(c.index.Pairs()) }

// NewChain builds the chain of a system; it takes about a second per million
// states and phase. It fails with *chain.TooLarge beyond limit states, and beyond
// states.MaxStates and statesMaxBytes in any case, before anything large is built.
func NewChain(ctx context.Context, p *states.Plan, limit float64) (*Chain, error) {
	x, err := states.NewIndex(p)
	if err != nil {
		return nil, err
	}
	if err := states.Fits(x.States(), float64(len(x.Phases)), limit); err != nil {
		return nil, err
	}
	c := &Chain{index: x}
	for _, ph := range x.Phases {
		c.moving = c.moving || len(ph.Moves) > 0
	}
	c.layLevels()
	c.layNodes(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.blocks = newBlocks(ctx, c, slowness)
	return c, ctx.Err()
}

// layLevels numbers the nodes by descending number of free servers. One
// completion frees at most the widest need, so no node has twice that free.
func (c *Chain) layLevels() {
	x := c.index
	wide := x.Widest()
	node := 0
	for free := min(x.Servers, 2*wide-1); free >= 0; free-- {
		l := level{free: free, lo: node, above: x.Above(free)}
		node += int(x.Count(x.Servers - free))
		l.hi = node
		l.scale, l.next = make([]float64, len(x.Kinds)), make([]int, len(x.Kinds))
		for j, k := range x.Kinds {
			if k.Need <= free {
				l.fit = j + 1
				l.again += k.Prob * k.Instant
			}
			if free-k.Need >= wide {
				l.from = j + 1
			} else if k.Need <= free {
				l.scale[j] = 1 / x.Above(free-k.Need)
			}
			// The head of the line was refused before class i completed, and a
			// job of class j was if its need exceeds free less that of class i.
			for l.next[j] < len(x.Kinds) && k.Need <= free-x.Kinds[l.next[j]].Need {
				l.next[j]++
			}
		}
		if free >= wide {
			c.first = node
		}
		c.levels = append(c.levels, l)
	}
}

// layNodes fills in the rises, the mean holding times and the numbers of jobs.
// A cancelled context is seen every few thousand nodes.
func (c *Chain) layNodes(ctx context.Context) {
	x := c.index
	nodes, phases := c.levels[len(c.levels)-1].hi, len(x.Phases)
	c.rises = make([]rise, 0, nodes*phases)
	c.drawn = make([]float64, nodes)
	c.hold, c.served = make([]float64, 0, nodes-c.first), make([]float64, 0, nodes-c.first)
	c.x = make([]float64, nodes-c.first)
	for i, l := range c.levels {
		used := x.Servers - l.free
		x.Each(used, func(counts []int32) bool {
			if len(c.rises)/phases%4096 == 0 && ctx.Err() != nil {
				return false
			}
			rate, jobs := 0.0, 0.0
			for k, n := range counts {
				rate += float64(n) * x.Phases[k].Rate
				jobs += float64(n)
				up := rise{-1, n + 1}
				if need := x.Needs[k]; need <= l.free {
					counts[k]++
					up.node = int32(c.levels[i+need].lo) + int32(x.Rank(counts, used+need))
					counts[k]--
				}
				c.rises = append(c.rises, up)
			}
			if l.free < x.Widest() {
				c.hold, c.served = append(c.hold, 1/rate), append(c.served, jobs)
			}
			return true
		})
	}
}

// jump sets out to the flow into every state when y is the flow out of it: y
// times the transition matrix of the jump chain. It costs one pass over the
// nodes. If the context ends before that, out is of no use.
func (c *Chain) jump(ctx context.Context, y, out []float64) {
	c.flow(ctx, y, out)
	c.changes(y, out)
}

// changes adds to out the flow of the phase changes that complete no job.
func (c *Chain) changes(y, out []float64) {
	if !c.moving {
		return
	}
	x := c.index
	phases, first := len(x.Phases), int32(c.first)
	for node, lo := 0, 0; lo < len(c.rises); node, lo = node+1, lo+phases {
		for k, up := range c.rises[lo : lo+phases] {
			for _, m := range x.Phases[k].Moves {
				if up.node >= first {
					from, to := up.node-first, c.rises[lo+m.To].node
					flow := y[from] * c.hold[from] * float64(up.jobs) * m.Rate
					out[to-first] += flow
					if c.blocks != nil {
						c.blocks.add(up.node, to, flow)
					}
				}
			}
		}
	}
}

// flow is jump without the phase changes.
func (c *Chain) flow(ctx context.Context, y, out []float64) {
	for i, v := range y {
		c.x[i] = v * c.hold[i]
	}
	clear(c.drawn)
	clear(out)
	if c.blocks != nil {
		clear(c.blocks.flow)
	}
	for i := range c.levels {
		if ctx.Err() != nil {
			return
		}
		c.pass(&c.levels[i], out)
	}
}

// pass does the nodes of one level, all less occupied ones being done: jobs
// complete into a node from the states above, the head of the line is looked
// at, and jobs are drawn.
func (c *Chain) pass(l *level, out []float64) {
	x := c.index
	phases, first := len(x.Phases), int32(c.first)
	// freed[j] is the flow of completions of classes j and above, each divided
	// by the probability of the refusal that went before.
	freed := make([]float64, l.fit+1)
	for node := l.lo; node < l.hi; node++ {
		rises := c.rises[node*phases : (node+1)*phases]
		for j := l.fit - 1; j >= l.from; j-- {
			k, flow := &x.Kinds[j], 0.0
			for p := k.Lo; p < k.Hi; p++ {
				ph := &x.Phases[p]
				done := c.x[rises[p].node-first] * float64(rises[p].jobs) * ph.Exit
				flow += done
				if c.blocks != nil {
					c.blocks.add(rises[p].node, int32(node), done)
				}
			}
			freed[j] = freed[j+1] + flow*l.scale[j]
		}
		for j := l.from - 1; j >= 0; j-- {
			freed[j] = freed[j+1]
		}
		drawing := c.drawn[node]
		if l.again > 0 {
			for j, k := range x.Kinds[:l.fit] {
				drawing += k.Prob * k.Instant * freed[min(l.next[j], l.fit)]
			}
			drawing /= 1 - l.again
		}
		if node >= c.first {
			out[node-c.first] += l.above * (drawing + freed[0])
		}
		for j := range l.fit {
			k := &x.Kinds[j]
			flow := k.Prob * (drawing + freed[min(l.next[j], l.fit)])
			for p := k.Lo; p < k.Hi; p++ {
				if start := x.Phases[p].Start; start > 0 {
					c.drawn[rises[p].node] += start * flow
					if c.blocks != nil {
						c.blocks.add(int32(node), rises[p].node, start*flow)
					}
				}
			}
		}
	}
}
