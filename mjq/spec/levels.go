package spec

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/policy"
)

// BoundPolicy is the policy for the classes; FCFS if none is given.
func (s *Spec) BoundPolicy() policy.Policy {
	if s.Policy == nil {
		return policy.FCFS{}
	}
	var classes []policy.Bound
	for _, c := range s.Classes {
		classes = append(classes, policy.Bound{Name: c.Name, Service: c.Service})
	}
	return policy.Bind(s.Policy, classes)
}

// Levels are the classes by level of a priority, by their indices, without levels of which
// no job comes; nil under other policies.
func (s *Spec) Levels() (levels [][]int) {
	p, ok := s.BoundPolicy().(policy.Leveled)
	if !ok {
		return nil
	}
	last := 0
	for i := range s.Classes {
		last = max(last, p.Level(i))
	}
	for level := range last + 1 {
		var of []int
		for i, c := range s.Classes {
			if c.Prob > 0 && p.Level(i) == level {
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
	p := s.Policy.(policy.Priority)
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
	p, ok := s.Policy.(policy.Priority)
	if !ok || p.Preempts != "" {
		return "", "", false
	}
	switch p.Inner.(type) {
	case policy.FirstFit, policy.MostServersFirst:
	default:
		if !p.Passes {
			return "", "", false
		}
	}
	for _, a := range s.Classes {
		for _, b := range s.Classes {
			if p.LevelOf(a.Name) < p.LevelOf(b.Name) && a.Need > b.Need && a.Prob > 0 && b.Prob > 0 {
				return a.Name, b.Name, true
			}
		}
	}
	return "", "", false
}
