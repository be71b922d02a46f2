package policychain

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// large is the error for a chain that would take too much memory: its size, why, and the way
// out.
func large(states, bytes float64, why string, args ...any) error {
	return chain.Large(states, bytes, "a chain of %.3g states and %.2g MB: %s", states, bytes/1e6, fmt.Sprintf(why, args...)).
		Out("use mjq.Simulation{}, raise MaxBytes, or take fewer classes, phases or servers")
}

func denseBytes(n int) float64 { return 80 * float64(n) * float64(n) }

// Size is that of the chain, found by counting; if it has to be cut, estimated from its
// first levels: their number, and how fast their probabilities fall, once that does not
// change any more with their number. Where these levels have more than 20,000 states, or more
// sweeps than some tenths of a second allow do not tell, the cut is at so many jobs at least.
// It fails with *chain.TooLarge as soon as a level has more states than can be solved, and with the
// error of ctx.
func (q *Queue) Size(ctx context.Context, jobs int) (chain.Size, error) {
	o := Options{}.defaults()
	if b, ok := q.rule.(bounded); ok && !q.leaving {
		x, err := q.levels(ctx, b.sees(), o, o.Bytes)
		if err != nil {
			return chain.Size{}, err
		}
		n := len(x.ByLayer().Layer(x.most))
		return chain.Size{States: float64(n), Levels: x.most, Bytes: denseBytes(n), Flops: 160 * math.Pow(float64(n), 3)}, nil
	}
	c, err := q.cutChain(o.Bytes)
	if err != nil {
		return chain.Size{}, err
	}
	if err := c.grow(ctx, firstCut(q)); err != nil {
		return chain.Size{}, err
	}
	if q.lasting() < 1 {
		if jobs, err = c.cutFor(ctx, jobs, o.Tolerance); err != nil {
			return chain.Size{}, err
		}
	}
	jobs = max(jobs, firstCut(q))
	states, arrows := c.extend(jobs)
	return chain.Size{States: states, Cut: jobs, Bytes: c.foreseen(jobs), Flops: (10*states + arrows) * sweeps}, nil
}

// cutFor is about the cut that a tolerance takes. First levels fall too fast where rare jobs
// make the queue long, so that they are doubled until two estimates agree; if too many are
// needed for that it is so many jobs at least.
func (c *cutChain) cutFor(ctx context.Context, jobs int, tolerance float64) (int, error) {
	last := 0
	for cut := firstCut(c.Queue); c.predict(cut) <= mostForSize; cut *= 2 {
		if err := c.grow(ctx, cut); err != nil {
			return 0, err
		}
		states, moves := c.Graph.Size()
		m, err := c.swept(ctx, 1+int(mostSweptForSize/float64(states+moves)))
		if err != nil {
			return 0, err
		}
		here := m.enough(tolerance)
		switch {
		case m.Residual > roughly || last == 0:
		case here == cut: // which is more than enough
			return last, nil
		case here < last+last/4:
			return here, nil
		}
		last = here
	}
	return max(jobs, last), nil
}

// sweeps is about how many operations a transition takes: some thousand sweeps, at cuts that
// grow. A state counts as ten. Of the needs 2 and 3 on five servers at load 0.9 a state took
// 10⁵ to 10⁶ by the policy.
const sweeps = 15_000

// mostForSize is the most states of a chain that is solved to tell the size of a larger one.
const mostForSize = 20_000

// mostSweptForSize is the most transitions and states that one of its solutions visits by
// sweeps, and roughly the residual at which that tells how levels fall.
const mostSweptForSize, roughly = 1e7, 1e-6

// sets is how many sets of phases in service hold more servers than a number: fewer than
// the chain has states; for a million servers and more, fewer still. Cost: the phases of all
// services times the servers.
func (p *plan) sets(more int) (sum float64) {
	if p.servers > 1_000_000 {
		if more < 0 {
			return float64(p.servers/p.least() + 1)
		}
		return float64(p.servers/p.least() - more/p.least())
	}
	var needs []int
	for _, k := range p.kinds {
		needs = append(needs, slices.Repeat([]int{k.need}, len(k.phases))...)
	}
	for _, w := range chain.Ways(p.servers, needs...)[more+1:] {
		sum += w
	}
	return sum
}

// mostOfLevel is the most states of a level of a chain that is cut.
const mostOfLevel = 200_000

// firstCut is the smallest cut that is tried.
func firstCut(q *Queue) int { return 16 + q.servers/q.least() }
