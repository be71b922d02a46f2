package run

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/failing"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// rewrites reports whether a method answers for a queue of jobs that are only interrupted by way of
// the queue without failures in which each job holds its servers as long.
func rewrites(m Method, s *spec.Spec) bool {
	return s.Features().Has(spec.Interrupted) && m.Row().Serves.Has(spec.Interrupted) && !m.Row().Hits
}

// Interrupted answers for a queue of jobs that are only interrupted by what answers for the queue
// without failures.
func Interrupted(ctx context.Context, p *problem.Problem, answer func(ctx context.Context, q *problem.Problem) (*result.Result, error)) (*result.Result, error) {
	q, held := problem.Uninterrupted(p)
	r, err := answer(ctx, q)
	if r != nil {
		hit(p, held, r)
	}
	return r, err
}

// hit turns the result of a queue in which jobs hold their servers for so long into that of the queue
// in which failures interrupt them. Its waits until the first start are those that there were; that
// and the time lost later are independent.
func hit(p *problem.Problem, held []failing.Holding, r *result.Result) {
	known := func(v float64) result.Estimate { return result.Exact(v, "closed form") }
	r.Model = p.Headline()
	all := &r.All
	var share, lost, hits, work, time, busy, good, came, refused float64
	for i := range r.Classes {
		c, h := &r.Classes[i], held[i]
		service := p.Classes[i].Service
		kept := h.After.Kept(service, h.Rate)
		more := h.Mean() - kept
		part := c.Prob
		if c.Blocked.Known() {
			part *= 1 - c.Blocked.Value
			refused += c.Prob * c.Blocked.Value * float64(c.Need) * service.Mean()
			came += c.Prob * float64(c.Need) * service.Mean()
		}
		share, lost, hits, work, time = share+part, lost+part*more, hits+part*h.Time.Hits, work+part*kept, time+part*h.Mean()
		busy += part * float64(c.Need) * h.Mean()
		good += part * float64(c.Need) * kept
		variance := math.NaN()
		if service.Variance() == 0 {
			variance = h.Variance()
		}
		interrupted(c, more, variance)
		c.Interruptions, c.Lost, c.LostShare, c.ETTR = known(h.Time.Hits), known(more), known(more/h.Mean()), known(kept/h.Mean())
		if math.IsInf(h.Mean(), 1) {
			r.Notes = append(r.Notes, fmt.Sprintf("Jobs of class %q never end on average: E[exp(φσ)] is infinite for the service time σ and the rate φ = %.4g at which a running job is hit, so that a job that begins again after each failure loses more than it does. Use a Checkpoint.", c.Name, h.Rate))
		}
	}
	interrupted(all, lost/share, math.NaN())
	all.Interruptions, all.Lost, all.LostShare, all.ETTR = known(hits/share), known(lost/share), known(1-good/busy), known(work/time)
	if came > 0 {
		r.BlockedWork = r.All.Blocked
		r.BlockedWork.Value = refused / came
	}
	r.Goodput = r.Utilization
	r.Goodput.Value, r.Goodput.HalfWidth = r.Utilization.Value*float64(p.Servers)*good/busy, r.Utilization.HalfWidth*float64(p.Servers)*good/busy
	r.Up = known(float64(p.Servers))
	if r.Stable {
		r.Notes = append(r.Notes, "Failures only interrupt jobs, so that the queue is one without failures in which a job holds its servers for its service, what is lost and what is written and read again. Waits have means but no distributions; those until the first start are FirstStart.")
	}
	r.Derive()
	result.MarkUnknown(r)
}

// interrupted has the waits of jobs contain the time that they lose.
func interrupted(c *result.ClassResult, more, variance float64) {
	first := c.Waiting
	c.FirstStart, c.AtOnce = first.Mean, first.NoWait
	if !c.AtOnce.Known() {
		c.AtOnce = first.CDF(0)
	}
	c.Waiting = result.Metric{Mean: first.Mean, Level: first.Level}
	c.Waiting.Mean.Value += more
	if v := first.Variance; v.Known() && !math.IsNaN(variance) {
		v.Value += variance
		c.Waiting.Variance = v
	}
	c.Slowdown, c.Arriving = result.Metric{}, result.Arriving{}
}
