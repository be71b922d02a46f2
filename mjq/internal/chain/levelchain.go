package chain

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// LevelChain is a quasi-birth-and-death process, as what it does to row vectors over the
// states of a level. Levels from Last on are alike: n is never above it. The methods that
// move flow add it to out.
type LevelChain interface {
	Last() int
	States(n int) int
	// Up and Down are the flow from level n into the one above and the one below. Those
	// of Last lead to levels of as many states; Under leads from it to the level that is
	// really below.
	Up(n int, x, out []float64)
	Down(n int, x, out []float64)
	Under(x, out []float64)
	// Inside is the flow between the states of level n, less what leaves them.
	Inside(n int, x, out []float64)
	// Stay makes x what an inflow keeps up in level n: x times (rates of leaving, less
	// those inside) is in, which it may spoil.
	Stay(n int, in, x []float64)
	// Group puts the states of level n into a few groups, numbered from 0 to Groups() - 1:
	// by what changes slowly. It may be one.
	Group(n int) []int
	Groups() int
	// Climb and Fall are the rates up and down by state.
	Climb(n int) []float64
	Fall(n int) []float64
}

// LevelOptions are what Solve is asked for.
type LevelOptions struct {
	// Tolerance is the relative error of the mean level to aim at, by the bound.
	Tolerance float64
	// Span is the number of levels by which two states of one level differ in the long
	// run, about; the bound is proportional to it.
	Span float64
	// LevelBytes is the most memory to take.
	Bytes float64
	// Report, if not nil, is told what part is done, about.
	Report func(part float64)
}

// tooLarge is the error for a chain whose tail needs more levels than memory allows.
func tooLarge(bytes, most, left float64) error {
	return Large(0, bytes, "levels for %.3g MB are needed and %.3g MB are allowed; with fewer the error would be %.2g", bytes/1e6, most/1e6, left)
}

// ErrSlow is returned when sweeps get no nearer to the law.
var ErrSlow = errors.New("the iteration over the levels does not converge: time scales or loads are too far apart")

// Unstable is the error for a chain that drifts up.
type Unstable struct{ Load float64 }

func (e *Unstable) Error() string {
	return fmt.Sprintf("the levels drift up: load %.6g", e.Load)
}

// LevelBytesPerState is what each state of each level takes: the law, and what the
// acceleration keeps.
const LevelBytesPerState = 80

const (
	firstTail = 40   // levels alike to begin with
	between   = 16   // sweeps from one look at the error to the next
	patience  = 40   // looks without progress before it gives up
	accepted  = 1e-6 // error with which it is content then
)

// LevelBytes is the memory for so many levels alike besides those below.
func LevelBytes(c LevelChain, alike float64) float64 {
	states := alike * float64(c.States(c.Last()))
	for n := range c.Last() {
		states += float64(c.States(n))
	}
	return LevelBytesPerState * states
}

// SolveLevels finds the stationary law of quasi-birth-and-death processes whose
// levels have too many states for matrices: row vectors are only ever moved from one
// level to the next. Levels below a given one may all differ; from there on they are
// alike, and above a level that is found to be high enough the law goes on as the chain
// does when it is seen in the directions of the last levels only (leveltail.go).
//
// A sweep by Gauss and Seidel goes from the highest level down and solves each given its
// neighbours; after it the levels are scaled so that the flows between any two balance,
// which gives their masses exactly if the laws inside them are right (iterative
// aggregation and disaggregation: Takahashi 1975; Koury, McAllister and Stewart, SIAM J.
// Alg. Disc. Meth. 5, 1984). Now and then the same is done for groups of states inside
// the levels. The errors that sweeps wear down slowly are left to Anderson's acceleration
// (Walker and Ni, SIAM J. Numer. Anal. 49, 2011).
//
// It fails with *Unstable, *TooLarge, ErrSlow, and the cause of the
// end of ctx. A sweep costs one Up, Down and Stay of every level; some hundred are
// needed.
func SolveLevels(ctx context.Context, c LevelChain, o LevelOptions) (*LevelLaw, error) {
	t := newIteration(ctx, c)
	if b := LevelBytes(c, firstTail); b > o.Bytes {
		return nil, tooLarge(b, o.Bytes, 1)
	}
	if err := t.begin(); err != nil {
		return nil, err
	}
	l := &LevelLaw{Error: math.Inf(1)}
	best, since := math.Inf(1), 0
	before := math.Inf(1) // the tail's part when levels were last added
	for first := 0.0; ; {
		if l.Sweeps += between; !t.round(between) {
			return nil, context.Cause(ctx)
		}
		t.follow()
		mean, inner, tail := t.errors(o.Span)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		l.Mean, l.Error, l.Tail = mean, inner+tail, tail
		first = max(first, l.Error)
		if o.Report != nil && !math.IsInf(first, 1) {
			o.Report(min(0.99, max(0, math.Log(first/l.Error)/math.Log(first/o.Tolerance))))
		}
		switch {
		case l.Error <= o.Tolerance:
			return t.law(l), nil
		case tail > o.Tolerance/2 && inner < tail/20:
			if t.order > 1 && tail > before/2 {
				t.order /= 2 // more levels did not help: the directions are noise
				break
			}
			before = tail
			top := t.top + (t.top-c.Last())/2
			if b := LevelBytes(c, float64(top-c.Last())); b > o.Bytes {
				return nil, tooLarge(b, o.Bytes, l.Error)
			}
			t.reach(top)
			best, since = math.Inf(1), 0
		case l.Error < 0.9*best:
			best, since = l.Error, 0
		default:
			if since++; since > patience {
				if l.Error < accepted {
					return t.law(l), nil
				}
				return nil, ErrSlow
			}
		}
	}
}

// law is the result.
func (t *iteration) law(l *LevelLaw) *LevelLaw {
	beyond, _ := t.beyond()
	scale(t.x, 1/(total(t.x)+total(beyond)))
	l.Levels, l.tail, l.Decay = t.at, t.tail, spectral(t.tail.r)
	return l
}
