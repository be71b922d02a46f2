package chain

import (
	"context"
	"errors"

	"github.com/mjqueue/mjq/mjq/mam"
)

// Law is the stationary law of a chain. The last fields are of a chain whose layers repeat without end:
// a state of the first layer that does stands for the states like it in all layers above.
type Law struct {
	P        []float64 // by state
	Residual float64   // of sweeps and of matrices, relative; 0 of elimination, which has rounding only

	Above, Pairs []float64 // by state, E[k] and E[k(k-1)] of the layers k above it
	Limit        float64   // the largest rate of arrivals at which there is a law
	Decay        float64   // far out each layer is so many times the one before
	far          *mam.Stationary
}

// Each calls f with the probability of every state, in the order of the layers, and of one that stands
// for those in all layers k above it with E[k] and E[k(k-1)].
func (g *Graph[S, K]) Each(law *Law, f func(s S, p, above, pairs float64)) {
	for _, i := range g.ByLayer().Order {
		above, pairs := 0.0, 0.0
		if law.Above != nil {
			above, pairs = law.Above[i], law.Pairs[i]
		}
		f(g.States[i], law.P[i], above, pairs)
	}
}

// errAbsorbing is the error for states from which the chain does not come back.
var errAbsorbing = errors.New("chain: a state does not lead back to the first")

// Stationary finds the stationary law. All states must lead back to the first of the lowest
// layer. It fails with *TooLarge, and with the cause of the end of ctx.
func (c *Chain) Stationary(ctx context.Context, most Limits) (*Law, error) {
	p, err := c.ByLayer().eliminate(ctx, most)
	if large := new(TooLarge); most.Tolerance > 0 && errors.As(err, &large) {
		return c.swept(ctx, most)
	}
	return &Law{P: p}, err
}

// swept finds it by sweeps, up to a relative residual.
func (c *Chain) swept(ctx context.Context, most Limits) (*Law, error) {
	moves := 0
	for _, list := range c.Moves {
		moves += len(list)
	}
	if bytes := bytesPerMove * float64(moves); bytes > most.Bytes {
		return nil, Sized(float64(len(c.Moves)), bytes, 2000*float64(moves))
	}
	s := c.Sweeps(nil)
	residual, err := s.Solve(ctx, Aim{Residual: most.Tolerance, Good: most.Tolerance, Most: mostSweeps, Report: most.ReportSolving})
	if err == nil && residual > most.Tolerance {
		err = &Slow{len(c.Moves), residual}
	}
	return &Law{P: s.P(), Residual: residual}, err
}

const (
	bytesPerMove = 28 // of the moves and of the same by where they lead
	mostSweeps   = 100_000
)

// eliminate finds the stationary law by elimination.
func (l *Layers) eliminate(ctx context.Context, most Limits) ([]float64, error) {
	up, down := l.reach()
	layers := len(l.Starts) - 1
	bounds := func(at int) (from, to int) {
		n := l.layer(at)
		return l.Starts[max(0, n-down)], l.Starts[min(layers, n+up+1)]
	}
	bytes, flops := 0.0, 0.0
	for at := range l.Order {
		from, to := bounds(at)
		bytes += 8 * float64(to-from)
		flops += 2 * float64(at-l.Starts[max(0, l.layer(at)-up)]) * float64(at-from)
	}
	if bytes > most.Bytes || flops > most.Flops {
		return nil, Sized(float64(len(l.Order)), bytes, flops)
	}
	b := newBand(len(l.Order), bounds)
	for at, i := range l.Order {
		for _, m := range l.Moves[i] {
			b.add(at, int(l.place[m.To]), m.Rate)
		}
	}
	stuck, err := b.eliminate(ctx, 1, most.ReportSolving)
	if err != nil {
		return nil, err
	}
	if stuck >= 0 {
		return nil, errAbsorbing
	}
	p := make([]float64, len(l.Order))
	for at, v := range b.law() {
		p[l.Order[at]] = v
	}
	return p, nil
}
