package policychain

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/policy"
)

// action is a step of a pass: to begin the earliest job of a kind that waits, or one
// of those below.
type action int

const (
	stop action = -1 - iota
	look        // at the first job of the line
)

// rule is a policy as it acts on states.
type rule interface {
	// next is the next step of the pass. It may change the mode of the state.
	next(s *state) action
}

// preemptive is a rule under which jobs that have begun may be stopped.
type preemptive interface {
	rule
	// serves is how many jobs of a kind run: the earliest.
	serves(s *state, kind int) int
}

// vain is a rule under which work is done in vain, so that the counts do not tell all of a chain that is cut.
type vain interface {
	tell(ctx context.Context, c *cutChain, m *Measures) error
}

// leaver is a rule whose mode changes when a job has left.
type leaver interface {
	left(s *state, kind int)
}

// bounded is a rule that never looks beyond a number of jobs.
type bounded interface {
	rule
	// sees is the most jobs that are known at a time.
	sees() int
}

// ruleOf is the rule of a policy, or why there is none.
func ruleOf(p policy.Policy, plan *plan) (rule, error) {
	if x, ok := p.(policy.Prioritized); ok {
		return levelRule(p, x.Rules(), plan)
	}
	k := p.Properties()
	switch k.Order {
	case policy.WindowOrder:
		return window{plan, k.Look}, nil
	case policy.FrontOrder:
		return filling{plan}, nil
	case policy.LargestOrder:
		if k.Preemptive {
			return inOrder{plan, true}, nil
		}
		return mostServers{plan}, nil
	case policy.SmallestOrder:
		if k.Preemptive {
			return inOrder{plan, false}, nil
		}
		return leastServers{plan}, nil
	case policy.AdaptiveOrder:
		return adaptive{plan}, nil
	case policy.SwapOrder, policy.ArmedOrder:
		return newQuickswap(plan, k.Look, k.Order == policy.ArmedOrder), nil
	case policy.WeightOrder:
		return maxWeight{plan}, nil
	case policy.ArrivalOrder:
		if len(plan.kinds) > 2 {
			return nil, fmt.Errorf("policy %s with %d needs: the order of the skipped jobs would be part of the state; use at most 2 needs, or mjq.Simulation{}", p, len(plan.kinds))
		}
		return firstFit{plan}, nil
	}
	return nil, fmt.Errorf("policy %s: no chain of manageable size is known for it; simulate it, or ask for its unbiased means", p)
}
