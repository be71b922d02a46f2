package chain

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// Flow is where a chain is as time passes, by uniformisation (Jensen 1953; Grassmann, European
// Journal of Operational Research 1, 1977).
type Flow struct {
	Now  []float64 // by state; what is missing to 1 has stopped or is lost
	Area []float64 // by state, the time spent there; nil: not asked for
	Lost float64   // driven beyond the states
	// Keeps says that what would be driven beyond the states stays where it is.
	Keeps bool
	// Only are the states in which the chain goes on; nil: all.
	Only []bool

	c         *Chain
	out       []float64 // by state, the rate of leaving it without being driven
	fastest   float64   // of them
	next, end []float64
}

// Flow begins with a law. A state from which no driven move is listed is driven beyond the
// states of the chain.
func (c *Chain) Flow(now []float64) *Flow {
	n := len(c.Moves)
	f := &Flow{Now: now, c: c, out: make([]float64, n), next: make([]float64, n), end: make([]float64, n)}
	for i, moves := range c.Moves {
		if c.Stop != nil {
			f.out[i] = c.Stop[i]
		}
		for _, m := range moves {
			f.out[i] += m.Rate
		}
		f.fastest = max(f.fastest, f.out[i])
	}
	return f
}

// longest is how many events a stretch of uniformisation has on average at most, so that
// probabilities of none do not vanish.
const longest = 200

// Operations is about what it takes to let time pass.
func (f *Flow) Operations(time float64) float64 {
	moves := 0
	for _, list := range f.c.Moves {
		moves += len(list)
	}
	return 2 * f.fastest * time * float64(moves+len(f.out))
}

// Pass lets time pass, with the chain driven at a rate. It fails with the cause of the end of
// ctx.
func (f *Flow) Pass(ctx context.Context, rate, time float64) error {
	fastest := f.fastest + rate
	if fastest == 0 {
		for i := range f.Area {
			f.Area[i] += f.Now[i] * time
		}
		return nil
	}
	for pieces := check.Whole(math.Ceil(fastest*time/longest), 1, math.MaxInt64); pieces > 0; pieces-- {
		piece := time / float64(pieces)
		time -= piece
		if err := f.stretch(ctx, rate, fastest, piece); err != nil {
			return err
		}
	}
	return nil
}

// negligible is a probability that changes no digit of anything, not even of what is lost.
const negligible = 1e-30

// stretch is Pass for a short time: with the number K of events Poisson of mean y,
// π(t) = Σ P(K = k) π P^k and ∫ π = Σ P(K > k) π P^k over the fastest rate.
func (f *Flow) stretch(ctx context.Context, rate, fastest, time float64) error {
	y := fastest * time
	p := math.Exp(-y)
	clear(f.end)
	above, lostAtEnd, lost := 1-p, p*f.Lost, f.Lost
	for k := 0; ; k++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i, v := range f.Now {
			f.end[i] += p * v
		}
		for i := range f.Area {
			f.Area[i] += above / fastest * f.Now[i]
		}
		if float64(k) > y && p < negligible {
			break
		}
		lost += f.step(rate, fastest)
		f.Now, f.next = f.next, f.Now
		p *= y / float64(k+1)
		above = max(0, above-p)
		if left := float64(k+2) - y; left > 0 { // the difference loses the digits of what is small
			above = min(above, p*y/left)
		}
		lostAtEnd += p * lost
	}
	f.Now, f.end = f.end, f.Now
	f.Lost = lostAtEnd
	return nil
}

// step is one event of the uniform chain, from Now to next. It returns what is lost.
func (f *Flow) step(rate, fastest float64) (gone float64) {
	clear(f.next)
	for i, p := range f.Now {
		if p == 0 {
			continue
		}
		f.next[i] += p * (1 - (f.out[i]+rate)/fastest)
		p /= fastest
		for _, m := range f.c.Moves[i] {
			f.next[m.To] += p * m.Rate
		}
		if rate == 0 {
			continue
		}
		p *= rate
		driven := f.c.Driven[i]
		for _, m := range driven {
			f.next[m.To] += p * m.Rate
		}
		switch {
		case len(driven) > 0:
		case f.Keeps:
			f.next[i] += p
		default:
			gone += p
		}
	}
	for i, in := range f.Only {
		if !in {
			f.next[i] = 0
		}
	}
	return gone
}
