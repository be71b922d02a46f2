package divisible

import (
	"context"
	"math"
)

// Limit is what the conditional probabilities of the states given the number
// of jobs tend to as that number grows.
type Limit struct {
	Arrivals float64   // λ
	Rate     float64   // ũ, the limiting rate of completions
	P        []float64 // p̃, by state of the space
	Sweeps   int       // of the fixed point
	Settled  bool      // false: the sweeps ended first
}

const maxSweeps = 200_000

// settling tells when a fixed point has come as far as rounding lets it:
// changes shrink geometrically until then, and no longer after.
type settling struct{ least, stale float64 }

// tiny is a change small enough to ask whether the next ones still shrink.
const tiny = 1e-13

func (s *settling) done(change float64) bool {
	if change < s.least || s.least == 0 {
		s.least, s.stale = change, 0
	} else {
		s.stale++
	}
	return change < tiny && s.stale >= 10 || change == 0
}

// Limit solves the note's equations for p̃ and ũ at arrival rate λ,
//
//	p̃(s)(r_s + λ) = p̃(s) ũ + (λ/ũ) Σ p̃(s') A2(s', s),
//
// with (4) and (5), by a fixed point; r_s is the rate of completions in state
// s and A2 holds the moves that they make. The solution with ũ = λ and any p̃
// of the saturated queue, which the equations also have, is excluded by (4).
// Above the capacity ũ < λ: the equations still have a solution, but the queue
// has no stationary law. The number of sweeps grows as 1/λ when λ is small and
// several states share the least rate; then Perron is the better way.
func (s *Space) Limit(ctx context.Context, arrivals float64) (*Limit, error) {
	l := &Limit{Arrivals: arrivals, P: make([]float64, s.Len())}
	for i := range l.P {
		l.P[i] = 1 / float64(s.Len())
	}
	l.Rate = s.throughput(l.P)
	var pace settling
	for l.Sweeps < maxSweeps {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		change := s.sweep(l)
		l.Sweeps++
		if pace.done(change) {
			l.Settled = true
			break
		}
	}
	return l, nil
}

// sweep renews p̃ state by state, then ũ by (4), and returns the sum of the
// changes.
func (s *Space) sweep(l *Limit) (change float64) {
	eta := l.Arrivals / l.Rate
	before := make([]float64, len(l.P))
	copy(before, l.P)
	for i, edges := range s.in {
		flow := 0.0
		for _, e := range edges {
			flow += l.P[e.state] * e.rate
		}
		l.P[i] = (l.P[i]*l.Rate + eta*flow) / (s.rate[i] + l.Arrivals)
	}
	normalise(l.P)
	for i, x := range l.P {
		change += math.Abs(x - before[i])
	}
	u := s.throughput(l.P)
	change += math.Abs(u/l.Rate - 1)
	l.Rate = u
	return change
}
