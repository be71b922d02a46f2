package special

import (
	"context"
	"fmt"
	"math"
)

// open solves for the conditional probabilities p(m, i | n) and rates u(n)
// by the note's fixed point: equations (1) and (3) put into the balance
// equations give
//
//	p(s|n)(r_s + λ) = u(n) Σ p(s'|n-1) a(s', s) + (λ/u(n+1)) Σ p(s'|n+1) A2(s', s)
//
// with a where an arrival leads, and u(n) by (2). Levels are added until
// p(·|n) has reached its limit p̃, which takes the place of the level after the
// last, or until what lies beyond matters no more. limit is that of the
// arrival rate, which must lie below the capacity.
func (s *waitingSpace) open(ctx context.Context, limit *limitLaw, progress func(done, total float64)) (*openQueue, error) {
	o, err := newOpenQueue(ctx, s, limit)
	if err != nil {
		return nil, err
	}
	last := 2*o.most + 16
	for ; last*len(o.rate) <= maxCells; last *= 2 {
		if err := o.grow(ctx, last); err != nil {
			return nil, err
		}
		if err := o.iterate(ctx, progress); err != nil {
			return nil, err
		}
		if o.distance(last)*o.tailShare() < 1e-12 {
			return o, nil
		}
	}
	return nil, fmt.Errorf("the conditional probabilities at arrival rate %v need more than %d numbers of jobs to reach their limit, with %d states each; join classes of like needs, or simulate", limit.arrivals, last/2, len(o.rate))
}

// levelSweeps bounds the sweeps over the levels.
const levelSweeps = 5000

// maxCells bounds levels times states, at 32 bytes each.
const maxCells = 10_000_000

// tailShare is how much of E[N²] lies beyond the last level.
func (o *openQueue) tailShare() float64 {
	kept := 0.0
	prob := o.levelProbs()
	for n, p := range prob {
		kept += p * float64(n) * float64(n)
	}
	last, eta := float64(o.last()), o.limit.arrivals/o.limit.rate
	w := geometric(prob[o.last()], eta)
	tail := last*last*w.zero + 2*last*w.one + w.two
	return tail / (kept + tail)
}

// distance is how far level n is from the limit, in total variation.
func (o *openQueue) distance(n int) float64 {
	sum := 0.0
	for i, x := range o.limit.p {
		sum += math.Abs(o.levels[n].p[i] - x)
	}
	return sum / 2
}

// iterate sweeps up and down the levels until none changes.
func (o *openQueue) iterate(ctx context.Context, progress func(done, total float64)) error {
	flow := make([]float64, len(o.rate))
	var pace settling
	for range levelSweeps {
		worst := 0.0
		top := len(o.levels) - 1
		for k := 1; k < 2*top; k++ { // 1 to top and back to 1
			if err := stopped(ctx); err != nil {
				return err
			}
			worst = max(worst, o.renew(min(k, 2*top-k), flow))
		}
		o.sweeps++
		progress(settled(worst), 1)
		if pace.done(worst) {
			return nil
		}
	}
	return fmt.Errorf("the fixed point at arrival rate %v has not converged after %d sweeps of %d levels: the number of jobs changes faster than what is in service; use the queue with servers that .Model() gives", o.limit.arrivals, levelSweeps, len(o.levels))
}

// renew is the equation above for level n; flow is room for its right-hand
// side. It returns the sum of the changes.
func (o *openQueue) renew(n int, flow []float64) (change float64) {
	lambda := o.limit.arrivals
	above, u := o.limit.p, o.limit.rate
	down := o.space.out
	if n+1 < len(o.levels) {
		above, u, down = o.levels[n+1].p, o.levels[n+1].u, o.levels[n+1].down
	}
	clear(flow)
	for i, row := range down {
		x := above[i] * lambda / u
		for _, e := range row {
			flow[e.state] += x * e.rate
		}
	}
	l := &o.levels[n]
	o.arrive(n, l.u, flow)
	sum := 0.0
	for i := range flow {
		flow[i] /= o.rate[i] + lambda
		sum += flow[i]
	}
	for i, x := range flow {
		change += math.Abs(x/sum - l.p[i])
		l.p[i] = x / sum
	}
	l.u = dot(l.p, o.rate)
	return change
}

// arrive adds to flow the arrivals into level n from the level below, times u(n).
func (o *openQueue) arrive(n int, u float64, flow []float64) {
	s, below := o.space, o.levels[n-1].p
	for i := range s.len() {
		flow[i] += u * below[i]
	}
	if n > o.most+1 {
		return
	}
	end := len(o.rate)
	if n < len(o.first) {
		end = o.first[n]
	}
	for i := o.first[n-1]; i < end; i++ {
		counts := o.empty[i-s.len()]
		for l, c := range s.res.classes {
			x := u * below[i] * c.prob
			if !s.res.fits(counts, l) {
				flow[o.phase(counts, l)] += x
				continue
			}
			counts[l]++
			flow[o.phase(counts, -1)] += x
			counts[l]--
		}
	}
}
