package chain

import "context"

// Unending is what is found of a chain whose layers repeat without end, the number of jobs being
// the layer: its stationary law, and the largest rate of arrivals at which it has one.
type Unending struct {
	P      []float64 // by state; of the layer that repeats, of the state in it and all above
	Above  []float64 // by state of that layer, the mean number of layers above; else 0
	Limit  float64
	Stable bool
}

// Unending finds it, for a chain with arrivals at a rate. A chain that is not stable has its
// limit alone.
func (g *Graph[S, K]) Unending(ctx context.Context, rate float64) (*Unending, error) {
	u := &Unending{P: make([]float64, len(g.States)), Above: make([]float64, len(g.States))}
	q, boundary := g.QBD()
	up, down, err := q.Drift()
	if err != nil {
		return u, err
	}
	u.Limit, u.Stable = rate*down/up, down > up*(1+1e-12)
	if !u.Stable {
		return u, nil
	}
	far, err := q.Solve(ctx)
	if err != nil {
		return u, err
	}
	law, err := boundary.Solve(ctx, q, far)
	if err != nil {
		return u, err
	}
	l := g.ByLayer()
	for level := range boundary.Levels + 1 {
		p := law.Pi[level]
		if level == boundary.Levels {
			p = law.Above(0)
			for at, x := range law.Above(1) {
				u.Above[l.Layer(level)[at]] = x
			}
		}
		for at, i := range l.Layer(level) {
			u.P[i] = p[at]
		}
	}
	return u, nil
}
