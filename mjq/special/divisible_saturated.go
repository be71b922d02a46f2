package special

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// saturated is the throughput of the saturated queue, the supremum of the
// arrival rates at which the queue is stable, and the stationary distribution
// of its states: the limiting probabilities p̃ at λ = ũ. At a cost of at most n³/3
// multiplications for n states; no subtraction takes place, so every
// probability has nearly full relative precision. progress hears what part is done.
func (s *waitingSpace) saturated(ctx context.Context, progress func(done, total float64)) (rate float64, p []float64, err error) {
	law, err := s.Stationary(ctx, chain.Limits{Bytes: math.Inf(1), Flops: math.Inf(1), ReportSolving: func(part float64) { progress(part, 1) }})
	if err != nil {
		return 0, nil, err
	}
	progress(1, 1)
	return s.throughput(law.P), law.P, nil
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
		sum += x * (s.res.total - s.res.used(s.States[i].counts))
	}
	return sum
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
