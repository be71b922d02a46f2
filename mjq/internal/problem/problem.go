// Package problem has the questions that methods answer: a description (package spec) with
// what has been found out about its stability, and the settings of a query. It compiles the
// description for samplers, simulation and solvers, which know neither laws nor models.
package problem

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/policy"
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
func New(s *spec.Spec) *Problem { return &Problem{simpler(s), new(Limits)} }

// Of is the problem of a valid description of whose stability something may be known.
func Of(s *spec.Spec, known *Limits) *Problem { return &Problem{simpler(s), known} }

// simpler is a description whose policy is the simplest that comes to the same.
func simpler(s *spec.Spec) *spec.Spec {
	if p, ok := s.Policy.(policy.Simpler); ok {
		return s.WithPolicy(p.Simpler(s.PolicySystem()))
	}
	return s
}

// Limits is what is known of the stability.
func (p *Problem) Limits() *Limits { return p.known }

// GivenLimit is a stability limit that is given instead of found.
func GivenLimit(st *result.Stability) *Limits { return &Limits{st: st, given: true} }

// WithArrivals is the problem with another description, which may differ in arrivals,
// load and notes only: the stability limit is the same.
func (p *Problem) WithArrivals(s *spec.Spec) *Problem { return &Problem{simpler(s), p.known} }

// WithLimit is the problem with its stability limit given instead of found.
func (p *Problem) WithLimit(st *result.Stability) *Problem {
	return &Problem{p.Spec, GivenLimit(st)}
}

// Shares are the probabilities of the classes.
func (p *Problem) Shares() (probs []float64) {
	for _, c := range p.Classes {
		probs = append(probs, c.Prob)
	}
	return probs
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
