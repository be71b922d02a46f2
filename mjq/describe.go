package mjq

import (
	"maps"
	"slices"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Needs is how many units of each type a job holds together; types left out are not
// needed.
type Needs map[string]int

// Servers begins a model with s identical servers.
func Servers(s int) Model {
	return Model{d: &description{said: spec.Spec{Servers: s}, counted: s != 0, limits: new(problem.Limits)}}
}

// Resources begins a model whose jobs hold units of several types at once (Baccelli,
// Olliaro, Ajmone Marsan, Marin: Section 9.2), with one type and its number of units;
// Model.Resources adds the others and Model.Needing the classes. Jobs are served first come
// first served with head-of-line blocking: a job that waits for one type blocks those behind
// it, whatever they need; see Model.AsPrinted.
func Resources(name string, units int) Model { return Servers(0).Resources(name, units) }

// Servers is the model with another number of identical servers.
func (m Model) Servers(s int) Model {
	return m.structured(func(d *description) { d.said.Servers, d.counted = s, s != 0 })
}

// Resources adds a type of resource.
func (m Model) Resources(name string, units int) Model {
	return m.structured(func(d *description) {
		d.said.Resources, d.normal = append(slices.Clip(d.said.Resources), spec.Type{Name: name, Units: units}), false
	})
}

// Class adds a class of jobs: its name, the number of servers that a job needs at once, the
// probability that an arriving job is of this class, and the law of its service time. Two
// classes may need the same number of servers.
//
// Probabilities sum to 1. They are about the jobs whose class nothing else decides. A class
// whose jobs come from Users or are marked by MarkedMAP may have the probability 0, and if no
// other jobs arrive, probabilities do not matter.
func (m Model) Class(name string, need int, prob float64, service Law) Model {
	return m.with(Class{Name: name, Need: need, Prob: prob, Service: service}, nil)
}

// Classes adds several classes at once.
func (m Model) Classes(classes ...Class) Model {
	return m.structured(func(d *description) {
		d.said.Classes, d.normal = append(slices.Clip(d.said.Classes), classes...), false
		d.needs = append(slices.Clip(d.needs), make([]Needs, len(d.said.Classes)-len(d.needs))...)
	})
}

// Needing adds a class of jobs that need units of several types of resources.
func (m Model) Needing(name string, needs Needs, prob float64, service Law) Model {
	return m.with(Class{Name: name, Prob: prob, Service: service}, maps.Clone(needs))
}

// Specific adds a class whose jobs ask for specific servers, drawn at random or named, besides
// any (Baccelli, Olliaro, Ajmone Marsan, Marin: Section 9.1). A job starts when all of its
// servers are free, and no job starts before an earlier one; see Model.AsPrinted. A job takes
// the free servers with the lowest numbers.
func (m Model) Specific(name string, pick Pick, prob float64, service Law) Model {
	return m.with(Class{Name: name, Prob: prob, Service: service, Pick: &pick}, nil)
}

func (m Model) with(c Class, needs Needs) Model {
	return m.structured(func(d *description) {
		d.said.Classes, d.normal = append(slices.Clip(d.said.Classes), c), false
		d.needs = append(slices.Clip(d.needs), make([]Needs, len(d.said.Classes)-len(d.needs))...)
		d.needs[len(d.needs)-1] = needs
	})
}

// Policy chooses the scheduling policy; the default is FCFS. One that cannot serve the
// classes is a fault that names the class and the remedy.
func (m Model) Policy(p Policy) Model {
	return m.structured(func(d *description) { d.said.Policy = p })
}

// Unit names the unit of time of all numbers: "s", "min", "h", "d" or a word of your own. It labels
// tables, figures and pages, and changes no number in the answers; times in a known unit are shown
// in the one that reads best, so that 7213 s read as 2.0 h. Without it numbers are bare.
func (m Model) Unit(name string) Model {
	return m.changed(func(d *description) { d.said.Unit = result.Unit(name) })
}

// Poisson lets jobs arrive in a Poisson process of the given rate, in jobs per unit of time.
func (m Model) Poisson(rate float64) Model {
	return m.arriving(nil, func(d *description) { d.rate, d.poisson = &rate, true })
}

// Arrivals lets jobs arrive in a renewal process with the given law of the time between
// arrivals.
func (m Model) Arrivals(gap Law) Model { return m.Process(arrival.Renewal{Gap: gap}) }

// Process lets jobs arrive in any process of package arrival: batches, superpositions, a
// rate that changes by the hour.
func (m Model) Process(p arrival.Process) Model {
	return m.arriving(p, func(*description) {})
}

// arriving is the model with other arrivals, which are at their own rate.
func (m Model) arriving(p arrival.Process, by func(d *description)) Model {
	keep := m.changed
	if marks(p) || marks(m.described().said.Arrivals) {
		keep = m.structured
	}
	return keep(func(d *description) {
		d.said.Arrivals, d.said.Load, d.rate, d.load, d.offered, d.poisson = p, nil, nil, nil, nil, false
		by(d)
	})
}

// marks reports whether arrivals say of which class a job is, so that classes and their
// limit depend on them. It knows nothing of arrivals that are faulty, which Err names.
func marks(p arrival.Process) (yes bool) {
	if panics.Call(func() { yes = p != nil && p.Validate() == nil && len(arrival.ClassRates(p)) > 0 }) != nil {
		return false
	}
	return yes
}

// MAP lets jobs arrive in a Markovian arrival process: d0 holds the rates of changing phase
// without an arrival, d1 those with one; see arrival.MAP.
func (m Model) MAP(d0, d1 [][]float64) Model { return m.Process(arrival.MAP(d0, d1)) }

// MMPP lets jobs arrive in a Poisson process whose rate changes with the state of a Markov
// chain; see arrival.MMPP.
func (m Model) MMPP(rates []float64, generator [][]float64) Model {
	return m.Process(arrival.MMPP(rates, generator))
}

// MarkedMAP lets jobs arrive in a Markovian arrival process that also says of which class a
// job is. d[class] holds the rates of arrivals of that class, and d[""] those of jobs whose
// class is drawn by the probabilities; see Class and arrival.MarkedMAP.
func (m Model) MarkedMAP(d0 [][]float64, d map[string][][]float64) Model {
	return m.Process(arrival.MarkedMAP(d0, d))
}

// Batches lets jobs come in batches of the given sizes at the arrivals named before, whose
// rate is then that of batches; see arrival.FixedSize and arrival.GeometricSize. The classes
// of the jobs of a batch are independent.
func (m Model) Batches(sizes arrival.Sizes) Model {
	return m.Process(arrival.Batches{Of: m.described().arrivals(), Sizes: sizes})
}

// Profile lets jobs arrive in a Poisson process whose rate changes by the time of day: the
// period is divided into as many equal parts as there are rates; see arrival.Profile.
func (m Model) Profile(period float64, rates ...float64) Model {
	return m.Process(arrival.Profile{Period: period, Rates: rates})
}

// AtRate is the model with the arrival rate changed: the arrivals keep their shape and are
// scaled in time. Without arrivals they become Poisson. The same seed then gives the same
// randomness at every rate, which makes comparisons sharp.
func (m Model) AtRate(rate float64) Model {
	return m.changed(func(d *description) { d.said.Load, d.rate, d.load, d.offered, d.poisson = nil, &rate, nil, nil, false })
}

// AtLoad is the model at the given fraction of its stability limit: AtLoad(0.9) has an
// arrival rate of 0.9 λ_c. The arrivals keep their shape, and without any they become
// Poisson. AtLoad computes nothing: the model keeps the load, and a question finds the limit
// of the model as it then stands, policy included. Rate and OfferedLoad are not known until
// Resolve gives a model in which they are. A load of 1 or more is unstable.
func (m Model) AtLoad(load float64) Model {
	return m.changed(func(d *description) { d.said.Load, d.rate, d.load, d.offered, d.poisson = nil, nil, &load, nil, false })
}

// AtOffered is the model at the rate at which all jobs together, were they all served, would
// keep this share of the servers busy: OfferedLoad is then that share, which may be 1 or more.
// It is for queues that turn jobs away or lose them, which have no stability limit; of types of
// resources it is the share of the type that would be busiest. The arrivals keep their shape,
// and without any they become Poisson.
func (m Model) AtOffered(share float64) Model {
	return m.changed(func(d *description) {
		d.said.Load, d.rate, d.load, d.offered, d.poisson = nil, nil, nil, &share, false
	})
}

// RandomAssignment returns the model in which every job draws its servers at random. It joins
// the first-come, first-served queue of each server, starts when it heads all of them, and then
// holds them together. It is the majorant behind the perfect sampling of the GI/GI/c queue, but
// with jobs of several servers it is stable for fewer arrival rates than the plain queue
// (Baccelli, Olliaro, Ajmone Marsan, Marin: Appendix A and Table 3).
//
// Wasted servers are those at which a job heads the queue while it waits for the others. A step
// of the samplers costs O(need).
func (m Model) RandomAssignment() Model {
	return m.structured(func(d *description) { d.said.RandomAssignment = true })
}

// AsPrinted is the model under the recursion as the paper prints it, equation (14) or (15):
// there a job lifts only the coordinates that it takes, so that a later job which needs only
// other servers starts before it. The default lifts all and is first come first served. It
// makes a difference only to types of resources and named servers.
func (m Model) AsPrinted() Model {
	return m.structured(func(d *description) { d.said.AsPrinted = true })
}
