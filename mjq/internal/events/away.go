package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// takeAway puts into dst the integrals of servers that fail.
func (r *recorder) takeAway(dst []float64) {
	if sim, ok := r.sim.(interface {
		TakeAway(dst []float64, times float64)
	}); ok && dst != nil {
		sim.TakeAway(dst, 1)
	}
}

// away estimates what servers that fail do.
func (p *Plan) away(res *Result, batches []batch) {
	up, time := make([]float64, len(batches)), make([]float64, len(batches))
	for b := range batches {
		up[b], time[b] = batches[b].away[0], batches[b].area.Time
	}
	res.Up = replicate.Ratio(estimate.Amount, up, time, res.All.Waiting.Worth, p.Level, p.method())
}

// effective is the service of jobs over the time from their first start to their end.
func (p *Plan) effective(batches []sums, worth estimate.Worth) result.Estimate {
	num, den := make([]float64, len(batches)), make([]float64, len(batches))
	for b := range batches {
		s := &batches[b]
		num[b] = s.Of[estimate.Response].X - s.Of[estimate.Waiting].X - s.dropped
		den[b] = s.Of[estimate.Response].X - s.Means[estimate.FirstStart]
	}
	return replicate.Ratio(estimate.Share, num, den, worth, p.Level, p.method())
}
