package transient

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// flow is where the chain is: the probabilities of its states, and what has been lost
// beyond its bound. If it keeps, an arrival beyond the bound is turned away instead.
type flow struct {
	*chain
	keeps bool
	now   []float64
	lost  float64

	// Of a chain that is stopped where nobody waits: probabilities of those who have
	// waited all the time. nil: not asked for.
	queue []float64
	line  []bool // by state: somebody waits

	next, end, area []float64
	most            float64 // the fastest rate of service of any state
}

func newFlow(c *chain, keeps bool) *flow {
	n := len(c.states)
	f := &flow{chain: c, keeps: keeps, now: make([]float64, n), next: make([]float64, n), end: make([]float64, n), area: make([]float64, n)}
	for _, e := range c.begin {
		f.now[e.To] += e.Rate
	}
	for _, r := range c.rate {
		f.most = max(f.most, r)
	}
	return f
}

// watch follows how long somebody waits.
func (f *flow) watch() {
	f.queue, f.line = make([]float64, len(f.now)), make([]bool, len(f.now))
	for i, s := range f.states {
		if f.line[i] = s.waiting() > 0; f.line[i] {
			f.queue[i] = f.now[i]
		}
	}
}

// longest is how many events a stretch of uniformisation has on average at most, so that
// probabilities of none do not vanish.
const longest = 200

// pass lets time pass at an arrival rate, and adds to area the time in each state.
func (f *flow) pass(ctx context.Context, rate, time float64) error {
	fastest := f.most + rate
	if fastest == 0 {
		for i, p := range f.now {
			f.area[i] += p * time
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

// stretch is pass for a short time: with the number K of events Poisson of mean y,
// π(t) = Σ P(K = k) π P^k and ∫ π = Σ P(K > k) π P^k over the fastest rate.
func (f *flow) stretch(ctx context.Context, rate, fastest, time float64) error {
	y := fastest * time
	p := math.Exp(-y)
	clear(f.end)
	above, lostAtEnd, lost := 1-p, p*f.lost, f.lost
	queueNow, queueEnd := f.queue, make([]float64, len(f.queue))
	for k := 0; ; k++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i, v := range f.now {
			f.end[i] += p * v
			f.area[i] += above / fastest * v
		}
		for i, v := range queueNow {
			queueEnd[i] += p * v
		}
		if float64(k) > y && p < negligible {
			break
		}
		lost += f.step(f.now, rate, fastest, nil)
		f.now, f.next = f.next, f.now
		if f.queue != nil {
			f.step(queueNow, rate, fastest, f.line)
			queueNow, f.next = f.next, queueNow
		}
		p *= y / float64(k+1)
		above = max(0, above-p)
		if left := float64(k+2) - y; left > 0 { // the difference loses the digits of what is small
			above = min(above, p*y/left)
		}
		lostAtEnd += p * lost
	}
	f.now, f.end = f.end, f.now
	f.lost = lostAtEnd
	if f.queue != nil {
		f.queue = queueEnd
	}
	return nil
}

// step is one event of the uniform chain, from v to f.next, of what stays where only is
// true (nil: everywhere). It returns what is lost.
func (f *flow) step(v []float64, rate, fastest float64, only []bool) (gone float64) {
	clear(f.next)
	for i, p := range v {
		if p == 0 {
			continue
		}
		f.next[i] += p * (1 - (f.rate[i]+rate)/fastest)
		for _, e := range f.serve[i] {
			f.next[e.To] += p * e.Rate / fastest
		}
		for _, e := range f.arrive[i] {
			switch {
			case e.To != lost:
				f.next[e.To] += p * rate * e.Rate / fastest
			case f.keeps:
				f.next[i] += p * rate / fastest
			default:
				gone += p * rate / fastest
			}
		}
	}
	for i, in := range only {
		if !in {
			f.next[i] = 0
		}
	}
	return gone
}
