package problem

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// PhaseSystem is the model as the exact solvers see it. The error names every
// class whose service is not phase-type.
func PhaseSystem(m *spec.Spec) (states.System, error) {
	s := states.System{Servers: m.Servers}
	var errs []error
	if !m.Plain() {
		errs = append(errs, errors.New("exact solvers know the plain queue only, not types of resources, named servers or random assignment; use mjq.Pile{} or a sampler"))
	}
	if errs = append(errs, tooManyPhases(m)); errs[len(errs)-1] != nil {
		return s, errors.Join(errs...)
	}
	for _, c := range m.Classes {
		k, ok := PhaseClass(&c)
		if !ok {
			errs = append(errs, NotPhaseType(c, "a sampler"))
			continue
		}
		s.Classes = append(s.Classes, k)
	}
	return s, errors.Join(errs...)
}

// PhaseClass is a class as the exact solvers see it; ok is false if its service is not
// phase-type.
func PhaseClass(c *spec.Class) (k states.Class, ok bool) {
	k = states.Class{Need: c.Need, Prob: c.Prob}
	k.Alpha, k.A, ok = law.Phases(c.Service)
	return k, ok
}

// NotPhaseType is the fault of a class whose service has no phases: the error names a law
// that has, with the same mean and variance, and what else to use.
func NotPhaseType(c spec.Class, instead string) error {
	mean, scv := c.Service.Mean(), law.SCV(c.Service)
	fit := law.FitMeanSCV(mean, scv)
	if _, ok := law.PhaseCount(fit); ok && fit.Validate() == nil {
		return fmt.Errorf("class %q: service %v is not phase-type; use law.FitMeanSCV(%v, %v), which is and has its mean and variance, or %s", c.Name, c.Service, mean, scv, instead)
	}
	return fmt.Errorf("class %q: service %v is not phase-type; use one of ExpMean, ErlangMeanPhases, HyperExpMeans, Cox2, PhaseType, or %s", c.Name, c.Service, instead)
}

// MaxExactPhases is the most phases of service, over all classes, that the exact
// solvers take: their chains have at least as many states.
const MaxExactPhases = law.MostPhases

// tooManyPhases is the fault of services of more phases than that, found before
// any of the memory for them is taken.
func tooManyPhases(m *spec.Spec) error {
	total, most, widest := 0.0, 0, m.Classes[0]
	for _, c := range m.Classes {
		n, _ := law.PhaseCount(c.Service)
		total += float64(n)
		if n > most {
			most, widest = n, c
		}
	}
	if total <= MaxExactPhases {
		return nil
	}
	return fmt.Errorf("class %q: service %v has %d phases, and all classes %.0f, whose generators alone need %.2g MB; exact solvers take up to %d; "+
		"use fewer phases, mjq.Pile{} for the stability limit, or a sampler", widest.Name, widest.Service, most, total, 8e-6*total*total, MaxExactPhases)
}

// OpenIndex numbers what can be in service.
func (p *Problem) OpenIndex() (*states.Index, error) {
	s, err := PhaseSystem(p.Spec)
	if err != nil {
		return nil, err
	}
	return p.Numbered(s)
}

// Numbered numbers what can be in service of a system. Classes have the probabilities that
// jobs have whose class the arrivals leave open.
func (p *Problem) Numbered(s states.System) (*states.Index, error) {
	for i := range s.Classes {
		s.Classes[i].Prob = p.OpenProb(i)
	}
	x, err := states.NewIndex(s.Compile())
	if err != nil {
		err = fmt.Errorf("Exact: %w", err)
	}
	return x, err
}

// Matrices are the arrivals as the exact solvers see them.
func Matrices(s *spec.Spec) (a states.Arrivals) {
	m, _ := arrival.AsMarkov(s.Arrivals)
	a.D0 = m.D0
	for i := range s.Classes {
		a.Drawn = append(a.Drawn, s.OpenProb(i))
	}
	for _, e := range m.Events {
		class := states.Open
		if e.Class != "" {
			class = slices.IndexFunc(s.Classes, func(c spec.Class) bool { return c.Name == e.Class })
		}
		a.Events = append(a.Events, states.Event{Rates: e.Rates, Size: e.Size, Class: class})
	}
	return a
}

// NeverComes finds classes that the arrivals, which mark all others, leave out.
func NeverComes(f *check.Faults, s *spec.Spec) {
	rates := arrival.ClassRates(s.Arrivals)
	for _, c := range s.Classes {
		f.That(rates == nil || rates[""] > 0 || rates[c.Name] > 0, "class %q: the arrivals bring none of its jobs; leave it out", c.Name)
	}
}
