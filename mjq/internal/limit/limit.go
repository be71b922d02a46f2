// Package limit finds what a queue can carry at most: its stability limit, exactly, by the
// pile or by a search; the capacity under any policy; and what holds near the limit.
package limit

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Of is the stability limit with the default settings. It is found at the first
// call, or by the first method that needs it, and remembered; goroutines that ask at
// the same time share one computation. Meanwhile alive, unless nil, is called now and
// then. When ctx ends before it is found, its error comes back at once.
func Of(ctx context.Context, p *problem.Problem, alive func()) (*result.Stability, error) {
	return p.Limits().Wait(ctx, func(ctx context.Context) (*result.Stability, error) {
		return Find(ctx, p, Way{}, problem.Defaults())
	}, alive)
}

// Resolve is the problem with its arrival rate known: at a load it finds the stability
// limit λ_c and sets the rate to load times λ_c; any other problem comes back as it is.
func Resolve(ctx context.Context, p *problem.Problem, alive func()) (*problem.Problem, error) {
	if p.Load == nil {
		return p, nil
	}
	var f check.Faults
	p.ArrivalFaults(&f)
	if err := f.Err("arrivals"); err != nil {
		return nil, err
	}
	st, err := Of(ctx, p, alive)
	if err != nil {
		return nil, err
	}
	known := p.WithArrivals(p.WithRate(*p.Load * st.Rate))
	known.ArrivalFaults(&f)
	if err := f.Err(fmt.Sprintf("AtLoad(%v) of the stability limit %v", *p.Load, st.Rate)); err != nil {
		return nil, err
	}
	return known, nil
}
