package run

import (
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// turned fills in what a simulation tells of the jobs that are not served, and returns the
// shares of the classes of those that are.
func turned(p *problem.Problem, r *result.Result, res *events.Result) []float64 {
	shares, carried := make([]float64, len(p.Classes)), res.All.Carried.Value
	for c := range shares {
		shares[c] = res.Classes[c].Carried.Value / carried
	}
	r.Goodput = res.Goodput
	if p.Room != nil {
		r.BlockedWork = res.TurnedWork
	}
	if !p.Features().Has(spec.Sent) {
		return shares
	}
	r.Rate = 0 // what users send follows from the state
	for c := range shares {
		k := &res.Classes[c]
		r.Classes[c].Prob = k.Carried.Value / (1 - k.Blocked.Value)
		r.Rate += r.Classes[c].Prob
	}
	for c := range shares {
		r.Classes[c].Prob /= r.Rate
	}
	return shares
}

// unserved is what a target is about where nobody waits: the share of the jobs that is turned
// away.
func unserved(p *problem.Problem, aim func(*result.Result) (result.Estimate, string)) func(*result.Result) (result.Estimate, string) {
	if p.Room == nil || *p.Room > 0 {
		return aim
	}
	return func(r *result.Result) (result.Estimate, string) {
		return r.All.Blocked, "the share of the jobs that is turned away"
	}
}
