package policychain

import (
	"cmp"
	"fmt"

	"github.com/mjqueue/mjq/mjq/policy"
)

// Under a priority a kind is a level and a need, and the kinds stand in the order in which
// a pass goes through them. Of a level with jobs of several needs, first come, first
// served, the order of the jobs would belong into the state, so there must be one need a
// level; the largest first need no order. A first level that preempts a single kind may have
// several, since the order of those not looked at is not known; see over.

// order is that of the kinds under a policy.
type order struct {
	levels  []int // by class
	largest bool  // of a level first
}

func orderOf(p policy.Policy, classes []policy.Class) order {
	o := order{levels: policy.LevelsOf(p, classes)}
	if x, ok := p.(policy.Prioritized); ok {
		o.largest = within(x.Rules()) == policy.LargestOrder
	}
	return o
}

// within is the order of the policy within the levels; that of a window of one job by default.
func within(p policy.Priority) policy.Order {
	if p.Inner == nil {
		return policy.WindowOrder
	}
	return p.Inner.Properties().Order
}

func (o order) compare(a, b kind) int {
	if o.largest {
		a.need, b.need = b.need, a.need
	}
	return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.need, b.need))
}

// alike reports whether both are jobs of one level and need.
func (k kind) alike(other kind) bool { return k.level == other.level && k.need == other.need }

// levelRule is the rule of a policy that serves its levels by those of a priority, or why there is
// none.
func levelRule(named policy.Policy, p policy.Priority, plan *plan) (rule, error) {
	passes := p.Passes
	inner := within(p)
	switch inner {
	case policy.WindowOrder, policy.FrontOrder: // of one need the front is as many as fit
	case policy.ArrivalOrder, policy.LargestOrder:
		passes = true
	default:
		return nil, fmt.Errorf("policy %s: no chain of manageable size is known for %s within levels; simulate it, or ask for its unbiased means", named, p.Inner)
	}
	anew := p.Preempts == policy.Resampled && p.Added == nil
	if p.ExemptFor > 0 || p.Properties().Loses && !anew {
		return nil, fmt.Errorf("policy %s: how long a job has run would belong into the state; simulate it, or ask for its unbiased means", named)
	}
	if inner != policy.LargestOrder {
		if top := plan.belowOne(); top > 1 && p.Preempts == policy.Resume && inner == policy.WindowOrder && plan.input.poisson {
			return newOver(plan, top), nil
		}
		for k := range plan.kinds[1:] {
			if level := plan.kinds[k].level; level == plan.kinds[k+1].level {
				return nil, fmt.Errorf("policy %s: level %d has jobs of needs %d and %d, whose order would belong into the state; at most one need a level, or simulate it", named, level, plan.kinds[k].need, plan.kinds[k+1].need)
			}
		}
	}
	switch {
	case anew:
		return newResampled(named, plan)
	case p.Preempts != "":
		return inOrder{plan, false}, nil
	case passes:
		return inTurn{plan}, nil
	}
	return leastServers{plan}, nil
}

// inTurn begins jobs of kind after kind, of each while they fit.
type inTurn struct{ *plan }

func (p inTurn) next(s *state) action {
	if s.line > 0 {
		return look
	}
	for k, waiting := range s.queue {
		if waiting > 0 && p.kinds[k].need <= p.free(s) {
			return action(k)
		}
	}
	return stop
}
