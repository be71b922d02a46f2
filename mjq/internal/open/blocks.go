package open

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Blocks finds exponential moments of the height H_K of a pile of K jobs: the
// time that an empty system takes to be done with K jobs that are all there at
// the start. With phase-type services it is the life of a Markov chain that
// loses one job at a time, so that
//
//	f_n(m) (r(m) - θ) = Σ rates to m' of level n-1 × f_{n-1}(m') + changes of phase,
//
// f_n(m) being E exp(θ × time left) with n jobs left and m in service, left at
// rate r(m). Only positive numbers are added.
type Blocks struct {
	*drawer
	low   []*level // levels 0 to most
	far   *level
	draws map[int][]entry // by size: where a block begins
}

// MaxBlockNodes is the largest number of multisets in service that NewBlocks
// takes on.
const MaxBlockNodes = 5000

// NewBlocks prepares them; ok is false if there are more than MaxBlockNodes.
func NewBlocks(x *states.Index, servers int) (b *Blocks, ok bool) {
	if x.States() > MaxBlockNodes {
		return nil, false
	}
	s := newSpace(x, servers)
	b = &Blocks{drawer: &drawer{space: s, starts: map[int][]start{}}, draws: map[int][]entry{}}
	for n := 0; n <= s.most; n++ {
		b.low = append(b.low, b.build(n, 0))
	}
	b.far = b.build(s.most+1, 0)
	return b, true
}

// Work is the number of rates that a job of a block costs.
func (b *Blocks) Work() int { return len(b.far.down.list) + len(b.far.nodes) }

// LogMoment is log E exp(θ H_K); +Inf if the moment does not exist, NaN if ctx
// ends first.
func (b *Blocks) LogMoment(ctx context.Context, theta float64, size int) float64 {
	most := len(b.blocked)
	for _, l := range b.low {
		most = max(most, len(l.nodes))
	}
	f, next := make([]float64, most), make([]float64, most)
	f[0] = 1 // nobody is left
	scale := 0.0
	for n := 1; n <= size; n++ {
		l := b.far
		if n <= b.most {
			l = b.low[n]
		}
		top := l.lives(theta, f, next[:len(l.nodes)])
		if math.IsInf(top, 1) {
			return top
		}
		if n%64 == 0 && ctx.Err() != nil {
			return math.NaN()
		}
		if top > 1e200 {
			for i := range next {
				next[i] /= top
			}
			scale += math.Log(top)
		}
		f, next = next, f
	}
	sum := 0.0
	for _, e := range b.begin(size) {
		sum += e.rate * f[e.to]
	}
	return scale + math.Log(sum)
}

// begin is where a block of a given number of jobs begins: the first that fit.
func (b *Blocks) begin(size int) []entry {
	if d, ok := b.draws[size]; ok {
		return d
	}
	var d []entry
	line := size
	if size > b.most {
		line = endless
	}
	b.draw(make([]int32, len(b.Phases)), b.Servers, line, 1, func(to int, p float64) {
		d = append(d, entry{int32(b.place[to]), p})
	})
	b.draws[size] = d
	return d
}

// sweeps bounds the iteration over changes of phase; where it does not settle
// the moment is as good as infinite.
const sweeps = 2000

// lives fills next with f of this level from that of the level below, and
// returns its largest value.
func (l *level) lives(theta float64, f, next []float64) (top float64) {
	for i := range next {
		if l.rate[i] <= theta {
			return math.Inf(1)
		}
		sum := 0.0
		for _, e := range l.down.row(i) {
			sum += e.rate * f[e.to]
		}
		next[i] = sum / (l.rate[i] - theta)
		top = max(top, next[i])
	}
	if len(l.local.list) == 0 {
		return top
	}
	return l.changes(theta, f, next)
}

// changes goes on from what lives finds without changes of phase, which is too
// low, until nothing moves.
func (l *level) changes(theta float64, f, next []float64) float64 {
	for range sweeps {
		moved, top := 0.0, 0.0
		for i := len(next) - 1; i >= 0; i-- {
			sum := 0.0
			for _, e := range l.down.row(i) {
				sum += e.rate * f[e.to]
			}
			for _, e := range l.local.row(i) {
				sum += e.rate * next[e.to]
			}
			v := sum / (l.rate[i] - theta)
			moved = max(moved, (v-next[i])/v)
			next[i], top = v, max(top, v)
		}
		if moved < 1e-14 {
			return top
		}
	}
	return math.Inf(1)
}
