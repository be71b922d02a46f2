package problem

import (
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Discipline is the policy for the classes.
func (p *Problem) Discipline() policy.Policy { return p.BoundPolicy() }

// Types are the types of resources as the event engine has them; nil without.
func (p *Problem) Types() *events.Types {
	if len(p.Resources) == 0 {
		return nil
	}
	t := &events.Types{}
	for _, r := range p.Resources {
		t.Units = append(t.Units, r.Units)
	}
	for _, c := range p.Classes {
		t.Needs = append(t.Needs, c.Units)
	}
	return t
}

// Needs are the servers that the classes need.
func (p *Problem) Needs() (list []int) {
	for _, c := range p.Classes {
		list = append(list, c.Need)
	}
	return list
}

// Simulator is an empty system under the policy.
func (p *Problem) Simulator() *events.Simulator {
	if t := p.Types(); t != nil {
		return events.NewTyped(t, p.Discipline())
	}
	return events.NewScheduled(p.Servers, p.Discipline(), p.Needs())
}
