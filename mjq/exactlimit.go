package mjq

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/saturated"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
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
func (m *Model) phaseSystem() (states.System, error) {
	s := states.System{Servers: m.servers}
	var errs []error
	if m.variant != nil {
		errs = append(errs, errors.New("exact solvers know the plain queue only, not types of resources, named servers or random assignment; use .Pile() or a sampler"))
	}
	if errs = append(errs, m.tooManyPhases()); errs[len(errs)-1] != nil {
		return s, errors.Join(errs...)
	}
	for _, c := range m.classes {
		alpha, a, ok := law.Phases(c.Service)
		if !ok {
			errs = append(errs, fmt.Errorf("class %q: service %v is not phase-type; use one of ExpMean, ErlangMean, HyperExp, Cox2, PhaseType, or a sampler", c.Name, c.Service))
			continue
		}
		s.Classes = append(s.Classes, states.Class{Need: c.Need, Prob: c.Prob, Alpha: alpha, A: a})
	}
	return s, errors.Join(errs...)
}

// MaxExactPhases is the most phases of service, over all classes, that the exact
// solvers take: their chains have at least as many states.
const MaxExactPhases = law.MostPhases

// tooManyPhases is the fault of services of more phases than that, found before
// any of the memory for them is taken.
func (m *Model) tooManyPhases() error {
	total, most, widest := 0.0, 0, m.classes[0]
	for _, c := range m.classes {
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
		"use fewer phases, .Pile() for the stability limit, or a sampler", widest.Name, widest.Service, most, total, 8e-6*total*total, MaxExactPhases)
}

// exactLimit is the limit by product form or by a chain of at most so many
// states.
func (q *StabilityQuery) exactLimit(ctx context.Context, most float64) (*Stability, error) {
	s, err := q.m.phaseSystem()
	if err != nil {
		return nil, err
	}
	if f, ok, err := saturated.ProductForm(ctx, s); err != nil {
		return nil, err
	} else if ok {
		return q.m.stabilityAt(f.Throughput, 0, "product-form", fmt.Sprintf(sourceProduct, f.Theorem)), nil
	}
	chain, err := saturated.NewChain(ctx, s, most)
	if err != nil {
		return nil, err
	}
	sol, err := chain.Solve(ctx, q.throttled())
	if sol == nil {
		return nil, err
	}
	st := q.m.stabilityAt(sol.Throughput, 0, "saturated-chain",
		fmt.Sprintf(sourceChain, sol.States, sol.Pairs, sol.Residual))
	if err != nil { // an iterate on its way: nothing bounds its error
		st.HalfWidth, st.Met = math.Inf(1), false
	}
	return st, err
}

// HeavyTraffic solves the Poisson equation of the saturated chain. E[Δ(Y_d)] is
// how many completions a saturated system that starts just after a completion
// is ahead in the long run of one that starts at a random time; the open queue
// with Poisson arrivals then has
//
//	(1 - ρ) E[N] → E[Δ(Y_d)] + 1   as ρ = λ/λ_c → 1,
//
// N being the number of jobs in the system. Services must be phase-type and
// positive. States are listed when all are exponential and there are at most
// 2000. The cost is about twice that of Stability().Exact().
//
// Source: Grosof, Hong, Harchol-Balter and Scheller-Wolf, The RESET and MARC
// Techniques, with Application to Multiserver-Job Analysis (2023).
func (m *Model) HeavyTraffic(ctx context.Context) (_ *HeavyTraffic, err error) {
	defer caught("heavy traffic", &err)
	s, err := m.phaseSystem()
	if err != nil {
		return nil, fmt.Errorf("mjq: heavy traffic: %w", err)
	}
	exponential := true
	for i, c := range s.Classes {
		exponential = exponential && len(c.Alpha) == 1
		if at0 := 1 - m.classes[i].Service.Survival(0); at0 > 0 {
			return nil, fmt.Errorf("mjq: heavy traffic: class %q has no service time at all with probability %.3g; it must be positive", m.classes[i].Name, at0)
		}
	}
	chain, err := saturated.NewChain(ctx, s, MaxExactStates)
	if err != nil {
		return nil, fmt.Errorf("mjq: heavy traffic: %w", err)
	}
	sol, err := chain.Solve(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("mjq: heavy traffic: %w", err)
	}
	h := &HeavyTraffic{Limit: *m.stabilityAt(sol.Throughput, 0, "saturated-chain",
		fmt.Sprintf(sourceChain, sol.States, sol.Pairs, sol.Residual))}
	if h.RelativeCompletions, err = chain.RelativeCompletions(ctx, sol); err != nil {
		return nil, fmt.Errorf("mjq: heavy traffic: %w", err)
	}
	if exponential && chain.States() <= saturated.MaxDeltas {
		h.States, err = m.saturatedStates(ctx, chain, sol, s.Compile())
	}
	return h, err
}

// saturatedStates lists the states of a chain of exponential classes.
func (m *Model) saturatedStates(ctx context.Context, chain *saturated.Chain, sol *saturated.Solution, plan *states.Plan) ([]SaturatedState, error) {
	deltas, err := chain.Deltas(ctx, sol)
	if err != nil {
		return nil, err
	}
	probs := chain.Probabilities(sol)
	out := make([]SaturatedState, len(deltas))
	chain.Describe(func(i int, counts []int32, _ int) {
		jobs := make([]int, len(m.classes))
		shown := make([]bool, len(counts))
		for c, kind := range plan.Of {
			if !shown[kind] {
				jobs[c], shown[kind] = int(counts[kind]), true
			}
		}
		out[i] = SaturatedState{Jobs: jobs, Prob: probs[i], Relative: deltas[i]}
	})
	return out, nil
}
