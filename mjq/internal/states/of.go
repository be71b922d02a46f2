package states

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Of is a queue on servers that are alike, all but its arrivals. The error names every class
// whose service is not phase-type.
func Of(q *compiled.System) (System, error) {
	s := System{Servers: q.Servers}
	var errs []error
	if q.Nodes != nil || !q.Alike() {
		errs = append(errs, errors.New("exact solvers know the plain queue only, not types of resources, named servers or random assignment; use mjq.Pile{} or a sampler"))
	}
	if _, err := Phases(q); err != nil {
		return s, errors.Join(append(errs, err)...)
	}
	for i, c := range q.Known {
		k, ok := ClassOf(q, i)
		if !ok {
			errs = append(errs, NotPhaseType(c.Name, c.Service, "a sampler"))
			continue
		}
		s.Classes = append(s.Classes, k)
	}
	return s, errors.Join(errs...)
}

// ClassOf is a class of a queue; ok is false if its service is not phase-type.
func ClassOf(q *compiled.System, class int) (k Class, ok bool) {
	k = Class{Need: q.Needs[class], Prob: q.Probs[class]}
	k.Alpha, k.A, ok = law.Phases(q.Known[class].Service)
	return k, ok
}

// NotPhaseType is the fault of a class whose service has no phases: the error names a law
// that has, with the same mean and variance, and what else to use.
func NotPhaseType(name string, service law.Law, instead string) error {
	mean, scv := service.Mean(), law.SCV(service)
	fit := law.FitMeanSCV(mean, scv)
	if _, ok := law.PhaseCount(fit); ok && fit.Validate() == nil {
		return fmt.Errorf("class %q: service %v is not phase-type; use law.FitMeanSCV(%v, %v), which is and has its mean and variance, or %s", name, service, mean, scv, instead)
	}
	return fmt.Errorf("class %q: service %v is not phase-type; use one of ExpMean, ErlangMeanPhases, HyperExpMeans, Cox2, PhaseType, or %s", name, service, instead)
}

// MaxPhases is the most phases of service, over all classes, that the exact
// solvers take: their chains have at least as many states.
const MaxPhases = law.MostPhases

// Phases is how many phases the services of a queue have, and an error if they are more than that,
// found before any of the memory for them is taken.
func Phases(q *compiled.System) (total float64, err error) {
	most, widest := 0, 0
	for i, c := range q.Known {
		n, _ := law.PhaseCount(c.Service)
		total += float64(n)
		if n > most {
			most, widest = n, i
		}
	}
	if total <= MaxPhases {
		return total, nil
	}
	c := q.Known[widest]
	return total, fmt.Errorf("class %q: service %v has %d phases, and all classes %.0f, whose generators alone need %.2g MB; exact solvers take up to %d; "+
		"use fewer phases, mjq.Pile{} for the stability limit, or a sampler", c.Name, c.Service, most, total, 8e-6*total*total, MaxPhases)
}

// ArrivalsOf are the arrivals of a queue by their matrices; nil if they are Poisson, or none
// are given.
func ArrivalsOf(q *compiled.System) *Arrivals {
	if q.Arrivals == nil {
		return nil
	}
	if _, poisson := arrival.IsPoisson(q.Arrivals); poisson {
		return nil
	}
	return Matrices(q)
}

// Matrices are the arrivals of a queue by their matrices, of Poisson arrivals as well.
func Matrices(q *compiled.System) *Arrivals {
	m, _ := arrival.AsMarkov(q.Arrivals)
	a := &Arrivals{D0: m.D0, Drawn: q.Open}
	for _, e := range m.Events {
		class := Open
		if e.Class != "" {
			class = slices.IndexFunc(q.Known, func(c policy.Class) bool { return c.Name == e.Class })
		}
		a.Events = append(a.Events, Event{Rates: e.Rates, Size: e.Size, Class: class})
	}
	return a
}

// NeverComes finds classes that the arrivals, which mark all others, leave out.
func NeverComes(f *check.Faults, q *compiled.System) {
	rates := arrival.ClassRates(q.Arrivals)
	for _, c := range q.Known {
		f.That(rates == nil || rates[""] > 0 || rates[c.Name] > 0, "class %q: the arrivals bring none of its jobs; leave it out", c.Name)
	}
}

// Leaving are the rates at which the classes of a queue give up, 0 for never; odd is the first class
// whose patience is not exponential, -1 for none.
func Leaving(q *compiled.System) (rates []float64, odd int) {
	rates, odd = make([]float64, q.Classes), -1
	for i, l := range q.Patience {
		if l == nil {
			continue
		}
		rate, ok := law.MemorylessRate(l)
		if rates[i] = rate; !ok && odd < 0 {
			odd = i
		}
	}
	return rates, odd
}

// OneLeave is the rate at which every job of a queue that waits gives up, 0 for never; ok is false
// unless all classes have the same.
func OneLeave(q *compiled.System) (rate float64, ok bool) {
	rates, odd := Leaving(q)
	for _, r := range rates {
		if odd >= 0 || r != rates[0] {
			return 0, false
		}
	}
	return rates[0], true
}
