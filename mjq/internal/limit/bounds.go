package limit

import (
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

const (
	boundsMethod = "bounds"
	sourceBounds = "fewer servers are idle while a job waits than the largest need"
)

// Between returns two rates between which the limit of a queue lies that serves first come, first
// served: while the head of the queue waits, fewer servers are idle than it needs. It is for
// servers that are one pool; elsewhere ok is false.
func Between(p *problem.Problem) (low, high float64, ok bool) {
	if p.Features()&^spec.Arriving != 0 {
		return 0, 0, false
	}
	widest := 0
	for _, c := range p.Classes {
		widest = max(widest, c.Need)
	}
	high = p.IdealRate()
	low = max(p.SurestRate(), high*float64(p.Servers-widest+1)/float64(p.Servers))
	return min(low, high), high, true
}

// nearEdge is the part of the lower bound below which a rate is stable for sure, and no queue needs
// to know its limit better; near is how close bounds are which are as good as the limit.
const nearEdge, near = 0.9, 0.002

// Rough is the problem with its limit between bounds where these say enough: the rate is well
// below both, or they are close. The load that comes with it is at most so large.
func Rough(p *problem.Problem) (bounded *problem.Problem, load float64, ok bool) {
	low, high, ok := Between(p)
	if rate := p.Rate(); !ok || low == high || !(rate < nearEdge*low || rate < low && high-low < 2*near*low) {
		return p, 0, false
	}
	return p.WithLimit(bounds(p, low, high)), p.Rate() / low, true
}

// bounds is a limit between two rates.
func bounds(p *problem.Problem, low, high float64) *result.Stability {
	return StabilityAt(p, (low+high)/2, (high-low)/2, boundsMethod, sourceBounds)
}
