package policychain

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/mam"
)

// cutChain is a chain cut at a number of jobs, beyond which arrivals are lost.
type cutChain struct {
	*explorer
	pi      []float64     // by state
	balance *chain.Sweeps // its equations
}

// byCuts solves the chain of a rule that looks at all jobs, at cuts that grow until the
// means no longer move.
func (q *Queue) byCuts(ctx context.Context, o Options) (*Measures, error) {
	if load := q.lasting(); load >= 1 && !q.vain() {
		return nil, &mam.Unstable{Drift: q.rate * (1 - 1/load), Load: load}
	}
	c, err := q.cutChain(o.Bytes)
	if err != nil {
		return nil, err
	}
	var last *Measures
	stalls := 0
	for cut := firstCut(q); ; {
		if err := c.fits(cut, last, o); err != nil {
			return nil, err
		}
		if err := c.grow(ctx, cut); err != nil {
			return nil, err
		}
		m, err := c.solve(ctx)
		if err != nil {
			return nil, err
		}
		if left := stalled(m); left <= o.Tolerance {
			stalls = 0
		} else if stalls++; stalls == mostStalls {
			return nil, &Slow{States: m.States, Residual: m.Residual, Left: left, Tolerance: o.Tolerance}
		}
		if last != nil {
			m.Error = q.bound(last, m)
			if m.Error <= o.Tolerance {
				if q.leaving || q.vain() { // no Lyapunov function is looked for
					return m, nil
				}
				return c.certify(ctx, m, o)
			}
		}
		next, enough := cut+cut/2, m.enough(o.Tolerance)
		if far := min(3*cut, enough); far > cut && c.foreseen(far) <= o.Bytes {
			next = max(far, cut+cut/8)
		}
		if last != nil && c.foreseen(enough) > sureOf*o.Bytes {
			next = enough
		}
		last, cut = m, next
	}
}

// mostStalls is at how many cuts in a row the iteration may stall. A larger one may help.
const mostStalls = 3

// Slow is the error for equations whose iteration gets no nearer to the solution.
type Slow struct {
	States          int
	Residual        float64
	Left, Tolerance float64 // what the means may be off, and what they were to be off at most
}

// Error says how near it came.
func (e *Slow) Error() string {
	return fmt.Sprintf("the equations of %d states stall at a relative residual of %.2g, so that means are known to %.2g and wanted to %.2g: rates lie too far apart; use mjq.Simulation{}", e.States, e.Residual, e.Left, e.Tolerance)
}

// stalled is by how much means may be off since their equations are not solved better.
func stalled(m *Measures) float64 { return 10 * m.Residual * max(1, m.JobsSquare) }

// sureOf is how many times what is allowed a chain that is foreseen has to take to be refused
// before it is tried.
const sureOf = 2

// enough is about the cut at which bound is below a tolerance if the levels go on to fall
// as they do.
func (m *Measures) enough(tolerance float64) int {
	if !(m.Decay < 1) {
		return 3 * m.Cut
	}
	n := float64(m.Cut)
	for range 3 { // of the fixed point
		n = max(n, float64(m.Cut)+math.Log(10*m.Levels[m.Cut]*n*n/((1-m.Decay)*tolerance))/-math.Log(m.Decay))
	}
	return int(check.Whole(n, 0, 1e9))
}

// cutChain is the chain without states, unless it is sure to have too many.
func (q *Queue) cutChain(bytes float64) (*cutChain, error) {
	if n := q.sets(-1); n*bytesPerState > bytes {
		return nil, large(n, n*bytesPerState, "so many sets of jobs and phases can be in service, and more states there are")
	}
	counts, jobs := 1.0, firstCut(q)
	for k := range q.kinds { // binomial
		counts *= float64(jobs+k+1) / float64(k+1)
	}
	if counts*bytesPerState > bytes {
		return nil, large(counts, counts*bytesPerState, "so many counts of %d needs make up to %d jobs, which is too few to begin with", len(q.kinds), jobs)
	}
	return &cutChain{explorer: &explorer{Queue: q, limit: mostOfLevel, bytes: bytes}}, nil
}

// fits refuses a cut whose chain would take too much memory.
func (c *cutChain) fits(cut int, last *Measures, o Options) error {
	bytes := c.foreseen(cut)
	if bytes <= o.Bytes {
		return nil
	}
	why := fmt.Sprintf("%.2g MB are allowed", o.Bytes/1e6)
	if last != nil {
		why = fmt.Sprintf("with at most %d jobs the chain is cut at a probability of %.2g, the means are known to %.2g and wanted to %.2g: the queue is too close to its limit or beyond it, or has too rare classes", last.Cut, last.Levels[last.Cut], last.Error, o.Tolerance)
	}
	return large(c.predict(cut), bytes, "%s", why)
}

// predict is the number of states up to a cut, from those of the levels found so far:
// level n has in the end about as many as a constant times n to the number of kinds
// less one.
func (c *cutChain) predict(cut int) float64 {
	states, _ := c.extend(cut)
	return states
}

// foreseen is the memory of the chain up to a cut, about.
func (c *cutChain) foreseen(cut int) float64 {
	states, arrows := c.extend(cut)
	return bytesPerState*states + bytesPerArrow*arrows
}

// extend is the number of states and of transitions up to a cut. Those of a state grow with
// its jobs as they do between half of the levels and all of them, or in proportion if that is
// less.
func (c *cutChain) extend(cut int) (states, arrows float64) {
	found, moves := 0, 0
	if c.Graph != nil {
		found, moves = c.Graph.Size()
	}
	n := c.most
	if n < 1 { // nothing to go by yet
		return float64(found), float64(moves)
	}
	kinds := float64(len(c.kinds) - 1)
	top, each := c.level(n)
	_, half := c.level(n / 2)
	more := max(0, min(1, math.Log2(each/half)))
	sum := func(power float64) float64 { // of (m/n)^power for the levels m from n+1 on
		far := max(1, float64(cut)/float64(n))
		return float64(n)/(power+1)*(math.Pow(far, power+1)-1) + (math.Pow(far, power)-1)/2
	}
	return float64(found) + top*sum(kinds), float64(moves) + top*each*sum(kinds+more)
}

// load is the work that arrives for each server.
func (q *Queue) load() float64 { return q.work(func(*kind) bool { return true }) }

// lasting is that of the jobs that never give up: with 1 or more the queue is not stable.
func (q *Queue) lasting() float64 { return q.work(func(k *kind) bool { return k.leave == 0 }) }

// work is that of some kinds.
func (q *Queue) work(of func(k *kind) bool) float64 {
	sum := 0.0
	for _, c := range q.classes {
		if c.prob > 0 && of(&q.kinds[c.kind]) {
			sum += c.prob * c.mean * float64(q.kinds[c.kind].need)
		}
	}
	return q.rate * sum / float64(q.servers)
}

// solve finds the stationary law of the chain as it is, beginning with that of the
// smaller one.
func (c *cutChain) solve(ctx context.Context) (*Measures, error) {
	return c.swept(ctx, mostSweeps)
}

// swept is solve by so many sweeps at most.
func (c *cutChain) swept(ctx context.Context, most int) (*Measures, error) {
	c.balance = c.Sweeps(c.begin())
	return c.balanced(ctx, coarse, most)
}

// balanced solves the equations further, until the residual is good enough or gets no better.
func (c *cutChain) balanced(ctx context.Context, good float64, most int) (*Measures, error) {
	residual, err := c.balance.Solve(ctx, chain.Aim{Residual: balanced, Good: good, Most: most})
	if err != nil {
		return nil, err
	}
	c.pi = c.balance.P()
	sum := newSums(c.Queue)
	levels := make([]float64, c.most+1)
	for _, i := range c.ByLayer().Order {
		s, p := c.States[i], c.pi[i]
		sum.add(s, p, 0, 0)
		if s.coming == 0 {
			levels[c.Layers[i]] += p
		}
	}
	m := sum.measures(levels)
	m.States, m.Cut, m.Residual, m.Error, m.Proved = len(c.pi), c.most, residual, math.Inf(1), math.Inf(1)
	m.Decay = decay(levels)
	if r, ok := c.rule.(vain); ok {
		return m, r.tell(ctx, c, m)
	}
	return m, nil
}

// begin is a guess: what is known of the smaller chain, and hardly anything beyond.
func (c *cutChain) begin() []float64 {
	pi, guess, known := make([]float64, len(c.States)), 1.0, int32(0)
	for i := range c.pi {
		known = max(known, c.Layers[i])
	}
	level := int32(-1)
	for _, i := range c.ByLayer().Order {
		if c.Layers[i] > level && (c.Layers[i] > known || c.pi == nil) {
			guess /= 2
		}
		level = c.Layers[i]
		if int(i) < len(c.pi) {
			pi[i] = c.pi[i]
			guess = max(c.pi[i], 1e-100)
		} else {
			pi[i] = guess
		}
	}
	return pi
}

// What sweeps aim at: the residual at which they have ended, and the one below which they end
// as soon as they get slow.
const balanced, coarse = 1e-15, 1e-12

// mostSweeps is how many are made before they give up.
const mostSweeps = 100_000

// decay is the ratio of the last levels that the cut does not touch.
func decay(levels []float64) float64 {
	n := len(levels) * 3 / 4
	return levels[n] / levels[n-1]
}
