package deferred

import (
	"context"
	"fmt"
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
	Bytes  float64 // of memory, about
}

// Size is that of the chain, found by counting; if it has to be cut, with at most so
// many jobs, estimated from the first levels. It fails with *TooLarge as soon as a
// level has more states than can be solved, and with the error of ctx.
func (q *Queue) Size(ctx context.Context, jobs int) (Size, error) {
	if b, ok := q.rule.(bounded); ok {
		all, err := q.levels(ctx, b.sees(), Options{}.defaults())
		if err != nil {
			return Size{}, err
		}
		n := len(all[len(all)-1].states)
		return Size{float64(n), denseBytes(n)}, nil
	}
	c := &cutChain{explorer: &explorer{Queue: q, limit: mostOfLevel}}
	if err := c.grow(ctx, min(jobs, firstCut(q))); err != nil {
		return Size{}, err
	}
	states := c.predict(jobs)
	return Size{states, states * bytesPerState}, nil
}

// mostOfLevel is the most states of a level of a chain that is cut.
const mostOfLevel = 200_000

// firstCut is the smallest cut that is tried.
func firstCut(q *Queue) int { return 16 + q.servers/q.least() }
