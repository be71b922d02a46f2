package sampling

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// Dominated draws exact samples by dominated coupling from the past: Algorithm
// 2 of Golovin, "Exact sampling for heterogeneous multiserver job model", of
// which Algorithm 1 (every job needs one server) and Algorithm 3 (one service
// law for all classes) are special cases. Were every job to take all servers,
// the queue would be an M/G/1 queue, whose workload no server's exceeds. That
// queue is started in equilibrium and run backwards to the last time that it was
// empty; from there the true queue is run forward with the same jobs.
//
// It needs Poisson arrivals, Load < 1 and services with finite second moments,
// without which the mean run time is infinite.
type Dominated struct {
	System
	Initial *stream.Source // spreads: class k with probability ρ_k/ρ, gap uniform on [0, 1]
	Load    float64        // ρ = λ E[σ], of the dominating queue
	Samples int
	Level   float64
	Enough  func(done int, mean func() result.Estimate) bool
}

// together is how many samples make a task: many are short.
const together = 64

// Run draws the samples; see Backward.Run. Windows are the numbers of jobs
// since the dominating queue was empty, of single samples.
func (d *Dominated) Run(ctx context.Context, report Report) *BackwardResult {
	res := &BackwardResult{Classes: d.ofSamples()}
	tasks := (d.Samples-1)/together + 1
	narrow, wide := int64(math.MaxInt64), int64(0)
	replicate.InOrder(ctx, tasks, d.Workers, d.newPast,
		func(stop *atomic.Bool, p *past, task int, part *dominatedPart) bool {
			return d.batch(stop, p, task, part)
		},
		func(_ int, part *dominatedPart) bool {
			d.merge(ctx, res, &part.batchPart)
			narrow, wide = min(narrow, part.narrow), max(wide, part.wide)
			res.MinWindow, res.MaxWindow = narrow, wide
			if report != nil {
				report(float64(res.Done), float64(d.Samples))
			}
			return d.Enough != nil && d.Enough(res.Done, func() result.Estimate { return res.All.Waiting.Mean(d.Level, "") })
		})
	return res
}

// dominatedPart is a task's samples and the range of their lengths.
type dominatedPart struct {
	batchPart
	narrow, wide int64
}

func (d *Dominated) batch(stop *atomic.Bool, p *past, task int, part *dominatedPart) bool {
	first := task * together
	part.count = min(together, d.Samples-first)
	part.grow(part.count, len(d.Needs), d.OfTypes())
	part.steps, part.narrow, part.wide = 0, math.MaxInt64, 0
	for i := range part.count {
		if !d.sample(stop, p, uint64(first+i)) {
			return false
		}
		d.observe(p.worker, &part.samples[i])
		n := int64(len(p.left))
		part.steps += n
		part.narrow, part.wide = min(part.narrow, n), max(part.wide, n)
	}
	return true
}

// sample leaves the stationary queue in p.long.
func (d *Dominated) sample(stop *atomic.Bool, p *past, rep uint64) bool {
	if !d.recall(stop, p, rep) {
		return false
	}
	return p.relive(stop)
}
