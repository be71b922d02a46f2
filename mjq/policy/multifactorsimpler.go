package policy

import (
	"cmp"
	"slices"

	"github.com/mjqueue/mjq/internal/fairshare"
)

// Simpler returns the policy without weights that the priorities come to, if there is one. Where the
// class alone decides, that is a [Priority] with a level for each value. With one level, or with ages
// alone, it is the policy within.
func (p Multifactor) Simpler(s System) Policy {
	if p.Validate(s) != nil || s.Owners != nil {
		return p
	}
	var inner Policy = FCFS{}
	if p.Inner != nil {
		inner = p.Inner
	}
	if len(s.Classes) == 1 {
		return inner
	}
	if p.FairShare > 0 || p.Age > 0 && p.CalcPeriod > 0 {
		return p
	}
	type ranked struct {
		tier  int
		fixed float64
		class int
	}
	var list []ranked
	for i, tier := range (Priority{Levels: p.Levels}).LevelsOf(s.Classes) {
		fixed := p.fixedOf(&s.Classes[i], s)
		if p.Age == 0 {
			fixed = fairshare.Whole(fixed + p.Other[""])
		}
		list = append(list, ranked{tier, fixed, i})
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(b.fixed, a.fixed)) })
	var out Priority
	for i, x := range list {
		switch before := list[max(0, i-1)]; {
		case i == 0 || before.tier != x.tier || p.Age == 0 && before.fixed != x.fixed:
			out.Levels = append(out.Levels, nil)
		case before.fixed != x.fixed:
			return p // ages and classes together
		}
		last := len(out.Levels) - 1
		out.Levels[last] = append(out.Levels[last], s.Classes[x.class].Name)
	}
	if len(out.Levels) == 1 {
		return inner
	}
	out = out.Within(inner)
	if Validate(out, s) != nil { // it does not serve types of resources
		return p
	}
	return out
}
