package spec

import (
	"slices"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Discipline is the policy; FCFS if none is given.
func (s *Spec) Discipline() policy.Policy {
	if s.Policy == nil {
		return policy.FCFS{}
	}
	return s.Policy
}

// PolicySystem is the queue as its policy sees it.
func (s *Spec) PolicySystem() policy.System {
	x := policy.System{Servers: s.Servers, Nodes: s.OnNodes(), NodeCount: s.NodeCount(), Fails: s.Away(), Booked: len(s.Reservations) > 0}
	for _, r := range s.Resources {
		x.Units = append(x.Units, r.Units)
		if !x.Nodes {
			x.Servers += r.Units
		}
	}
	for i, c := range s.Classes {
		known := policy.Class{Name: c.Name, Need: s.Least(i), Units: c.Units, Service: c.Service}
		if c.Units != nil {
			known.Need = 0
			for _, n := range c.Units {
				known.Need += n
			}
		}
		if c.Service != nil && panics.Call(func() { known.Mean = c.Service.Mean() }) != nil {
			known.Mean = 0 // a fault of the law, which LawFaults tells
		}
		if x.Nodes {
			known.Nodes = s.Span(i)
		}
		x.Classes = append(x.Classes, known)
	}
	return x
}

// levelOf is the level of each class; nil under policies without levels.
func (s *Spec) levelOf() []int {
	if p, ok := s.Policy.(policy.Leveled); ok {
		return p.LevelsOf(s.PolicySystem().Classes)
	}
	return nil
}

// Levels are the classes by level of a priority, by their indices, without levels of which
// no job comes, of arrivals or of users; nil under other policies.
func (s *Spec) Levels() (levels [][]int) {
	level := s.levelOf()
	if level == nil {
		return nil
	}
	for l := range slices.Max(level) + 1 {
		var of []int
		for i, c := range s.Classes {
			if (c.Prob > 0 || c.Users > 0) && level[i] == l {
				of = append(of, i)
			}
		}
		if of != nil {
			levels = append(levels, of)
		}
	}
	return levels
}

// OfLevels is the queue of the first levels of a priority alone, whose arrivals must be
// Poisson with a rate that is known, and its classes by their indices here. A single level
// is served first come, first served, unless the priority has another policy within.
func (s *Spec) OfLevels(count int) (alone *Spec, classes []int) {
	levels := s.Levels()[:count]
	classes = slices.Concat(levels...)
	slices.Sort(classes)
	c := *s
	c.Notes, c.open, c.Classes = nil, nil, nil
	share := 0.0
	for _, i := range classes {
		share += s.Classes[i].Prob
	}
	for _, i := range classes {
		class := s.Classes[i]
		class.Prob /= share
		c.Classes = append(c.Classes, class)
	}
	p := s.Policy.(policy.Prioritized).Rules()
	p.Levels = nil
	for _, of := range levels {
		var names []string
		for _, i := range of {
			names = append(names, s.Classes[i].Name)
		}
		p.Levels = append(p.Levels, names)
	}
	c.Policy = p
	if count == 1 && p.Inner == nil {
		c.Policy = nil
	}
	return c.WithRate(s.Arrivals.Rate() * share), classes
}

// Starving names two classes of which the first may starve, being of a higher level and of
// a larger need than the second, which may pass it.
func (s *Spec) Starving() (high, low string, starves bool) {
	level := s.levelOf()
	if level == nil || !s.Policy.Properties().Passes {
		return "", "", false
	}
	for i, a := range s.Classes {
		for j, b := range s.Classes {
			if level[i] < level[j] && a.Need > b.Need && a.Prob > 0 && b.Prob > 0 {
				return a.Name, b.Name, true
			}
		}
	}
	return "", "", false
}
