package problem

import (
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/law"
)

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

// Placed are the nodes as the event engine has them; nil without.
func (p *Problem) Placed() *events.Nodes {
	if !p.OnNodes() {
		return nil
	}
	n := &events.Nodes{Placement: p.Placement, Probs: p.Shares(), Typed: len(p.Resources) > 0}
	for _, k := range p.Nodes {
		n.Kinds = append(n.Kinds, events.NodeKind{Count: k.Count, Units: k.Of()})
	}
	for i := range p.Classes {
		n.Spans = append(n.Spans, events.Span{Nodes: p.Span(i), Each: p.Each(i)})
	}
	return n
}

// Needs are the servers that the classes need.
func (p *Problem) Needs() (list []int) {
	for _, c := range p.Classes {
		list = append(list, c.Need)
	}
	return list
}

// Engine is the queue under its policy as the event engine has it.
func (p *Problem) Engine() events.System {
	return events.System{Servers: p.Servers, Classes: len(p.Classes), Policy: p.Discipline(), Needs: p.Needs(), Known: p.PolicySystem().Classes, Types: p.Types(), Nodes: p.Placed(),
		Room: p.Let(), Patience: p.Patiences(), AlsoPreempted: p.Spec.AlsoPreempted}
}

// Let is who is let in, as the event engine has it; nil for all.
func (p *Problem) Let() *events.Room {
	if p.Room == nil {
		return nil
	}
	r := &events.Room{Jobs: *p.Room, Alone: p.Arrivals == nil}
	for i, c := range p.Classes {
		if p.Keeps() {
			r.Keep = append(r.Keep, c.Keep)
		}
		if c.Users > 0 {
			r.Users = append(r.Users, events.Users{Class: i, Number: c.Users, Need: c.Need, Think: law.Prepare(c.Think), Service: law.Prepare(c.Service)})
		}
	}
	return r
}

// Patiences are the laws by which jobs give up, by class; nil if none does.
func (p *Problem) Patiences() []events.Sampler {
	if !p.Impatient() {
		return nil
	}
	laws := make([]events.Sampler, len(p.Classes))
	for i, c := range p.Classes {
		if c.Patience != nil {
			laws[i] = law.Prepare(c.Patience)
		}
	}
	return laws
}
