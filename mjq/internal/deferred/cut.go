package deferred

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/mam"
)

// bytesPerState is about what a state of a chain that is cut takes while it is solved.
const bytesPerState = 1000

// mostBytes is how much memory no chain takes, whatever it is allowed.
const mostBytes = 4e9

// cutChain is a chain cut at a number of jobs, beyond which arrivals are lost.
type cutChain struct {
	*explorer
	pi      [][]float64 // by level
	balance *chain      // its equations
}

// byCuts solves the chain of a rule that looks at all jobs, at cuts that grow until the
// means no longer move.
func (q *Queue) byCuts(ctx context.Context, o Options) (*Measures, error) {
	if load := q.lasting(); load >= 1 {
		return nil, &mam.Unstable{Drift: q.rate * (1 - 1/load), Load: load}
	}
	c, err := q.cutChain(o.Bytes)
	if err != nil {
		return nil, err
	}
	var last *Measures
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
		if last != nil {
			m.Error = q.bound(last, m)
			if m.Error <= o.Tolerance {
				if q.leaving { // no Lyapunov function is looked for
					return m, nil
				}
				return c.certify(ctx, m, o)
			}
		}
		last = m
		next := cut + cut/2
		if far := min(3*cut, m.enough(o.Tolerance)); far > cut && c.predict(far)*bytesPerState <= o.Bytes {
			next = max(far, cut+cut/8)
		}
		cut = next
	}
}

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
	return int(min(n, 1e9))
}

// cutChain is the chain without states, unless it is sure to have too many.
func (q *Queue) cutChain(bytes float64) (*cutChain, error) {
	if n := q.sets(-1); n*bytesPerState > bytes {
		return nil, &TooLarge{States: n, Bytes: n * bytesPerState, Why: "so many sets of jobs and phases can be in service, and more states there are"}
	}
	counts, jobs := 1.0, firstCut(q)
	for k := range q.kinds { // binomial
		counts *= float64(jobs+k+1) / float64(k+1)
	}
	if counts*bytesPerState > bytes {
		return nil, &TooLarge{States: counts, Bytes: counts * bytesPerState, Why: fmt.Sprintf("so many counts of %d needs make up to %d jobs, which is too few to begin with", len(q.kinds), jobs)}
	}
	return &cutChain{explorer: &explorer{Queue: q, limit: mostOfLevel}}, nil
}

// fits refuses a cut whose chain would take too much memory.
func (c *cutChain) fits(cut int, last *Measures, o Options) error {
	states := c.predict(cut)
	if states*bytesPerState <= o.Bytes {
		return nil
	}
	why := "which is more than may be taken"
	if last != nil {
		why = fmt.Sprintf("with at most %d jobs the chain is cut at a probability of %.2g, the means are known to %.2g and wanted to %.2g: the queue is too close to its limit or beyond it", last.Cut, last.Levels[last.Cut], last.Error, o.Tolerance)
	}
	return &TooLarge{States: states, Bytes: states * bytesPerState, Why: why}
}

// predict is the number of states up to a cut, from those of the levels found so far:
// level n has in the end about as many as a constant times n to the number of kinds
// less one.
func (c *cutChain) predict(cut int) float64 {
	states := 0.0
	for _, l := range c.all {
		states += float64(len(l.states))
	}
	n := len(c.all) - 1
	if n < 0 {
		return 0
	}
	top := float64(len(c.all[n].states))
	for m := n + 1; m <= cut; m++ {
		states += top * math.Pow(float64(m)/float64(n), float64(len(c.kinds)-1))
	}
	return states
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
	c.balance = newChain(c.all, c.begin())
	return c.balanced(ctx, coarse)
}

// balanced solves the equations further, until the residual is good enough or gets no better.
func (c *cutChain) balanced(ctx context.Context, good float64) (*Measures, error) {
	residual, err := c.balance.solve(ctx, good)
	if err != nil {
		return nil, err
	}
	pi := c.balance.pi
	sum := newSums(c.Queue)
	c.pi = c.pi[:0]
	var levels []float64
	states := 0
	for _, l := range c.all {
		mine := pi[states : states+len(l.states)]
		c.pi = append(c.pi, mine)
		states += len(mine)
		for i, s := range l.states {
			sum.add(s, mine[i], 0, 0)
		}
		levels = append(levels, settled(l, mine))
	}
	m := sum.measures(levels)
	m.States, m.Cut, m.Residual, m.Error, m.Proved = states, len(levels)-1, residual, math.Inf(1), math.Inf(1)
	m.Decay = decay(levels)
	return m, nil
}

// begin is a guess: what is known of the smaller chain, and hardly anything beyond.
func (c *cutChain) begin() (pi []float64) {
	guess := 1.0
	for n, l := range c.all {
		if n >= len(c.pi) {
			guess /= 2
		}
		for i := range l.states {
			if n < len(c.pi) && i < len(c.pi[n]) {
				pi = append(pi, c.pi[n][i])
				guess = max(c.pi[n][i], 1e-100)
			} else {
				pi = append(pi, guess)
			}
		}
	}
	return pi
}

// decay is the ratio of the last levels that the cut does not touch.
func decay(levels []float64) float64 {
	n := len(levels) * 3 / 4
	return levels[n] / levels[n-1]
}
