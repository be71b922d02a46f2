package problem

import (
	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Levels is the queue under a priority as package classic has it, its levels counted
// without gaps. It is for Poisson arrivals alone at a known rate, on servers that are alike; false
// elsewhere.
func (p *Problem) Levels() (s classic.Priorities, ok bool) {
	of, ok := p.Discipline().(policy.Prioritized)
	if !ok || p.Load != nil || p.Arrivals == nil || !p.Poisson() || p.Features().Has(spec.Unlike|spec.Placed|spec.Sent) {
		return s, false
	}
	s.Servers, s.Needs, s.Policy = p.Servers, p.Needs(), of.Rules()
	for _, c := range p.Classes {
		s.Classes = append(s.Classes, classic.PriorityClass{Rate: p.Rate() * c.Prob, Service: c.Service})
	}
	for level, classes := range p.Spec.Levels() {
		for _, i := range classes {
			s.Classes[i].Level = level
		}
	}
	return s, true
}

// LevelsAlone is the queue of the first levels of a priority alone, and its classes by their
// indices here; see Levels.
func (p *Problem) LevelsAlone(count int) (alone *Problem, classes []int) {
	s, classes := p.OfLevels(count)
	return New(s), classes
}
