package special

import "context"

// saturated is the throughput of the saturated queue, the supremum of the
// arrival rates at which the queue is stable, and the stationary distribution
// of its states: the limiting probabilities p̃ at λ = ũ. Cost n³/3
// multiplications for n states; no subtraction takes place, so every
// probability has nearly full relative precision. progress hears how many of the
// multiplications are done.
func (s *waitingSpace) saturated(ctx context.Context, progress func(done, total float64)) (rate float64, p []float64, err error) {
	n := s.len()
	q := make([][]float64, n)
	for i, row := range s.out {
		q[i] = make([]float64, n)
		for _, e := range row {
			if e.state != i {
				q[i][e.state] = e.rate
			}
		}
	}
	p, err = stationary(ctx, q, progress)
	if err != nil {
		return 0, nil, err
	}
	return s.throughput(p), p, nil
}

// throughput is equation (4): Σ (m_1 μ_1 + … + m_L μ_L) p.
func (s *waitingSpace) throughput(p []float64) float64 {
	u := 0.0
	for i, x := range p {
		u += x * s.rate[i]
	}
	return u
}

// unused is the mean amount of the resource that no job holds, under p.
func (s *waitingSpace) unused(p []float64) float64 {
	sum := 0.0
	for i, x := range p {
		sum += x * (s.res.total - s.res.used(s.counts[i]))
	}
	return sum
}

// stationary is the stationary distribution of an irreducible chain of the
// given rates (the diagonal is not looked at), by the elimination of
// Grassmann, Taksar and Heyman. It overwrites the rates.
func stationary(ctx context.Context, q [][]float64, progress func(done, total float64)) ([]float64, error) {
	cube := func(n int) float64 { return float64(n) * float64(n) * float64(n) / 3 }
	for k := len(q) - 1; k > 0; k-- {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		progress(cube(len(q))-cube(k), cube(len(q)))
		last := q[k][:k]
		down := 0.0 // rate from k to the states before it
		for _, x := range last {
			down += x
		}
		for i := range k {
			f := q[i][k] / down
			q[i][k] = f
			if f == 0 {
				continue
			}
			row := q[i][:k]
			for j, x := range last {
				row[j] += f * x
			}
		}
	}
	p := make([]float64, len(q))
	p[0] = 1
	for k := 1; k < len(q); k++ {
		for i := range k {
			p[k] += p[i] * q[i][k]
		}
	}
	normalise(p)
	return p, nil
}

// normalise scales p to sum to 1 and returns what its sum was.
func normalise(p []float64) float64 {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for i := range p {
		p[i] /= sum
	}
	return sum
}
