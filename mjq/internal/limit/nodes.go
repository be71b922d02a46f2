package limit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Sources of the limits of jobs on nodes.
const (
	sourceUnheld = "G/G/k: no job has to wait for a place while units of its node are free"
	sourceNodes  = "saturated chain of %d configurations of the nodes, relative residual %.1g: Baccelli and Foss (1995)"
)

// What the saturated chain of nodes may take: memory, and operations before sweeps take the
// place of elimination; the residual that these aim at.
const (
	nodeBytes     = 2e9
	nodeFlops     = 2e10
	nodeTolerance = 1e-13
)

// placedLimit is the limit of jobs on nodes: closed where none holds up another, and first come
// first served by a chain.
func placedLimit(ctx context.Context, p *problem.Problem, spend effort) (*result.Stability, error) {
	if rate, ok := p.UnheldRate(); ok {
		return StabilityAt(p, rate, 0, "closed form", sourceUnheld), nil
	}
	if p.Features().Has(spec.Marked) {
		return nil, errors.New("the arrivals mark classes, whose order matters, and chains on nodes have classes in random order; simulate it")
	}
	s, _, err := problem.SizedNodes(p.Spec, spend.configs)
	if err != nil {
		return nil, err
	}
	most := chain.Limits{States: problem.MostNodeConfigs, Bytes: nodeBytes, Flops: nodeFlops, Tolerance: nodeTolerance}
	if spend.report != nil {
		most.ReportStates = func(int) { spend.report(0, 1) }
		most.ReportSolving = func(part float64) { spend.report(part, 1) }
	}
	l, err := s.Limit(ctx, most)
	if err != nil {
		return nil, err
	}
	return StabilityAt(p, l.Rate, 0, "saturated-chain", fmt.Sprintf(sourceNodes, l.States, l.Residual)), nil
}

// capacityNodes are the kinds of nodes of a queue, the one first that jobs of whole nodes take;
// none without nodes. It says where no linear program is known.
func capacityNodes(f *check.Faults, p *problem.Problem) (list []nodeKind) {
	for _, k := range p.Nodes {
		at := slices.IndexFunc(list, func(n nodeKind) bool { return slices.Equal(n.Units, k.Of()) })
		if at < 0 {
			list = append(list, nodeKind{Count: k.Count, Units: k.Of()})
		} else {
			list[at].Count += k.Count
		}
	}
	slices.SortStableFunc(list, func(a, b nodeKind) int { return slices.Compare(b.Units, a.Units) })
	if !p.Features().Has(spec.Placed) {
		return list
	}
	for i := range p.Classes {
		c, span := &p.Classes[i], p.Span(i)
		if span == 1 {
			continue
		}
		whole := span > 1 && slices.Equal(p.Each(i), list[0].Units) && (len(list) == 1 || len(p.Resources) == 0)
		f.That(whole, "class %q: the capacity of nodes is of jobs on one node or on whole nodes; leave the nodes out, which gives an upper bound", c.Name)
	}
	return list
}

// wholeNodes is how many nodes a need takes that is of several whole ones, and else 0.
func wholeNodes(n nodeKind, need []int) int {
	for j, units := range n.Units {
		if need[j] > units {
			return need[j] / units
		}
	}
	return 0
}

// WithPool is the limit of jobs on nodes with that of the same units as one pool, if it is
// known or soon found. Nodes that fail are no pool: there each unit would fail by itself, and more jobs be hit.
func WithPool(ctx context.Context, p *problem.Problem, st *result.Stability) (*result.Stability, error) {
	if !p.Features().Has(spec.Placed) || p.Fails() || p.Limitless() != "" {
		return st, nil
	}
	pool, err := Of(ctx, problem.New(p.Pooled()), nil)
	if err != nil {
		if ctx.Err() != nil {
			return st, context.Cause(ctx)
		}
		return st, nil
	}
	with := *st
	with.Pool = pool.Estimate()
	return &with, nil
}
