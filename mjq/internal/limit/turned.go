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
	if open, share, ok := p.Limiting(); ok {
		st, err := Find(ctx, problem.New(open), by, *o)
		if st != nil {
			st = among(p, st, share)
		}
		return st, err
	}
	if by.Exact || by.Piled {
		return nil, errors.New("jobs of some classes give up, or are sent by users who wait, and others never are: the limit is searched for by simulation; leave out mjq.Exact{} and mjq.Pile{}")
	}
	return searchLimit(ctx, p, o)
}

// among is the limit of jobs that are a share of all.
func among(p *problem.Problem, st *result.Stability, share float64) *result.Stability {
	own := *st
	own.Rate, own.HalfWidth, own.IdealRate, own.Work = st.Rate/share, st.HalfWidth/share, st.IdealRate/share, st.Work*share
	own.Resources = slices.Clone(st.Resources)
	for i := range own.Resources {
		own.Resources[i].IdealRate /= share
	}
	own.Notes = slices.Clip(st.Notes)
	if p.Loops() {
		own.Notes = append(own.Notes, "It is that of the classes without users: near it all users wait in the queue, so that they bring next to no work.")
	}
	if p.Features().Has(spec.Impatient) {
		own.Notes = append(own.Notes, "It is that of the jobs that never give up: near it all others do before they start.")
	}
	return &own
}

// turnedBound is the limit where there is none, and else the rate beyond which the classes
// that never give up bring more work than the servers can do.
func turnedBound(_ context.Context, p *problem.Problem, _ func()) (*result.Stability, error) {
	if _, _, open := p.Limiting(); open {
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
		work += c.Prob * c.Endures() * float64(c.Need) * c.Service.Mean()
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
