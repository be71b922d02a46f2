package policychain

import (
	"context"
	"fmt"
	"math"
)

// FavouredLimit is the limit of stability under PreemptiveMostServersFirst and
// PreemptiveLeastServersFirst. There a need never notices those that come after it. So
// the first is a queue alone; and the next is stable, given that those before it are, if
// less work comes for it than the servers that these leave can hold of its jobs, on
// average over their stationary law, would always more of it wait. That law is found to
// about 1e-10, of the first need by a QBD, of more by a chain that is cut; none is needed
// where a need divides what may be left to it, for then only mean numbers of servers
// count. A chain that would take more memory than the bytes given is refused. It fails with *Undetermined under other policies, with *chain.TooLarge, and with the
// error of ctx. The arrival rate of the system does not matter.
func (q *Queue) FavouredLimit(ctx context.Context, bytes float64) (low, high float64, err error) {
	rule, fixed := q.rule.(inOrder)
	if !fixed {
		return 0, 0, &Undetermined{"the policy does not favour needs in a fixed order"}
	}
	order := make([]int, len(q.kinds))
	for i := range order {
		if order[i] = i; rule.largest {
			order[i] = len(order) - 1 - i
		}
	}
	work := make([]float64, len(q.kinds))
	for _, c := range q.classes {
		if c.prob > 0 {
			work[c.kind] += c.prob * c.mean
		}
	}
	low, high = math.Inf(1), math.Inf(1)
	for i, k := range order {
		a, b, err := q.after(ctx, order[:i], k, work, low, bytes)
		if err != nil {
			return 0, 0, err
		}
		low, high = min(low, a), min(high, b)
	}
	return low, high, nil
}

// after is the limit of a need after others that are stable up to a rate.
func (q *Queue) after(ctx context.Context, before []int, kind int, work []float64, most, bytes float64) (low, high float64, err error) {
	need := q.kinds[kind].need
	divides, busy := q.servers%need == 0, 0.0
	for _, k := range before {
		divides = divides && q.kinds[k].need%need == 0
		busy += float64(q.kinds[k].need) * work[k]
	}
	switch {
	case len(before) == 0:
		low = float64(q.servers/need) / work[kind]
		return low, low, nil
	case divides:
		low = float64(q.servers) / (busy + float64(need)*work[kind])
		return low, low, nil
	}
	bound := min(most, float64(q.servers)/(busy+float64(need)*work[kind]))
	width := nearly
	if len(before) == 1 {
		width = exactly
	}
	return crossing(bound, 0.9*bound, width, func(rate float64) (float64, error) {
		if rate >= most*(1-width) {
			return 1, nil
		}
		room, err := q.room(ctx, before, need, rate, bytes)
		return rate*work[kind] - room, err
	})
}

// nearly is the relative width at which such limits are found.
const nearly = 1e-9

// room is how many jobs of a need fit on average beside those of favoured kinds.
func (q *Queue) room(ctx context.Context, before []int, need int, rate, bytes float64) (float64, error) {
	f, err := q.only(before, rate)
	if err != nil {
		return 0, err
	}
	return f.average(ctx, bytes, func(s *state) float64 {
		free := f.servers
		for k, kind := range f.kinds {
			free -= f.running(s, k) * kind.need
		}
		return float64(free / need)
	})
}

// only is the queue of some of the kinds, in ascending order of their needs.
func (q *Queue) only(some []int, rate float64) (*Queue, error) {
	p := &plan{servers: q.servers}
	part := 0.0
	for k, kind := range q.kinds {
		for _, x := range some {
			if x == k {
				p.kinds = append(p.kinds, kind)
				part += kind.prob
			}
		}
	}
	if !(part > 0) {
		return nil, fmt.Errorf("no jobs come of the needs that are favoured")
	}
	p.rate, p.input = rate*part, steady(rate*part)
	for i := range p.kinds {
		p.kinds[i].prob /= part
	}
	if len(some) == 1 { // all alike
		return &Queue{p, window{p, 1}}, nil
	}
	return &Queue{p, inOrder{p, q.rule.(inOrder).largest}}, nil
}

// average is a stationary mean of what depends on the jobs known alone.
func (q *Queue) average(ctx context.Context, bytes float64, of func(*state) float64) (float64, error) {
	o := Options{Bytes: bytes}.defaults()
	if b, ok := q.rule.(bounded); ok {
		x, law, err := q.stationary(ctx, b.sees(), o)
		if err != nil {
			return 0, err
		}
		sum := 0.0
		x.Each(law, func(s *state, p, _, _ float64) { sum += p * of(s) })
		return sum, nil
	}
	c, err := q.cutChain(o.Bytes)
	if err != nil {
		return 0, err
	}
	last := math.Inf(1)
	for cut := firstCut(q); ; cut += cut / 2 {
		if err := c.fits(cut, nil, o); err != nil {
			return 0, err
		}
		if err := c.grow(ctx, cut); err != nil {
			return 0, err
		}
		m, err := c.solve(ctx)
		if err != nil {
			return 0, err
		}
		if m.Residual > nearly/10 {
			return 0, &Slow{States: m.States, Residual: m.Residual, Left: m.Residual, Tolerance: nearly / 10}
		}
		sum := 0.0
		for i, s := range c.States {
			sum += c.pi[i] * of(s)
		}
		if math.Abs(sum-last) <= nearly/10*float64(q.servers) {
			return sum, nil
		}
		last = sum
	}
}
