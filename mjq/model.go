package mjq

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Class is a class of jobs.
type Class = spec.Class

// Pick is what a job asks of servers with identities.
type Pick = spec.Pick

// Model is a multiserver-job queue: s servers, jobs that need several of them at once, how
// these arrive and under which policy they start. It begins with Servers or Resources and
// is a model at every step:
//
//	cluster := mjq.Servers(20).Poisson(1.4).
//		Class("small", 1, 0.8, mjq.ExpMean(0.5)). // name, servers, probability, service time
//		Class("big", 10, 0.2, mjq.ExpMean(3))
//
// A model is a value and never changes: each call gives a longer or a changed copy, which costs
// little, and goroutines may share it. Classes and types of resources add up; of what can be
// said once (servers, arrivals with their rate or load, policy) the last word counts. Err names
// every error of a model at once, and every question returns the same error.
type Model struct {
	_ [0]func() // models are not compared by ==
	d *description
}

// FromSpec is the model of a description, as files and other packages give it.
func FromSpec(s *spec.Spec) Model {
	return Model{d: &description{said: *s, normal: s.IsNormalized(), limits: new(problem.Limits)}}
}

// Err returns nil, or an error that lists every problem of the model with the field, the value
// and the remedy; its Unwrap returns them one by one. A model without arrivals is not a problem:
// it has a stability limit, and AtRate gives it arrivals.
func (m Model) Err() error {
	_, err := m.problem()
	return err
}

// Spec is a copy of the description of the model as plain data: servers, classes with
// probabilities that sum to 1, arrivals, policy. For a faulty model it holds the parts as they
// were given.
func (m Model) Spec() *spec.Spec {
	s := *m.spec()
	s.Classes, s.Resources = slices.Clone(s.Classes), slices.Clone(s.Resources)
	return &s
}

// spec is the description itself.
func (m Model) spec() *spec.Spec {
	if p, err := m.problem(); err == nil {
		return p.Spec
	}
	return m.described().whole()
}

// Rate is the arrival rate λ in jobs per unit of time; NaN without arrivals, and for a
// model at a load, whose rate is not known before Resolve.
func (m Model) Rate() float64 { return m.known((*spec.Spec).Rate) }

// Load returns the fraction of the stability limit set by AtLoad, or NaN.
func (m Model) Load() float64 {
	if load := m.spec().Load; load != nil {
		return *load
	}
	return math.NaN()
}

// IdealRate is s / E[α σ]: the arrival rate that would keep every server busy if none were ever
// blocked. With typed resources or named servers it is the smallest such rate of any of them.
// The stability limit is at most this.
func (m Model) IdealRate() float64 { return m.known((*spec.Spec).IdealRate) }

// OfferedLoad is λ E[α σ] / s, the fraction of the servers that is busy if the queue is
// stable. A value below 1 is not enough for stability. Like Rate it is NaN for a model at a
// load before Resolve.
func (m Model) OfferedLoad() float64 { return m.known((*spec.Spec).OfferedLoad) }

// known is a number that follows from a description; NaN for a faulty model.
func (m Model) known(of func(*spec.Spec) float64) float64 {
	p, err := m.problem()
	if err != nil {
		return math.NaN()
	}
	return of(p.Spec)
}

// WithLimit is the model with its stability limit given instead of found: every question then
// judges stability by it. It is for programs that have a limit already, or for which a rough
// one from Stability(ctx, RelErr(0.05)) is enough, while finding it again would take seconds.
// The limit must be that of these servers, classes and policy; a wrong one gives finite waits
// to an unstable model or refuses a stable one. A model at a load is at that fraction of the
// given limit.
func (m Model) WithLimit(st *result.Stability) Model {
	return m.changed(func(d *description) { d.limits = problem.GivenLimit(st) })
}

// Resolve is the model with its arrival rate known. For a model at a load (AtLoad) it finds
// the stability limit λ_c, which may take some seconds, and sets the rate to load times
// λ_c; any other model comes back as it is. Questions do this by themselves. The error says
// what is wrong with the model, that ctx ended, or that the limit could not be found.
func (m Model) Resolve(ctx context.Context) (Model, error) {
	p, err := m.problem()
	if err != nil {
		return Model{}, err
	}
	known, err := limit.Resolve(ctx, p, nil)
	if err != nil {
		return Model{}, prefixed(err)
	}
	return solved(known), nil
}

// solved is the model of a problem.
func solved(p *problem.Problem) Model {
	return Model{d: &description{said: *p.Spec, normal: true, limits: p.Limits()}}
}

// String describes the model in a few lines of text, with its faults if it has some.
func (m Model) String() string {
	if err := m.Err(); err != nil {
		return "not a model yet: " + err.Error()
	}
	return m.spec().String()
}

// HTML is the model as a notebook shows it.
func (m Model) HTML() string {
	if err := m.Err(); err != nil {
		return faultsHTML(err)
	}
	return m.spec().HTML()
}

// MarshalJSON writes the model so that UnmarshalJSON gives back the same model to the bit,
// with the same results for the same seed: for other machines, and for files that a person
// can read and write. Laws are written by their constructors, {"law":"ExpMean","mean":1};
// see law.Marshal. A model at a load is written with its load; the stability limit is not
// part of it. It fails on a faulty model, and on a law without a written form.
func (m Model) MarshalJSON() ([]byte, error) {
	p, err := m.problem()
	if err != nil {
		return nil, err
	}
	text, err := p.Spec.MarshalJSON()
	return text, prefixed(err)
}

// UnmarshalJSON reads what MarshalJSON writes. Probabilities that sum to 1 up to rounding are
// normalised. The error names every fault at once, and leaves the model as it was. Arrivals may
// be left out.
func (m *Model) UnmarshalJSON(data []byte) error {
	s := new(spec.Spec)
	if err := json.Unmarshal(data, s); err != nil {
		return prefixed(err)
	}
	*m = Model{d: &description{said: *s, normal: true, limits: new(problem.Limits)}}
	return nil
}

// prefixed is the error with the name of the package in front.
func prefixed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("mjq: %w", err)
}
