package deferred

import (
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
	switch p := p.(type) {
	case policy.FCFS:
		return window{plan, 1}, nil
	case policy.Window:
		return window{plan, p.Jobs}, nil
	case policy.ServerFilling:
		return filling{plan}, nil
	case policy.MostServersFirst:
		return mostServers{plan}, nil
	case policy.LeastServersFirst:
		return leastServers{plan}, nil
	case policy.AdaptiveQuickswap:
		return adaptive{plan}, nil
	case policy.Quickswap:
		return newQuickswap(plan, p.Threshold, false), nil
	case policy.ArmedQuickswap:
		return newQuickswap(plan, p.Threshold, true), nil
	case policy.PreemptiveMostServersFirst:
		return preemptiveMost{plan}, nil
	case policy.PreemptiveLeastServersFirst:
		return preemptiveLeast{plan}, nil
	case policy.MaxWeight:
		return maxWeight{plan}, nil
	case policy.BoundPriority:
		return levelRule(p, plan)
	case policy.FirstFit:
		if len(plan.kinds) > 2 {
			return nil, fmt.Errorf("policy %s with %d needs: the order of the skipped jobs would be part of the state; use at most 2 needs, or mjq.Simulation{}", p, len(plan.kinds))
		}
		return firstFit{plan}, nil
	}
	return nil, fmt.Errorf("policy %s: no chain of manageable size is known for it; simulate it, or ask for its unbiased means", p)
}
