package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Happens is what can happen under a policy, nil for first come, first served.
func Happens(p policy.Policy) (h estimate.Happening) {
	if p == nil {
		return h
	}
	of := p.Properties()
	h.Preempts, h.Loses = of.Preemptive, of.Loses
	if limits, ok := p.(policy.Estimator); ok {
		_, h.Kills = limits.Limits()
	}
	return h
}
