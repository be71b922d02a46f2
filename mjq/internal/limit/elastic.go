package limit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/elastic"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// What the chain for the limit may take: states and bytes, and operations where it need not be exact.
var mostElastic = chain.Limits{States: 200_000, Bytes: 2e9}

const usualElastic = 1e10

// elasticBound is the limit, or the rate beyond which servers are too few at any size of the jobs.
func elasticBound(ctx context.Context, p *problem.Problem, alive func()) (*result.Stability, error) {
	if !p.Features().Has(spec.Ordered) {
		return Of(ctx, p, alive)
	}
	st := atMost(p, p.IdealRate(), "With elastic jobs under this policy it is unknown.")
	st.Source, st.Met = "work on the number of servers that is used best", true
	return st, nil
}

// elasticLimit is the limit where jobs change their size: by the chain first come first served, or else by
// simulation of a queue that is never empty; under other policies it is searched for.
func elasticLimit(ctx context.Context, p *problem.Problem, by Way, o *problem.Options) (*result.Stability, error) {
	if by.Piled {
		return nil, errors.New("the pile is for jobs that hold what they need; leave out mjq.Pile{}")
	}
	st, err := elasticChain(ctx, p, by.Exact)
	switch {
	case err == nil || ctx.Err() != nil:
		return st, err
	case by.Exact:
		return nil, fmt.Errorf("no exact limit: %w; leave out mjq.Exact{} to find it by simulation", err)
	case !p.Features().Has(spec.Ordered):
		st, err = elasticSaturated(ctx, p, o)
	default:
		st, err = searchLimit(ctx, p, o)
	}
	if st != nil {
		st.Wasted = math.NaN() // what a job costs depends on its size
	}
	return st, err
}

// elasticChain is the limit by the chain.
func elasticChain(ctx context.Context, p *problem.Problem, forced bool) (*result.Stability, error) {
	if p.Features().Has(spec.Ordered) {
		return nil, fmt.Errorf("policy %v: the chain with elastic jobs is of first come, first served", p.Policy)
	}
	if p.Features().Has(spec.Away) {
		return nil, errors.New("servers fail or are spare, and the chain with elastic jobs has all of them at any time; simulate it")
	}
	if p.Features().Has(spec.Marked) {
		return nil, errors.New("the arrivals mark classes, whose order matters, and the chain with elastic jobs has classes in random order; simulate it")
	}
	q, err := elastic.Of(p.Compiled())
	if err != nil {
		return nil, err
	}
	if wide, levels := q.Size(); !forced && (30+2*levels)*wide*wide*wide > usualElastic {
		return nil, fmt.Errorf("the chain has levels of about %.3g states", wide)
	}
	rate, err := q.Limit(ctx, mostElastic)
	if err != nil {
		return nil, err
	}
	st := StabilityAt(p, rate, 0, "saturated-chain", "drift of the chain of jobs that run, by class and size")
	st.Wasted = math.NaN()
	return st, nil
}
