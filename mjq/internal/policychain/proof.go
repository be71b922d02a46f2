package policychain

import (
	"context"
	"math"
)

// What is proved of the error of means on a chain that is cut, see site/docs/methods/truncation.md. Let p be the
// law computed, 0 beyond the cut; Q the generator of the queue without end; f ≥ 0 a function
// of the states; F(y) and T(y) the means of the integrals of f and of 1 from the state y
// until the queue is empty. If they are finite, the queue is stable and
//
//	|p f - π f| ≤ Σ |(pQ)(y)| (F(y) + π f T(y)),
//
// summed over all states y. For V(y), the mean of the integral of f - π f up to then, has
// Q V = π f - f at all states, by renewal at the empty one; summed with p, which is 0 but
// for finitely many, p f - π f = -(pQ)V. F and T are bounded by lyapunov functions; pQ is
// what is left of the balance equations and, at the cut, the arrivals that were lost.

// certificate bounds the means of integrals until the queue is empty by the least of
// what some functions say.
type certificate struct {
	*clipped
	list   []*lyapunov
	excess []int
}

// powers are the powers of the number of jobs that are integrated: 0, 1, 2.
const powers = 3

// integrals are the bounds for a state: of the integrals of 1, n and n².
func (c *certificate) integrals(s *state) (most [powers]float64) {
	for j := range most {
		most[j] = math.Inf(1)
	}
	if place, ok := c.find(s, c.excess); ok {
		for _, l := range c.list {
			g := l.at(place, c.excess)
			for j := range most {
				most[j] = min(most[j], g*l.largest(j))
			}
		}
	}
	return most
}

// largest is the supremum of n^power e^{-slow n}.
func (l *lyapunov) largest(power int) float64 {
	if power == 0 {
		return 1
	}
	return math.Pow(float64(power)/(math.E*l.slow), float64(power))
}

// prove is the bound on the error of all means, and the part of it that a larger cut would
// not lessen: what is left of the balance equations, with what rounding may hide.
func (c *cutChain) prove(ctx context.Context, by *certificate, m *Measures) (whole, left float64, err error) {
	inside, lost, err := c.off(ctx, by)
	if err != nil {
		return 0, 0, err
	}
	both := inside
	for j := range both {
		both[j] += lost[j]
	}
	return c.worst(both, m), c.worst(inside, m), nil
}

// worst is the largest bound on the error of a mean, given Σ |(pQ)(y)| times the bounds of
// the integrals from y.
func (c *cutChain) worst(off [powers]float64, m *Measures) float64 {
	if !(off[0] < 0.5) {
		return math.Inf(1)
	}
	rounding := float64(m.States+100) * unit // of a sum over the states
	bound := func(power int, mean float64) float64 {
		mean = (mean + off[power]) / (1 - off[0])
		return off[power] + mean*(off[0]+rounding)
	}
	each := 1.0 // waiting time for each job of a class
	for _, share := range c.classes {
		if share.prob > 0 {
			each = max(each, 1/(c.rate*share.prob))
		}
	}
	starts := 1.0 // what stands for the probability of starting at once
	if !c.input.poisson {
		starts = max(1, c.input.fastest()*each)
	}
	return max(starts*bound(0, 1), each*bound(1, m.Jobs), bound(2, m.JobsSquare))
}

// heard is after how many states the end of a context is looked for.
const heard = 4096

// unit is the relative error of an operation.
const unit = 0x1p-53

// off is Σ |(pQ)(y)| times the bounds of the integrals from y: of what is left of the balance
// equations, rounding included, and of the arrivals lost at the cut.
func (c *cutChain) off(ctx context.Context, by *certificate) (inside, lost [powers]float64, err error) {
	put := func(sums *[powers]float64, weight float64, s *state) {
		if weight == 0 {
			return
		}
		for j, v := range by.integrals(s) {
			sums[j] += weight * v
		}
	}
	steps := 2*c.servers/c.least() + 50 // more than the operations that make the rates of a state
	if by.lined {
		steps += 2 * (c.most + 1)
	}
	for i, s := range c.States {
		if i%heard == 0 && ctx.Err() != nil {
			return inside, lost, ctx.Err()
		}
		in, out, terms := c.balance.Balance(i)
		put(&inside, math.Abs(in-out)+float64(steps+terms)*unit*(in+out), s)
		if p := c.pi[i]; int(c.Layers[i]) == c.most && p > 0 {
			for _, f := range c.arrivals(ctx, s, mostBatch) {
				put(&lost, p*f.rate, s)
				put(&lost, p*f.rate, f.to)
			}
		}
	}
	return inside, lost, ctx.Err()
}

// fastest is the largest rate of arrivals in a phase.
func (p *process) fastest() (most float64) {
	for phase := range p.moves {
		sum := 0.0
		for _, e := range p.events {
			for _, m := range e.moves[phase] {
				sum += m.rate
			}
		}
		most = max(most, sum)
	}
	return most
}

// proof looks for lyapunov functions and for the least bound by them: +Inf and nil if there
// are none.
func (c *cutChain) proof(ctx context.Context, m *Measures, tolerance float64) (best float64, by *certificate, err error) {
	best = math.Inf(1)
	for _, most := range c.clips() {
		s, err := c.clip(ctx, most)
		if s == nil || err != nil {
			return best, by, err
		}
		found := &certificate{clipped: s, excess: make([]int, len(s.counts))}
		for _, weights := range s.directions() {
			if err := c.tilts(ctx, found, weights, m); err != nil {
				return best, by, err
			}
			b, _, err := c.prove(ctx, found, m)
			if err != nil {
				return best, by, err
			}
			if b < best {
				best, by = b, found
			}
			if best <= tolerance {
				return best, by, nil
			}
		}
		if len(found.list) > 0 { // that do not fail for want of a larger clip
			break
		}
	}
	return best, by, nil
}

// tilts adds the lyapunov functions with given weights, from steep ones, which say more of
// the states with few jobs, to flat ones, which do not grow much up to the cut.
func (c *cutChain) tilts(ctx context.Context, by *certificate, weights []float64, m *Measures) error {
	found := 0
	var last *lyapunov
	for steep := 16.; steep > 0.05 && found < 4; steep /= 3 {
		tilt := make([]float64, len(weights))
		for i, w := range weights {
			tilt[i] = steep / float64(m.Cut) * w
		}
		l, err := newLyapunov(ctx, by.clipped, tilt, last)
		if err != nil {
			return err
		}
		if l != nil {
			by.list, last = append(by.list, l), l
			found++
		}
	}
	return nil
}

// certify looks for a proof of the error. If what is left of the equations keeps it from being
// small enough it has them solved further; if the cut does it goes on to a larger one, unless
// that is half as large again.
func (c *cutChain) certify(ctx context.Context, m *Measures, o Options) (*Measures, error) {
	compared := m.Error
	proved, by, err := c.proof(ctx, m, o.Tolerance)
	if err != nil || by == nil {
		return m, err
	}
	_, left, err := c.prove(ctx, by, m)
	if err != nil {
		return nil, err
	}
	for proved > o.Tolerance {
		better, err := c.better(ctx, m, left, proved, o)
		if err != nil {
			return nil, err
		}
		if better == nil {
			break
		}
		before := proved
		m = better
		if proved, left, err = c.prove(ctx, by, m); err != nil {
			return nil, err
		}
		if proved > before/2 {
			break
		}
	}
	m.Proved = proved
	if m.Error = max(compared, left); proved <= max(2*m.Error, o.Tolerance) {
		m.Error = proved
	}
	return m, nil
}

// better are means of a smaller error than is proved; nil if there is no way to them.
func (c *cutChain) better(ctx context.Context, m *Measures, left, proved float64, o Options) (*Measures, error) {
	if left > proved/2 {
		if m.Residual < 10*balanced { // the rest is rounding
			return nil, nil
		}
		return c.balanced(ctx, 0, mostSweeps)
	}
	if m.Decay >= 1 {
		return nil, nil
	}
	cut := m.Cut + 2 + int(1.1*math.Log(proved/o.Tolerance)/-math.Log(m.Decay))
	if cut > m.Cut*3/2 || c.foreseen(cut) > o.Bytes {
		return nil, nil
	}
	if err := c.grow(ctx, cut); err != nil {
		return nil, err
	}
	return c.solve(ctx)
}
