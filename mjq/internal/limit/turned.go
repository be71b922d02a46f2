package limit

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// turnedLimit is the limit of a queue of which not all jobs are served: none, or where some
// class waits for ever the one that is found by simulation.
func turnedLimit(ctx context.Context, p *problem.Problem, by Way, o *problem.Options) (*result.Stability, error) {
	if p.Limitless() != "" {
		return turnedBound(ctx, p, nil)
	}
	if open, ok := p.Limiting(); ok {
		st, err := Find(ctx, problem.New(open), by, *o)
		if st != nil {
			own := *st
			own.Notes = append(slices.Clip(own.Notes), "It is that of the classes without users: near it all users wait in the queue, so that they bring next to no work.")
			st = &own
		}
		return st, err
	}
	if by.Exact || by.Piled {
		return nil, errors.New("jobs of some classes give up, or are sent by users who wait, and others never are: the limit is searched for by simulation; leave out mjq.Exact{} and mjq.Pile{}")
	}
	return searchLimit(ctx, p, o)
}

// turnedBound is the limit where there is none, and else the rate beyond which the classes
// that never give up bring more work than the servers can do.
func turnedBound(_ context.Context, p *problem.Problem, _ func()) (*result.Stability, error) {
	if _, open := p.Limiting(); open {
		return nil, nil
	}
	st := &result.Stability{Rate: math.Inf(1), Method: "no limit", Source: p.Limitless(), IdealRate: p.IdealRate(), Work: p.Work(), Wasted: math.NaN(), Met: true}
	if st.Source == "" {
		st.Rate, st.IdealRate = patientRate(p), patientRate(p)
		st.Method, st.Source = "upper bound", "work of the classes that never give up"
		st.Notes = []string{"The limit is not known without a search, which Stability makes."}
	}
	return st, nil
}

func patientRate(p *problem.Problem) float64 {
	if p.Features().Has(spec.Resizing) { // whose work depends on their size; none gives up
		return p.IdealRate()
	}
	work := 0.0
	for _, c := range p.Classes {
		if c.Patience == nil || c.Patience.Survival(math.MaxFloat64) > 0 {
			work += c.Prob * float64(c.Need) * c.Service.Mean()
		}
	}
	return float64(p.Servers) / work
}

// mostSearched is the highest rate that a search has to look at.
func mostSearched(ctx context.Context, p *problem.Problem) float64 {
	if p.Features().Has(spec.Turning) {
		return patientRate(p)
	}
	if p.Features().Has(spec.Resizing) {
		return p.IdealRate()
	}
	return mostRate(ctx, alwaysUp(p))
}
