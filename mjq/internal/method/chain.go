package method

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/saturated"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// autoStates is the largest chain that Stability takes without being told to:
// some seconds.
const autoStates = 100_000

// MaxExactStates is the largest saturated chain, in multisets of phases in
// service, that Stability().Exact() builds: of the order of a minute and half a
// gigabyte (BenchmarkSolve in package saturated has one of 690,000).
const MaxExactStates = states.MaxStates

// Sources of the exact limits.
const (
	sourceProduct = "Grosof, Harchol-Balter, Scheller-Wolf: Theorem %d"
	sourceChain   = "saturated chain of %d states (%d with the head of the line named), relative residual %.1g"
)

// phaseSystem is the model as the exact solvers see it. The error names every
// class whose service is not phase-type.
func phaseSystem(m *spec.Spec) (states.System, error) {
	s := states.System{Servers: m.Servers}
	var errs []error
	if !m.Plain() {
		errs = append(errs, errors.New("exact solvers know the plain queue only, not types of resources, named servers or random assignment; use mjq.Pile{} or a sampler"))
	}
	if errs = append(errs, tooManyPhases(m)); errs[len(errs)-1] != nil {
		return s, errors.Join(errs...)
	}
	for _, c := range m.Classes {
		k, ok := phaseClass(&c)
		if !ok {
			errs = append(errs, notPhaseType(c, "a sampler"))
			continue
		}
		s.Classes = append(s.Classes, k)
	}
	return s, errors.Join(errs...)
}

// phaseClass is a class as the exact solvers see it; ok is false if its service is not
// phase-type.
func phaseClass(c *spec.Class) (k states.Class, ok bool) {
	k = states.Class{Need: c.Need, Prob: c.Prob}
	k.Alpha, k.A, ok = law.Phases(c.Service)
	return k, ok
}

// notPhaseType is the fault of a class whose service has no phases: the error names a law
// that has, with the same mean and variance, and what else to use.
func notPhaseType(c spec.Class, instead string) error {
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

// exactLimit is the limit by product form or by a chain of at most so many
// states.
func (m *Problem) exactLimit(ctx context.Context, most float64, report func(done, total float64)) (*result.Stability, error) {
	s, err := phaseSystem(m.Spec)
	if err != nil {
		return nil, err
	}
	plan := s.Compile()
	if f, ok, err := saturated.ProductForm(ctx, plan); err != nil {
		return nil, err
	} else if ok {
		return m.stabilityAt(f.Throughput, 0, "product-form", fmt.Sprintf(sourceProduct, f.Theorem)), nil
	}
	chain, err := saturated.NewChain(ctx, plan, most)
	if err != nil {
		return nil, err
	}
	sol, err := chain.Solve(ctx, report)
	if sol == nil {
		return nil, err
	}
	st := m.stabilityAt(sol.Throughput, 0, "saturated-chain",
		fmt.Sprintf(sourceChain, sol.States, sol.Pairs, sol.Residual))
	if err != nil { // an iterate on its way: nothing bounds its error
		st.HalfWidth, st.Met = math.Inf(1), false
	}
	return st, err
}
