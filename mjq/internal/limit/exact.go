package limit

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/saturated"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
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
	sourceChain   = "saturated chain of %d states (%d with the head of the queue named), relative residual %.1g"
)

// exactLimit is the limit by product form or by a chain of at most so many
// states.
func exactLimit(ctx context.Context, m *problem.Problem, most float64, report func(done, total float64)) (*result.Stability, error) {
	s, err := states.Of(m.Compiled())
	if err != nil {
		return nil, err
	}
	plan := s.Compile()
	if f, ok, err := saturated.ProductForm(ctx, plan); err != nil {
		return nil, err
	} else if ok {
		return StabilityAt(m, f.Throughput, 0, "product-form", fmt.Sprintf(sourceProduct, f.Theorem)), nil
	}
	chain, err := saturated.NewChain(ctx, plan, most)
	if err != nil {
		return nil, err
	}
	sol, err := chain.Solve(ctx, report)
	if sol == nil {
		return nil, err
	}
	st := StabilityAt(m, sol.Throughput, 0, "saturated-chain",
		fmt.Sprintf(sourceChain, sol.States, sol.Pairs, sol.Residual))
	if err != nil { // an iterate on its way: nothing bounds its error
		st.HalfWidth, st.Met = math.Inf(1), false
	}
	return st, err
}
