package trace

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/policy"
)

// Scenarios are other weights for the site, each of which changes one setting of the priorities, for
// WhatIf and Advise. How is the replay that they are compared with; see Replay.
func (s *Slurm) Scenarios(t *Trace, how Replay) (list []Scenario) {
	base, _ := s.For(t)
	add := func(setting string, change func(p *policy.Multifactor)) {
		p, x := base, how
		change(&p)
		x.Policy = p
		list = append(list, Scenario{Name: "priorities with " + setting, Replay: x, Setting: setting})
	}
	weight := func(name string, of func(p *policy.Multifactor) *float64, times ...float64) {
		was := *of(&base)
		if was == 0 {
			return
		}
		for _, x := range times {
			to := math.Round(was * x)
			add(fmt.Sprintf("%s=%.0f", name, to), func(p *policy.Multifactor) { *of(p) = to })
		}
	}
	weight("PriorityWeightAge", func(p *policy.Multifactor) *float64 { return &p.Age }, 5, 0)
	weight("PriorityWeightFairShare", func(p *policy.Multifactor) *float64 { return &p.FairShare }, 5, 0)
	weight("PriorityWeightJobSize", func(p *policy.Multifactor) *float64 { return &p.Size }, 5, 0)
	weight("PriorityWeightQOS", func(p *policy.Multifactor) *float64 { return &p.Class }, 5, 0)
	if base.FairShare > 0 {
		for _, days := range []float64{2, 14, 30} {
			if base.HalfLife != days*Day {
				add(fmt.Sprintf("PriorityDecayHalfLife=%g-0", days), func(p *policy.Multifactor) { p.HalfLife = days * Day })
			}
		}
	}
	return list
}
