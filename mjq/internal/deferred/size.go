package deferred

import (
	"context"
	"fmt"
	"math"
)

// TooLarge is the error for a chain that would take too much memory.
type TooLarge struct {
	States, Bytes float64
	Why           string
}

// Error names the size and the way out.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("a chain of %.3g states and %.3g bytes: %s; simulate this queue, or take fewer classes, phases or servers", e.States, e.Bytes, e.Why)
}

func denseBytes(n int) float64 { return 80 * float64(n) * float64(n) }

// Size says how large a chain is.
type Size struct {
	States float64 // of a homogeneous level, or of the chain with at most so many jobs
	Levels int     // below the homogeneous ones
	Cut    int     // the most jobs of a chain that is cut; else 0
	Bytes  float64 // of memory, about
	Flops  float64 // operations, about
}

// Size is that of the chain, found by counting; if it has to be cut, estimated from the
// first levels: their number, and how fast their probabilities fall, where these levels have
// up to 20,000 states, some tenths of a second; else the cut is at so many jobs. It fails
// with *TooLarge as soon as a level has more states than can be solved, and with the error of
// ctx.
func (q *Queue) Size(ctx context.Context, jobs int) (Size, error) {
	if b, ok := q.rule.(bounded); ok {
		all, err := q.levels(ctx, b.sees(), Options{}.defaults())
		if err != nil {
			return Size{}, err
		}
		n := len(all[len(all)-1].states)
		return Size{States: float64(n), Levels: len(all) - 1, Bytes: denseBytes(n), Flops: 160 * math.Pow(float64(n), 3)}, nil
	}
	c, err := q.cutChain(Options{}.defaults().Bytes)
	if err != nil {
		return Size{}, err
	}
	if err := c.grow(ctx, firstCut(q)); err != nil {
		return Size{}, err
	}
	if q.lasting() < 1 && c.predict(firstCut(q)) <= mostForSize {
		m, err := c.solve(ctx)
		if err != nil {
			return Size{}, err
		}
		jobs = m.enough(Options{}.defaults().Tolerance)
	}
	jobs = max(jobs, firstCut(q))
	states := c.predict(jobs)
	return Size{States: states, Cut: jobs, Bytes: states * bytesPerState, Flops: states * sweeps}, nil
}

// sweeps is about how many operations a state takes: some thousand sweeps over some ten
// transitions, at cuts that grow. Of the needs 2 and 3 on five servers at load 0.9 it was
// 10⁵ to 10⁶ by the policy.
const sweeps = 300_000

// mostForSize is the most states of a chain that is solved to tell the size of a larger one.
const mostForSize = 20_000

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
	ways := make([]float64, p.servers+1)
	ways[0] = 1
	for _, k := range p.kinds {
		for range k.phases {
			for held := k.need; held <= p.servers; held++ {
				ways[held] += ways[held-k.need]
			}
		}
	}
	for _, w := range ways[more+1:] {
		sum += w
	}
	return sum
}

// mostOfLevel is the most states of a level of a chain that is cut.
const mostOfLevel = 200_000

// firstCut is the smallest cut that is tried.
func firstCut(q *Queue) int { return 16 + q.servers/q.least() }
