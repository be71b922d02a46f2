package mjq

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Class is a class of jobs.
type Class = spec.Class

// Pick is what a job asks of servers with identities.
type Pick = spec.Pick

// Model is a multiserver-job queue: servers, one first-come first-served line with
// head-of-line blocking, and jobs that need several servers at once. It is immutable
// and may be shared by goroutines; AtRate, AtLoad and the like return changed copies.
type Model struct{ p *method.Problem }

// Spec is the description of the model, plain data that must not be changed.
func (m *Model) Spec() *spec.Spec { return m.p.Spec }

// Servers is the number of servers s; of several types of resources, all units.
func (m *Model) Servers() int { return m.p.Servers }

// Classes is a copy of the classes, their probabilities summing to 1.
func (m *Model) Classes() []Class { return slices.Clone(m.p.Classes) }

// Arrivals is the arrival process; nil if none was given, and for a model at a load,
// whose rate is not known before Resolve.
func (m *Model) Arrivals() arrival.Process {
	if m.p.Load != nil {
		return nil
	}
	return m.p.Arrivals
}

// Rate is the arrival rate λ in jobs per unit of time; NaN without arrivals, and for a
// model at a load, whose rate is not known before Resolve.
func (m *Model) Rate() float64 { return m.p.Rate() }

// Load is the fraction of the stability limit that AtLoad asked for; NaN for a model whose
// arrivals were given otherwise or not at all.
func (m *Model) Load() float64 {
	if m.p.Load == nil {
		return math.NaN()
	}
	return *m.p.Load
}

// IdealRate is s / E[α σ]: the arrival rate that would keep every server busy if none
// were ever blocked. Of types of resources and servers asked for by number it is the
// least of what each could take. The stability limit is at most this.
func (m *Model) IdealRate() float64 { return m.p.IdealRate() }

// OfferedLoad is λ E[α σ] / s, the fraction of the servers that is busy if the system
// is stable. A value below 1 is not enough for stability. Like Rate it is NaN for a
// model at a load before Resolve.
func (m *Model) OfferedLoad() float64 { return m.p.OfferedLoad() }

// AtRate is the model with the arrival rate changed to rate: the interarrival law keeps
// its shape and is scaled in time. Without arrivals they become Poisson. The same seed
// then gives the same randomness at every rate, which makes comparisons sharp. A rate
// that is not positive and finite gives a model whose verbs return an error that says
// so.
func (m *Model) AtRate(rate float64) *Model {
	return &Model{m.p.WithArrivals(m.p.WithRate(rate))}
}

// AtLoad is the model at the given fraction of its stability limit: AtLoad(0.9) has an
// arrival rate of 0.9 λ_c. The interarrival law keeps its shape, and without arrivals
// they become Poisson. AtLoad computes nothing: the model keeps the load, and a verb
// finds the limit when it runs, as long as its context lasts (see Limit). Rate,
// Arrivals and OfferedLoad are not known until then; Resolve gives a model in which
// they are. A copy with another limit, as WithLimit, RandomAssignment or AsPrinted
// make, is at that load of its own. A load that is not positive and finite gives a
// model whose verbs return an error that says so; one of 1 or more is unstable.
func (m *Model) AtLoad(load float64) *Model {
	return &Model{m.p.WithArrivals(m.p.WithLoad(load))}
}

// WithPolicy is the model under another scheduling policy. One that cannot serve the
// classes gives a model whose verbs return an error that names the class and the remedy.
func (m *Model) WithPolicy(p Policy) *Model { return &Model{method.New(m.p.Spec.WithPolicy(p))} }

// RandomAssignment is the queue of the same jobs and servers in which every job draws
// its servers at random without looking at the state, joins the first-come first-served
// line of each, and starts when it heads all of them; it then holds them together. It
// is the majorant behind the perfect sampling of the GI/GI/c queue, but with jobs of
// several servers it is stable for fewer arrival rates than the plain queue (Baccelli,
// Olliaro, Ajmone Marsan, Marin: Appendix A and Table 3).
//
// The waste through blocking counts the servers at which a job is first in line while
// it waits for the others. A step of the samplers costs O(need).
func (m *Model) RandomAssignment() *Model {
	return &Model{method.New(m.p.WithRandomAssignment())}
}

// AsPrinted is the model under the recursion as the paper prints it, equation (14) or
// (15): there a job lifts only the coordinates that it takes, so that a later job which
// needs only other servers starts before it. The default lifts all and is first come
// first served. It makes a difference only to types of resources and named servers.
func (m *Model) AsPrinted() *Model { return &Model{method.New(m.p.WithPrinted())} }

// Limit is the stability limit with the default settings of Stability. It is found at
// the first call, or by the first verb that needs it, and remembered for all copies of
// the model that differ in the arrivals only; goroutines that ask at the same time
// share one computation. By the pile it may take some seconds. When ctx ends before it
// is found, Limit returns the error of ctx at once, and a computation for which nobody
// waits any more is stopped. For another precision use Stability.
func (m *Model) Limit(ctx context.Context) (*result.Stability, error) {
	st, err := m.p.Limit(ctx, nil)
	return st, prefixed(err)
}

// WithLimit is the model with its stability limit given instead of found: every verb
// then judges stability by it. It is for programs that have a limit already, or for
// which a rough one from Stability().RelErr(0.05) will do, while finding it anew would
// take seconds. The limit must be that of these servers and classes; a wrong one gives
// finite waits to an unstable model or refuses a stable one. A model at a load is at
// that fraction of the given limit.
func (m *Model) WithLimit(st *result.Stability) *Model { return &Model{m.p.WithLimit(st)} }

// Resolve is the model with its arrival rate known. For a model at a load (AtLoad) it
// finds the stability limit λ_c, which may take some seconds, as Limit does, and sets
// the rate to load times λ_c; any other model comes back as it is. Verbs do this by
// themselves. The error says that ctx ended, that the limit could not be found, or that
// the load is not positive and finite.
func (m *Model) Resolve(ctx context.Context) (*Model, error) {
	p, err := m.p.Resolve(ctx, nil)
	if err != nil {
		return nil, prefixed(err)
	}
	return &Model{p}, nil
}

// String describes the model in a few lines of text.
func (m *Model) String() string { return m.p.Spec.String() }

// HTML is the model as a notebook shows it.
func (m *Model) HTML() string { return m.p.Spec.HTML() }

// MarshalJSON writes the model so that UnmarshalJSON gives back the same model to the
// bit, with the same results for the same seed: for other machines, and for files that
// a person can read and write. Laws are written by their constructors,
// {"law":"ExpMean","mean":1}; see law.Marshal. A model at a load is written with its
// load; the stability limit is not part of it. It fails on a law without a written
// form.
func (m *Model) MarshalJSON() ([]byte, error) {
	text, err := m.p.Spec.MarshalJSON()
	return text, prefixed(err)
}

// UnmarshalJSON reads what MarshalJSON writes. Probabilities that do not sum to 1 but
// for the last digits are normalised as by Build, and the faults are named as by Build,
// all at once. Arrivals may be left out.
func (m *Model) UnmarshalJSON(data []byte) error {
	s := new(spec.Spec)
	if err := json.Unmarshal(data, s); err != nil {
		return prefixed(err)
	}
	m.p = method.New(s)
	return nil
}

// prefixed is the error with the name of the package in front.
func prefixed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("mjq: %w", err)
}
