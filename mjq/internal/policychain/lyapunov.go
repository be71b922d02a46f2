package policychain

import (
	"context"
	"math"
	"slices"
)

// lyapunov is a function G ≥ 0 of the states of the queue without end, 0 at the empty
// system, with
//
//	(Q G)(x) ≤ -part e^{slow n(x)}   at all other states x,
//
// n being the number of jobs, Q the generator. It is given at the clipped states, and grows
// by e^{tilt} with each job that a count has beyond. So G/part is at least the mean of the
// integral of e^{slow n} from x until the queue is empty.
type lyapunov struct {
	tilt []float64 // by count
	slow float64   // the least of them
	part float64
	g    []float64
}

// at is the function, divided by part, at a clipped state with so many jobs more by count.
func (l *lyapunov) at(place int, excess []int) float64 {
	sum := 0.0
	for i, n := range excess {
		sum += l.tilt[i] * float64(n)
	}
	return l.g[place] * math.Exp(sum) / l.part
}

// newLyapunov looks for the function with given tilts: the least one with part 1, or so
// close to it that part is at least half; nil if there is none, or none is found. A guess,
// the function of a steeper tilt, helps where the equations are too many to be solved
// directly. Passes count as if each step took a hundredth of the time to the next event, which
// makes up for what the solution leaves of the equations.
func newLyapunov(ctx context.Context, c *clipped, tilt []float64, guess *lyapunov) (*lyapunov, error) {
	l := &lyapunov{tilt: tilt, slow: slices.Min(tilt), g: make([]float64, len(c.states))}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if guess != nil {
		for i, g := range guess.g {
			l.g[i] = 1.1 * g * guess.slow / l.slow
		}
	}
	s := newSweeper(c, l)
	found := false
	var err error
	if width := s.width(); float64(len(c.states))*float64(width)*float64(width) < mostDirect {
		found, err = s.choose(ctx, l)
	} else {
		found, err = s.iterate(ctx, l)
	}
	if !found {
		return nil, err
	}
	return l, nil
}

const (
	sweepsOfRound = 20
	mostVisits    = 200_000_000   // of ends of arrows by sweeps: some seconds
	mostDirect    = 2_000_000_000 // operations of a direct solution: about a second
	enough        = 0.5           // of part
)

// iterate sweeps until the function is one, or there is none, or it takes too long.
func (s *sweeper) iterate(ctx context.Context, l *lyapunov) (bool, error) {
	before := make([]float64, len(l.g))
	last, previous, grows := math.Inf(1), 0.0, 0
	for range max(20, mostVisits/(2*sweepsOfRound*len(s.ends))) {
		for range sweepsOfRound - 1 {
			if s.sweep(l.g); ctx.Err() != nil {
				return false, ctx.Err()
			}
		}
		copy(before, l.g)
		change := s.sweep(l.g)
		if !(change < 1e100) {
			return false, nil
		}
		if l.part = s.verify(l.g); l.part >= enough {
			return true, nil
		}
		ratio := math.Pow(change/last, 1./sweepsOfRound)
		if ratio < 1 {
			grows = 0
		} else if grows++; grows == 12 {
			return false, nil
		}
		last = change
		if rest := 1 - ratio; rest > 0 && math.Abs(ratio-previous) < rest/4 { // a geometric series
			for i := range l.g {
				l.g[i] += (l.g[i] - before[i]) * ratio / rest
			}
			last = math.Inf(1)
		}
		previous = ratio
	}
	return false, nil
}

// choose solves the equations with one case of each state and one end of each arrow, and
// chooses again those that bring the most, until the function is one. What is not positive
// tells that there is none: then not even for these cases and ends.
func (s *sweeper) choose(ctx context.Context, l *lyapunov) (bool, error) {
	place := make([]int, len(s.order))
	for at, i := range s.order {
		place[i] = at
	}
	for range mostChoices {
		m, x := newBand(len(place), s.width()), make([]float64, len(place))
		for i := range int32(len(place)) {
			at := place[i]
			if i == 0 {
				m.add(at, at, 1)
				continue
			}
			k := s.best(l.g, i)
			m.add(at, at, s.out[k])
			for _, a := range s.arrows[s.start[k]:s.start[k+1]] {
				e := s.end(l.g, a)
				m.add(at, place[e.to], -a.rate*s.factor[e.tilt])
			}
			x[at] = s.want[i]
		}
		if ok, err := m.solve(ctx, x); !ok {
			return false, err
		}
		for i := range l.g {
			if l.g[i] = x[place[i]]; !(l.g[i] >= 0) {
				return false, nil
			}
		}
		if l.part = s.verify(l.g); l.part >= enough {
			return true, nil
		}
	}
	return false, nil
}

// mostChoices is how often ends are chosen; two or three times do as a rule.
const mostChoices = 20
