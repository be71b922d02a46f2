package limit

import (
	"context"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/saturated"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
)

// HeavyTraffic solves the Poisson equation of the saturated chain. E[Δ(Y_d)] is
// how many completions a saturated system that starts just after a completion
// is ahead in the long run of one that starts at a random time; the open queue
// with Poisson arrivals then has
//
//	(1 - ρ) E[N] → E[Δ(Y_d)] + 1   as ρ = λ/λ_c → 1,
//
// N being the number of jobs in the system. Services must be phase-type and
// positive. States are listed when all are exponential and there are at most
// 2000. The cost is about twice that of the exact limit; fresh, even if the answer is
// remembered.
//
// Source: Grosof, Hong, Harchol-Balter and Scheller-Wolf, The RESET and MARC
// Techniques, with Application to Multiserver-Job Analysis (2023).
func HeavyTraffic(ctx context.Context, m *problem.Problem, fresh bool) (_ *result.HeavyTraffic, err error) {
	defer problem.Caught("HeavyTraffic", &err)
	return cache.Answer(func() *cache.Question { return m.Question("heavy traffic", new(problem.Options), nil) }, fresh,
		func(h *result.HeavyTraffic, at time.Time) { h.Remembered = at },
		func(*result.HeavyTraffic) bool { return true },
		func() (*result.HeavyTraffic, error) { return heavyTraffic(ctx, m) })
}

// heavyTraffic is HeavyTraffic without memory.
func heavyTraffic(ctx context.Context, m *problem.Problem) (*result.HeavyTraffic, error) {
	s, err := states.Of(m.Compiled())
	if err != nil {
		return nil, fmt.Errorf("HeavyTraffic: %w", err)
	}
	exponential := true
	for i, c := range s.Classes {
		exponential = exponential && len(c.Alpha) == 1
		if at0 := 1 - m.Classes[i].Service.Survival(0); at0 > 0 {
			return nil, fmt.Errorf("HeavyTraffic: class %q has no service time at all with probability %.3g; it must be positive", m.Classes[i].Name, at0)
		}
	}
	plan := s.Compile()
	chain, err := saturated.NewChain(ctx, plan, MaxExactStates)
	if err != nil {
		return nil, fmt.Errorf("HeavyTraffic: %w", err)
	}
	sol, err := chain.Solve(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("HeavyTraffic: %w", err)
	}
	h := &result.HeavyTraffic{Limit: *StabilityAt(m, sol.Throughput, 0, "saturated-chain",
		fmt.Sprintf(sourceChain, sol.States, sol.Pairs, sol.Residual))}
	if h.RelativeCompletions, err = chain.RelativeCompletions(ctx, sol); err != nil {
		return nil, fmt.Errorf("HeavyTraffic: %w", err)
	}
	if exponential && chain.States() <= saturated.MaxDeltas {
		h.States, err = saturatedStates(ctx, m, chain, sol, plan)
	}
	return h, err
}

// saturatedStates lists the states of a chain of exponential classes.
func saturatedStates(ctx context.Context, m *problem.Problem, chain *saturated.Chain, sol *saturated.Solution, plan *states.Plan) ([]result.SaturatedState, error) {
	deltas, err := chain.Deltas(ctx, sol)
	if err != nil {
		return nil, err
	}
	probs := chain.Probabilities(sol)
	out := make([]result.SaturatedState, len(deltas))
	chain.Describe(func(i int, counts []int32, _ int) {
		jobs := make([]int, len(m.Classes))
		shown := make([]bool, len(counts))
		for c, kind := range plan.Of {
			if !shown[kind] {
				jobs[c], shown[kind] = int(counts[kind]), true
			}
		}
		out[i] = result.SaturatedState{Jobs: jobs, Prob: probs[i], Relative: deltas[i]}
	})
	return out, nil
}
