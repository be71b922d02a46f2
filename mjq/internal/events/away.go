package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// away estimates what servers that fail do.
func (p *Plan) away(res *Result, batches []batch) {
	res.Up = replicate.RatioOf(estimate.Amount, batches, func(b *batch) float64 { return b.away[0] }, (*batch).time, res.All.Waiting.Worth, p.Level, p.method())
}

// effective is the service of jobs over the time from their first start to their end.
func (p *Plan) effective(batches []sums, worth estimate.Worth) result.Estimate {
	served := func(s *sums) float64 { return s.Of[estimate.Response].X - s.Of[estimate.Waiting].X - s.dropped }
	inside := func(s *sums) float64 { return s.Of[estimate.Response].X - s.Means[estimate.FirstStart] }
	return replicate.RatioOf(estimate.Share, batches, served, inside, worth, p.Level, p.method())
}
