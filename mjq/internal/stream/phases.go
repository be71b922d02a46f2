package stream

import (
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/arrival"
)

// between draws the gap between two arrivals whose states are known: it follows
// the chain of [arrival.Phases], conditioned on where it ends. Given that, the
// times in the phases are what they are without (the sum of the rates of leaving
// does not change), and a move from x to y has the rate D0(x,y) h(y)/h(x), h being
// the probability of ending in that state (Doob's transform).
type between struct {
	mean  []float64 // time in a phase
	moves [][]move  // without an arrival
	into  [][]float64
	ends  [][]float64
	after []int
}

type move struct {
	to   int
	rate float64
}

func newBetween(p *arrival.Phases) *between {
	b := &between{into: p.Into, ends: p.Ends, after: p.After}
	for x, row := range p.D0 {
		b.mean = append(b.mean, -1/row[x])
		var moves []move
		for y, rate := range row {
			if y != x && rate > 0 {
				moves = append(moves, move{y, rate})
			}
		}
		b.moves = append(b.moves, moves)
	}
	return b
}

// sample is the gap from an arrival in state i to one in state k. It takes a word
// for the time in each phase, and one for where to go unless an arrival must follow.
func (b *between) sample(i, k int32, rng rand.Source) (t float64) {
	for x := b.after[i]; x >= 0; x = b.next(x, k, rng) {
		t += float64(b.mean[x] * fastmath.NegLog(fastmath.Unit(rng.Uint64())))
	}
	return t
}

// next is the phase after x on the way to an arrival in state k; -1 if that is
// what comes next.
func (b *between) next(x int, k int32, rng rand.Source) int {
	arrive, total := b.into[x][k], 0.0
	for _, m := range b.moves[x] {
		total += float64(m.rate * b.ends[m.to][k])
	}
	if total == 0 {
		return -1
	}
	last := -1
	left := fastmath.Unit(rng.Uint64())*(arrive+total) - arrive
	for _, m := range b.moves[x] {
		if left <= 0 {
			break
		}
		if w := float64(m.rate * b.ends[m.to][k]); w > 0 {
			last, left = m.to, left-w
		}
	}
	return last
}
