package limit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/elastic"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Elastic is a queue whose jobs change their size, as the chain takes it, with a rate of 1.
func Elastic(s *spec.Spec) (*elastic.Queue, error) {
	q := &elastic.Queue{Servers: s.Servers, Rate: 1, Oldest: s.Oldest}
	varies := 0
	for i := range s.Classes {
		c := &s.Classes[i]
		rate, ok := law.ExponentialRate(c.Service)
		if !ok {
			return nil, fmt.Errorf("class %q: service %v; queues with elastic jobs are solved with exponential services", c.Name, c.Service)
		}
		class := elastic.Class{Least: c.Need, Need: c.Need, Most: c.Need, Prob: c.Prob, Rate: rate, Speed: spec.Speed{}.On}
		if e := c.Elastic; e != nil {
			class.Least, class.Most, class.Partial, class.Sizes, class.Speed = e.Least, max(c.Need, e.Most), e.Partial, e.Speed.Only, e.Speed.On
			if e.Speed.Cost > 0 {
				return nil, fmt.Errorf("class %q: a time of %v to resize: the chain has no time in which jobs stand still", c.Name, e.Speed.Cost)
			}
			if !e.Partial && e.Least < e.Most {
				varies++
			}
		}
		q.Classes = append(q.Classes, class)
	}
	if varies > 1 {
		return nil, elastic.ErrClasses
	}
	return q, nil
}

// What the chain for the limit may take: states and bytes, and operations where it need not be exact.
var mostElastic = chain.Limits{States: 200_000, Bytes: 2e9}

const usualElastic = 1e10

// elasticBound is the limit, or the rate beyond which servers are too few at any size of the jobs.
func elasticBound(ctx context.Context, p *problem.Problem, alive func()) (*result.Stability, error) {
	if !p.Features().Has(spec.Ordered) || p.Limits().Found() != nil {
		return Of(ctx, p, alive)
	}
	st := StabilityAt(p, p.IdealRate(), 0, "upper bound", "work on the number of servers that is used best")
	st.Wasted, st.Notes = math.NaN(), []string{"With elastic jobs under this policy it is unknown. If the rate is above it, these waits grow with the length of the run. Ask Stability to search for it."}
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
	if p.Away() {
		return nil, errors.New("servers fail or are spare, and the chain with elastic jobs has all of them at any time; simulate it")
	}
	if p.Features().Has(spec.Marked) {
		return nil, errors.New("the arrivals mark classes, whose order matters, and the chain with elastic jobs has classes in random order; simulate it")
	}
	q, err := Elastic(p.Spec)
	if err != nil {
		return nil, err
	}
	if wide, levels := q.Size(); !forced && (30+2*levels)*wide*wide*wide > usualElastic {
		return nil, fmt.Errorf("the chain has levels of about %.3g states", wide)
	}
	a, err := q.Solve(ctx, mostElastic)
	if err != nil {
		return nil, err
	}
	st := StabilityAt(p, a.Limit, 0, "saturated-chain", "drift of the chain of jobs that run, by class and size")
	st.Wasted = math.NaN()
	return st, nil
}
