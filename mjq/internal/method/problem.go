// Package method answers questions about a queue: one file a method, each of which
// says for which queues it is right (Fits), which settings it takes, and runs. It
// compiles a description (package spec) for the samplers and solvers that know neither
// laws nor models, and makes results of what they find (package result).
package method

import (
	"context"
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Problem is a queue that questions are asked about, with what has been found out
// about its stability so far. Goroutines may share it.
type Problem struct {
	*spec.Spec
	known *Limits // shared by problems that differ in the arrivals only
}

// New is the problem of a valid description.
func New(s *spec.Spec) *Problem { return &Problem{s, new(Limits)} }

// Of is the problem of a valid description of whose stability something may be known.
func Of(s *spec.Spec, known *Limits) *Problem { return &Problem{s, known} }

// Limits is what is known of the stability.
func (p *Problem) Limits() *Limits { return p.known }

// GivenLimit is a stability limit that is given instead of found.
func GivenLimit(st *result.Stability) *Limits { return &Limits{st: st, given: true} }

// WithArrivals is the problem with another description, which may differ in arrivals,
// load and notes only: the stability limit is the same.
func (p *Problem) WithArrivals(s *spec.Spec) *Problem { return &Problem{s, p.known} }

// WithLimit is the problem with its stability limit given instead of found.
func (p *Problem) WithLimit(st *result.Stability) *Problem {
	return &Problem{p.Spec, GivenLimit(st)}
}

// Limit is the stability limit with the default settings. It is found at the first
// call, or by the first method that needs it, and remembered; goroutines that ask at
// the same time share one computation. Meanwhile alive, unless nil, is called now and
// then. When ctx ends before it is found, its error comes back at once.
func (p *Problem) Limit(ctx context.Context, alive func()) (*result.Stability, error) {
	st, err := p.known.wait(ctx, p.bestLimit, alive)
	if err != nil {
		return nil, fmt.Errorf("finding the stability limit: %w", err)
	}
	return st, nil
}

// Resolve is the problem with its arrival rate known: at a load it finds the stability
// limit λ_c and sets the rate to load times λ_c; any other problem comes back as it is.
func (p *Problem) Resolve(ctx context.Context, alive func()) (*Problem, error) {
	if p.Load == nil {
		return p, nil
	}
	var f check.Faults
	p.ArrivalFaults(&f)
	if err := f.Err("arrivals"); err != nil {
		return nil, err
	}
	st, err := p.Limit(ctx, alive)
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

// Panic is a panic that was caught and became an error.
type Panic = panics.Error

// Caught, deferred, turns a panic into the error of what was running: that of a
// user's law, progress function or policy, or a defect of ours.
func Caught(what string, err *error) {
	v := recover()
	if v == nil {
		return
	}
	failure := panics.From(v, "")
	var sample *stream.BadSample
	if errors.As(failure, &sample) {
		*err = fmt.Errorf("%s: %w", what, sample)
		return
	}
	*err = fmt.Errorf("%s: %w", what, failure)
}
