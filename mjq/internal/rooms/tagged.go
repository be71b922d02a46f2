package rooms

import (
	"context"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/finite"
	"github.com/mjqueue/mjq/mjq/internal/passage"
)

// Wait is the wait of the jobs of a class that join the queue, as the time until the jobs
// before them and the services let them start; jobs that come later do not matter. A state
// of this chain is what is in service and how many jobs stand before the one looked at.
type Wait struct {
	Joins        float64 // share of the jobs that come which waits
	Starts       float64 // probability that one of these starts
	Mean, Second float64 // moments of the wait of those that start
	t            *tagged
}

// tagged is the chain of one class.
type tagged struct {
	c      *compiled
	class  int
	number map[string]int32
	states []string
	moves  [][]passage.Move
	out    []float64 // by state, the rate at which something changes, giving up included
	start  []float64 // by state, the rate at which the job starts
	begin  []float64
	edges  int
	ends   []float64 // by state, the probability that the job starts and does not give up

	now float64 // of vec
	vec []float64
}

// Wait is the wait of a class. It fails with *finite.TooLarge if the states and what solves
// them take more than bytes, and with the cause of the end of ctx.
func (x *Solution) Wait(ctx context.Context, class int, bytes float64) (*Wait, error) {
	t := &tagged{c: x.c, class: class, number: map[string]int32{}}
	t.join(x)
	for i := 0; i < len(t.states); i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		t.expand(i)
		if t.takes() > bytes {
			return nil, &finite.TooLarge{States: float64(len(t.states)), Bytes: t.takes(), Flops: float64(t.edges)}
		}
	}
	w := &Wait{t: t}
	for _, p := range t.begin {
		w.Joins += p
	}
	if w.Joins == 0 {
		return w, nil
	}
	for i := range t.begin {
		t.begin[i] /= w.Joins
	}
	f, err := t.solve(ctx, bytes)
	if err != nil {
		return nil, err
	}
	t.ends = f[0]
	w.Starts = dot(t.begin, t.ends)
	w.Mean, w.Second = dot(t.begin, f[1])/w.Starts, dot(t.begin, f[2])/w.Starts
	return w, nil
}

// Survival is the probability that a job which joins the queue and starts waits for longer,
// at times that do not descend from one call to the next, or begin anew; NaN once ctx has
// ended.
func (w *Wait) Survival(ctx context.Context, at float64) float64 {
	if w.t.advance(ctx, at); w.t.vec == nil {
		return math.NaN()
	}
	return dot(w.t.vec, w.t.ends) / w.Starts
}

// Operations is about what the survival function takes from 0 to a time.
func (w *Wait) Operations(to float64) float64 {
	return 2 * slices.Max(w.t.out) * to * float64(w.t.edges+len(w.t.states))
}

// takes is about how many bytes the states and what is computed of each take.
func (t *tagged) takes() float64 {
	return float64(len(t.states))*(200+float64(len(t.c.phases))) + 16*float64(t.edges)
}

// place is the number of a state.
func (t *tagged) place(s *state) int32 {
	key := s.key()
	k, known := t.number[key]
	if !known {
		k = int32(len(t.states))
		t.number[key] = k
		t.states = append(t.states, key)
		t.moves = append(t.moves, nil)
		t.out, t.start = append(t.out, 0), append(t.start, 0)
		t.begin = append(t.begin, 0)
	}
	return k
}

// join enters the states in which jobs of the class join the queue, behind those that wait,
// with the shares of the jobs that do.
func (t *tagged) join(x *Solution) {
	c := t.c
	var s state
	x.law.Each(func(key string, p float64) {
		c.read(key, &s)
		rate := 0.0
		for _, e := range c.in.Events { // one by one
			for _, r := range e.Rates[s.phase] {
				rate += r * c.drawn[t.class]
			}
		}
		if s.waiting >= c.Room || s.waiting == 0 && c.least[t.class] <= c.free(&s) {
			return
		}
		s.phase = 0
		t.begin[t.place(&s)] += p * rate / x.Arrived[t.class]
	})
}

// expand finds what follows a state, in which waiting is the number of jobs before this one.
func (t *tagged) expand(i int) {
	c := t.c
	var s state
	c.read(t.states[i], &s)
	to := func(next *state, rate float64) {
		k := t.place(next)
		t.moves[i] = append(t.moves[i], passage.Move{To: k, Rate: rate})
		t.out[i] += rate
		t.edges++
	}
	// A job at the head, which is this one if none is before it, may start.
	settled := func(next *state, rate float64) {
		if next.waiting == 0 && c.least[t.class] <= c.free(next) {
			t.start[i] += rate
			t.out[i] += rate
			return
		}
		to(next, rate)
	}
	c.services(&s, settled)
	c.leaves(&s, settled)
	t.out[i] += c.Leave
}

// solve finds the probability that the job starts and, over these, the moments of its wait.
func (t *tagged) solve(ctx context.Context, bytes float64) ([][]float64, error) {
	x := passage.Chain{Moves: t.moves, Stop: make([]float64, len(t.states))}
	for i, rate := range t.start {
		x.Stop[i] = rate + t.c.Leave
	}
	return x.Solve(ctx, bytes, 3, func(k, i int, before [][]float64) float64 {
		if k == 0 {
			return t.start[i]
		}
		return float64(k) * before[k-1][i]
	})
}

// advance brings the law of the state to a time.
func (t *tagged) advance(ctx context.Context, at float64) {
	if t.vec == nil || at < t.now {
		t.now, t.vec = 0, slices.Clone(t.begin)
	}
	fastest := slices.Max(t.out)
	pieces := max(1, math.Ceil((at-t.now)*fastest/longest))
	for n := 0.0; n < pieces && ctx.Err() == nil; n++ {
		t.vec = t.step((at-t.now)/pieces, fastest)
	}
	if t.now = at; ctx.Err() != nil {
		t.vec = nil
	}
}

// longest is the most changes in a step of advance, on average.
const longest = 100

// step is by uniformisation: a Poisson number of changes.
func (t *tagged) step(by, fastest float64) []float64 {
	mean := by * fastest
	sum, v := make([]float64, len(t.vec)), t.vec
	p, left := math.Exp(-mean), 1.0
	for n := 0; left > 1e-16; n++ {
		for i, x := range v {
			sum[i] += p * x
		}
		left -= p
		p *= mean / float64(n+1)
		if float64(n) > mean && p < 1e-17 {
			break
		}
		next := make([]float64, len(v))
		for i, x := range v {
			if x == 0 {
				continue
			}
			next[i] += x * (1 - t.out[i]/fastest)
			for _, e := range t.moves[i] {
				next[e.To] += x * e.Rate / fastest
			}
		}
		v = next
	}
	return sum
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
