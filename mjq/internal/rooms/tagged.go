package rooms

import (
	"context"
	"math"
	"slices"
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
	moves  [][]edge
	layer  []int32
	out    []float64 // by state, the rate at which something changes, giving up included
	start  []float64 // by state, the rate at which the job starts
	begin  []float64
	ends   []float64 // by state, the probability that the job starts and does not give up

	now float64 // of vec
	vec []float64
}

type edge struct {
	to   int32
	rate float64
}

// Wait is the wait of a class. It fails with the cause of the end of ctx.
func (x *Solution) Wait(ctx context.Context, class int) (*Wait, error) {
	t := &tagged{c: x.c, class: class, number: map[string]int32{}}
	t.join(x)
	for i := 0; i < len(t.states); i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		t.expand(i)
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
	order := t.order()
	t.ends = t.solve(order, t.start)
	first := t.solve(order, t.ends)
	second := t.solve(order, scaled(first, 2))
	w.Starts = dot(t.begin, t.ends)
	w.Mean, w.Second = dot(t.begin, first)/w.Starts, dot(t.begin, second)/w.Starts
	return w, nil
}

// Survival is the probability that a job which joins the queue and starts waits for longer,
// at times that do not descend from one call to the next, or begin anew.
func (w *Wait) Survival(at float64) float64 {
	w.t.advance(at)
	return dot(w.t.vec, w.t.ends) / w.Starts
}

// place is the number of a state.
func (t *tagged) place(s *state) int32 {
	key := s.key()
	k, known := t.number[key]
	if !known {
		k = int32(len(t.states))
		t.number[key] = k
		t.states = append(t.states, key)
		t.moves, t.layer = append(t.moves, nil), append(t.layer, int32(s.jobs()))
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
		t.moves[i] = append(t.moves[i], edge{k, rate})
		t.out[i] += rate
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

// order is the states in the order of their layers.
func (t *tagged) order() []int32 {
	order := make([]int32, len(t.states))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return int(t.layer[a] - t.layer[b]) })
	return order
}

// solve finds f with out f = in + Σ rate f(next). Moves lead to lower layers, but for changes
// of phase, for which each layer is gone through until nothing moves.
func (t *tagged) solve(order []int32, in []float64) []float64 {
	f := make([]float64, len(in))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && t.layer[order[to]] == t.layer[order[from]] {
			to++
		}
		for moved := math.Inf(1); moved > 1e-15; {
			moved = 0
			for _, i := range order[from:to] {
				v, inside := in[i], false
				for _, e := range t.moves[i] {
					v += e.rate * f[e.to]
					inside = inside || t.layer[e.to] == t.layer[i]
				}
				v /= t.out[i]
				if inside && v > 0 {
					moved = max(moved, math.Abs(v-f[i])/v)
				}
				f[i] = v
			}
		}
		from = to
	}
	return f
}

// advance brings the law of the state to a time.
func (t *tagged) advance(at float64) {
	if t.vec == nil || at < t.now {
		t.now, t.vec = 0, slices.Clone(t.begin)
	}
	fastest := slices.Max(t.out)
	for left := at - t.now; left > 0; {
		step := min(left, longest/fastest)
		t.vec = t.step(step, fastest)
		left -= step
	}
	t.now = at
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
				next[e.to] += x * e.rate / fastest
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

func scaled(x []float64, by float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = by * v
	}
	return out
}
