package special

import (
	"context"
	"math"
)

// limitLaw is what the conditional probabilities of the states given the number
// of jobs tend to as that number grows.
type limitLaw struct {
	arrivals float64   // λ
	rate     float64   // ũ, the limiting rate of completions
	p        []float64 // p̃, by state of the space
	sweeps   int       // of the fixed point
	settled  bool      // false: the sweeps ended first
}

const maxSweeps = 200_000

// settling says when a fixed point has come as far as rounding lets it:
// changes shrink geometrically until then, and no longer after.
type settling struct{ least, stale float64 }

// tiny is a change small enough to ask whether the next ones still shrink.
const tiny = 1e-13

// settled is the fraction of the way, in digits, to a change that is nothing.
func settled(change float64) float64 {
	return min(max(0, math.Log(max(change, 1e-15))/math.Log(1e-15)), 1)
}

func (s *settling) done(change float64) bool {
	if change < s.least || s.least == 0 {
		s.least, s.stale = change, 0
	} else {
		s.stale++
	}
	return change < tiny && s.stale >= 10 || change == 0
}

// fixedPoint solves the note's equations for p̃ and ũ at arrival rate λ,
//
//	p̃(s)(r_s + λ) = p̃(s) ũ + (λ/ũ) Σ p̃(s') A2(s', s),
//
// with (4) and (5), by a fixed point; r_s is the rate of completions in state
// s and A2 holds the moves that they make. The solution with ũ = λ and any p̃
// of the saturated queue, which the equations also have, is excluded by (4).
// Above the capacity ũ < λ: the equations still have a solution, but the queue
// has no stationary law. The number of sweeps grows as 1/λ when λ is small and
// several states share the least rate; then perron is the better way.
func (s *waitingSpace) fixedPoint(ctx context.Context, arrivals float64, progress func(done, total float64)) (*limitLaw, error) {
	l := &limitLaw{arrivals: arrivals, p: make([]float64, s.len())}
	for i := range l.p {
		l.p[i] = 1 / float64(s.len())
	}
	l.rate = s.throughput(l.p)
	var pace settling
	for l.sweeps < maxSweeps {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		change := s.sweep(l)
		l.sweeps++
		progress(settled(change), 1)
		if pace.done(change) {
			l.settled = true
			break
		}
	}
	return l, nil
}

// sweep renews p̃ state by state, then ũ by (4), and returns the sum of the
// changes.
func (s *waitingSpace) sweep(l *limitLaw) (change float64) {
	eta := l.arrivals / l.rate
	before := make([]float64, len(l.p))
	copy(before, l.p)
	for i, edges := range s.in {
		flow := 0.0
		for _, e := range edges {
			flow += l.p[e.state] * e.rate
		}
		l.p[i] = (l.p[i]*l.rate + eta*flow) / (s.rate[i] + l.arrivals)
	}
	normalise(l.p)
	for i, x := range l.p {
		change += math.Abs(x - before[i])
	}
	u := s.throughput(l.p)
	change += math.Abs(u/l.rate - 1)
	l.rate = u
	return change
}
