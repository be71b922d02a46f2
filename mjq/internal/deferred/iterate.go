package deferred

import (
	"context"
	"math"
)

// chain is a finite Markov chain in levels, between which it moves by single steps, for
// iteration by Gauss and Seidel: the transitions into each state.
type chain struct {
	start []int32 // of the transitions into a state in from and rate
	from  []int32
	rate  []float64
	out   []float64 // total rate of leaving a state
	pi    []float64
	level []int32
}

// newChain lays levels out in a row.
func newChain(all []*level, pi []float64) *chain {
	n := len(pi)
	c := &chain{start: make([]int32, n+1), out: make([]float64, n), pi: pi}
	each(all, func(_, to int, _ float64) { c.start[to+1]++ })
	for i := range n {
		c.start[i+1] += c.start[i]
	}
	for n, l := range all {
		for range l.states {
			c.level = append(c.level, int32(n))
		}
	}
	c.from, c.rate = make([]int32, c.start[n]), make([]float64, c.start[n])
	next := append([]int32(nil), c.start[:n]...)
	each(all, func(from, to int, rate float64) {
		c.from[next[to]], c.rate[next[to]] = int32(from), rate
		next[to]++
		c.out[from] += rate
	})
	return c
}

// each visits the transitions between different states.
func each(all []*level, visit func(from, to int, rate float64)) {
	here, below := 0, 0
	for _, l := range all {
		above := here + len(l.states)
		for _, a := range l.down {
			visit(here+a.from, below+a.to, a.rate)
		}
		for _, a := range l.local {
			if a.from != a.to {
				visit(here+a.from, here+a.to, a.rate)
			}
		}
		for _, a := range l.up {
			visit(here+a.from, above+a.to, a.rate)
		}
		below, here = here, above
	}
}

// in is the flow into a state.
func (c *chain) in(i int) (sum float64) {
	for e := c.start[i]; e < c.start[i+1]; e++ {
		sum += c.pi[c.from[e]] * c.rate[e]
	}
	return sum
}

// nothing is what a probability counts as below: far below what any mean can show, and
// above what processors multiply slowly.
const nothing = 1e-150

// sweep balances one state after the other, upward and then downward. It fails with the error
// of ctx, and leaves states as they were then.
func (c *chain) sweep(ctx context.Context) error {
	n := len(c.pi)
	for k := range 2 * n {
		if k%heard == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c.balance(min(k, 2*n-1-k))
	}
	return nil
}

// heard is after how many states the end of a context is looked for.
const heard = 4096

func (c *chain) balance(i int) {
	c.pi[i] = c.in(i) / c.out[i]
	if c.pi[i] < nothing {
		c.pi[i] = 0
	}
}

// aggregate gives the levels the probabilities that they would have if those inside the
// levels were right: up and down between two levels the flows are equal (iterative
// aggregation and disaggregation: Takahashi 1975; Koury, McAllister and Stewart, SIAM
// J. Alg. Disc. Meth. 5, 1984).
func (c *chain) aggregate() {
	levels := int(c.level[len(c.level)-1]) + 1
	up, down := make([]float64, levels), make([]float64, levels)
	for i, l := range c.level {
		for e := c.start[i]; e < c.start[i+1]; e++ {
			from := c.level[c.from[e]]
			flow := c.pi[c.from[e]] * c.rate[e]
			switch {
			case from < l:
				up[from] += flow
			case from > l:
				down[from] += flow
			}
		}
	}
	factor := make([]float64, levels)
	factor[0] = 1
	for l := 1; l < levels; l++ {
		factor[l] = factor[l-1]
		if down[l] > 0 && up[l-1] > 0 { // else nothing is left there to be told by 64 bits
			factor[l] *= up[l-1] / down[l]
		}
	}
	for i, l := range c.level {
		c.pi[i] *= factor[l]
	}
	c.normalise()
}

func (c *chain) normalise() {
	total := 0.0
	for _, p := range c.pi {
		total += p
	}
	for i := range c.pi {
		c.pi[i] /= total
	}
}

// residual is the sum of the imbalances over that of the flows.
func (c *chain) residual() float64 {
	sum, scale := 0.0, 0.0
	for i, p := range c.pi {
		sum += math.Abs(c.in(i) - p*c.out[i])
		scale += p * c.out[i]
	}
	return sum / scale
}

const (
	balanced   = 1e-15   // residual at which the iteration has ended
	mostSweeps = 100_000 // before it gives up
)

// coarse is the residual below which the iteration ends as soon as it gets slow.
const coarse = 1e-12

// solve iterates until nothing is left to balance, or nothing gets better, for which it has
// more patience above a residual that is good enough, or for the most sweeps; the residual
// that it returns is part of the error of all means. An aggregation far from the solution
// may do harm, and is then taken back. A sweep costs some 10 ns per transition.
func (c *chain) solve(ctx context.Context, good float64, most int) (residual float64, err error) {
	best, since := math.Inf(1), 0
	before := make([]float64, len(c.pi))
	for range 5 {
		if err := c.sweep(ctx); err != nil {
			return best, err
		}
	}
	for range most {
		if err := c.sweep(ctx); err != nil {
			return best, err
		}
		c.normalise()
		r := c.residual()
		copy(before, c.pi)
		c.aggregate()
		if now := c.residual(); now < 3*r {
			r = now
		} else {
			copy(c.pi, before)
		}
		if r < 0.9*best {
			best, since = r, 0
		} else if since++; since > 40 && best < good || since > 800 {
			break
		}
		if best < balanced {
			break
		}
	}
	return best, nil
}
