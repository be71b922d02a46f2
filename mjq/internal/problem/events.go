package problem

import (
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Types are the types of resources as the event engine has them; nil without.
func (p *Problem) Types() *compiled.Types {
	if len(p.Resources) == 0 {
		return nil
	}
	t := &compiled.Types{}
	for _, r := range p.Resources {
		t.Units = append(t.Units, r.Units)
	}
	for _, c := range p.Classes {
		t.Needs = append(t.Needs, c.Units)
	}
	return t
}

// Placed are the nodes as the event engine has them; nil without.
func (p *Problem) Placed() *compiled.Nodes {
	if !p.Features().Has(spec.Placed) {
		return nil
	}
	n := &compiled.Nodes{Placement: p.Placement, Probs: p.Shares(), Typed: len(p.Resources) > 0}
	for _, k := range p.Nodes {
		n.Kinds = append(n.Kinds, compiled.NodeKind{Count: k.Count, Units: k.Of()})
	}
	for i := range p.Classes {
		n.Spans = append(n.Spans, compiled.Span{Nodes: p.Span(i), Each: p.Each(i)})
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

// Compile compiles a description.
func Compile(s *spec.Spec) *compiled.System { return (&Problem{Spec: s}).Compiled() }

// Compiled is the queue under its policy as all compute with it, but for its jobs.
func (p *Problem) Compiled() *compiled.System {
	q := &compiled.System{Servers: p.Servers, Classes: len(p.Classes), Needs: p.Needs(), Probs: p.Shares(), Policy: p.Discipline(), Known: p.PolicySystem().Classes,
		Types: p.Types(), AsPrinted: p.Spec.AsPrinted || p.RandomAssignment, Nodes: p.Placed(),
		Room: p.Let(), Patience: p.Patiences(), AlsoPreempted: p.Spec.AlsoPreempted, Failing: p.Failing()}
	q.Elastic = p.elastic(q.Needs)
	q.Sleep = Asleep(p.Sleep, p.Awake)
	q.Users = p.users()
	q.Alone = len(q.Users) > 0 && p.Arrivals == nil
	if q.Arrivals, q.Rate = p.Arrivals, p.Rate(); q.Alone {
		q.Rate = 0
	}
	for i := range p.Classes {
		q.Open = append(q.Open, p.OpenProb(i))
	}
	p.picks(q)
	return q
}

// Asleep is how servers sleep of which some stay awake, as the event engine has it; nil if they do not.
func Asleep(z *spec.Sleep, awake int) *compiled.Sleep {
	if z == nil {
		return nil
	}
	x := &compiled.Sleep{Setup: z.Setup, Awake: awake}
	if z.After.Mean() > 0 {
		x.After = z.After
	}
	return x
}

// users are those who send jobs, as the event engine has them.
func (p *Problem) users() (list []compiled.Users) {
	for i, c := range p.Classes {
		if c.Users > 0 {
			list = append(list, compiled.Users{Class: i, Number: c.Users, Need: c.Need, Think: c.Think, Service: c.Service})
		}
	}
	return list
}

// picks adds what the classes ask of servers with identities, if servers have any.
func (p *Problem) picks(q *compiled.System) {
	if !p.Features().Has(spec.Picked) {
		return
	}
	named, any := false, false
	for c := range p.Classes {
		pick := p.PickOf(c)
		x := compiled.Pick{Any: pick.Any, Random: pick.Random}
		for _, server := range pick.Named {
			x.Named = append(x.Named, int32(server-1))
		}
		named, any = named || len(x.Named) > 0, any || x.Any > 0
		q.Picks = append(q.Picks, x)
	}
	q.Ordered = !named && (any || !q.AsPrinted)
}

// Let is who is let in, as the event engine has it; nil for all.
func (p *Problem) Let() *compiled.Room {
	if p.Room == nil {
		return nil
	}
	r := &compiled.Room{Jobs: *p.Room}
	if !p.Features().Has(spec.Keeping) {
		return r
	}
	for _, c := range p.Classes {
		r.Keep = append(r.Keep, c.Keep)
	}
	return r
}

// Patiences are the laws by which jobs give up, by class; nil if none does.
func (p *Problem) Patiences() []law.Law {
	if !p.Features().Has(spec.Impatient) {
		return nil
	}
	laws := make([]law.Law, len(p.Classes))
	for i, c := range p.Classes {
		laws[i] = c.Patience
	}
	return laws
}
