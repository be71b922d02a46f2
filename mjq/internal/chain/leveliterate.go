package chain

import (
	"context"
	"math"
)

// iteration is the law in the making: the levels up to the top, and the tail.
type iteration struct {
	ctx    context.Context
	c      LevelChain
	top    int
	x      []float64   // all levels in a row
	at     [][]float64 // x by level
	old    []float64   // x before a step
	tail   *tail
	order  int       // directions of the tail, at most
	in     []float64 // scratch, as large as a level
	part   []float64
	groups int
	fast   *anderson
	from   int // sweeps that the acceleration waits for
}

func newIteration(ctx context.Context, c LevelChain) *iteration {
	largest := 0
	for n := 0; n <= c.Last(); n++ {
		largest = max(largest, c.States(n))
	}
	return &iteration{ctx: ctx, c: c, in: make([]float64, largest), part: make([]float64, largest), groups: c.Groups(), order: mostDirections}
}

// level is the level of the chain that n is like.
func (t *iteration) level(n int) int { return min(n, t.c.Last()) }

// reach keeps the levels up to top. New ones are as the tail has them.
func (t *iteration) reach(top int) {
	size := 0
	for n := 0; n <= top; n++ {
		size += t.c.States(t.level(n))
	}
	old := t.at
	t.x, t.old, t.at, t.top = make([]float64, size), nil, make([][]float64, top+1), top
	t.fast, t.from = nil, settle
	rest, z := t.x, []float64(nil)
	if t.tail != nil {
		z = t.tail.coefficients(old[len(old)-1])
	}
	for n := range t.at {
		k := t.c.States(t.level(n))
		t.at[n], rest = rest[:k:k], rest[k:]
		if n < len(old) {
			copy(t.at[n], old[n])
		} else if t.tail != nil {
			z = t.tail.next(z)
			t.tail.combine(z, t.at[n])
			positive(t.at[n])
		}
	}
}

// positive takes away what is negative by rounding or by projection.
func positive(x []float64) {
	for i, v := range x {
		x[i] = max(0, v)
	}
}

// begin sets out from the law of the phases when the line never ends.
func (t *iteration) begin() error {
	t.reach(t.c.Last() + firstTail)
	if err := t.saturate(); err != nil {
		return err
	}
	for n := t.top - 1; n >= 0; n-- {
		if n >= t.c.Last() {
			copy(t.at[n], t.at[n+1])
			continue
		}
		y := t.in[:len(t.at[n])]
		clear(y)
		t.down(n+1, t.at[n+1], y)
		t.c.Stay(n, y, t.at[n])
	}
	t.balance()
	t.follow()
	return nil
}

// saturate leaves in the top level about the law of the phases when the line never ends.
// It fails if the load is 1 or more.
func (t *iteration) saturate() error {
	load := 0.0
	last, v := t.c.Last(), t.at[t.top]
	for i := range v {
		v[i] = 1 / float64(len(v))
	}
	for range 100 {
		for range 50 {
			if t.ctx.Err() != nil {
				return context.Cause(t.ctx)
			}
			y := t.in[:len(v)]
			clear(y)
			t.c.Up(last, v, y)
			t.c.Down(last, v, y)
			t.c.Stay(last, y, v)
			scale(v, 1/total(v))
		}
		before := load
		load = dot(v, t.c.Climb(last)) / dot(v, t.c.Fall(last))
		if math.Abs(load-before) < 1e-8*load {
			break
		}
	}
	if load >= 1 {
		return &Unstable{load}
	}
	return nil
}

// down adds the flow from level n of x into the one below.
func (t *iteration) down(n int, x, out []float64) {
	if n == t.c.Last() {
		t.c.Under(x, out)
	} else {
		t.c.Down(t.level(n), x, out)
	}
}

// inflow is the flow into level n from its neighbours.
func (t *iteration) inflow(n int) []float64 {
	y := t.in[:len(t.at[n])]
	clear(y)
	if n < t.top {
		t.down(n+1, t.at[n+1], y)
	} else {
		t.tail.inflow(t.at[n], y)
	}
	if n > 0 {
		t.c.Up(t.level(n-1), t.at[n-1], y)
	}
	return y
}

// settle is how many sweeps go before the acceleration, which does harm far from the law.
const settle = 16

// perStep is how many sweeps go before a correction of the groups; with it they are a step
// of the acceleration, which has to be the same map each time.
const perStep = 4

// round makes some sweeps. It is false if the context ended first.
func (t *iteration) round(sweeps int) bool {
	for range sweeps / perStep {
		t.follow()
		speed := t.from <= 0
		t.from -= perStep
		if speed {
			t.normalise()
			t.old = append(t.old[:0], t.x...)
			t.balance()
		}
		for range perStep {
			if !t.sweep() {
				return false
			}
			t.balance()
		}
		if !t.regroup() {
			return false
		}
		t.balance()
		if speed {
			t.normalise()
			if t.fast == nil {
				t.fast = newAnderson(len(t.x))
			}
			t.fast.next(t.old, t.x)
			t.balance()
		}
	}
	return true
}

// sweep solves every level given those next to it, from the highest down.
func (t *iteration) sweep() bool {
	for n := t.top; n >= 0; n-- {
		if t.ctx.Err() != nil {
			return false
		}
		y := t.inflow(n)
		if n == t.top {
			positive(y)
		}
		t.c.Stay(t.level(n), y, t.at[n])
	}
	return true
}

// balance scales the levels so that the flows between any two are equal, and all of them
// to a sum of 1.
func (t *iteration) balance() {
	sum, up := 0.0, 0.0
	for n, x := range t.at {
		if n > 0 {
			scale(x, up/dot(x, t.c.Fall(t.level(n))))
		}
		up = dot(x, t.c.Climb(t.level(n)))
		sum += total(x)
	}
	scale(t.x, 1/sum)
}

// normalise makes the sum of every level 1, which balance undoes: to the acceleration all
// levels count the same.
func (t *iteration) normalise() {
	for _, x := range t.at {
		scale(x, 1/total(x))
	}
}

func dot(a, b []float64) (sum float64) {
	b = b[:len(a)]
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func total(a []float64) (sum float64) {
	for _, v := range a {
		sum += v
	}
	return sum
}

func scale(a []float64, by float64) {
	for i := range a {
		a[i] *= by
	}
}
