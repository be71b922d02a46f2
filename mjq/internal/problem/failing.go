package problem

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/failing"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// hows are what follows a hit, by its word.
var hows = map[policy.Preemption]failing.How{
	"": failing.Checkpoint, policy.Resume: failing.Resume, policy.Restart: failing.Restart,
	policy.Resampled: failing.Resampled, policy.Drop: failing.Drop, policy.Migrate: failing.Migrate,
}

// AfterHit is what follows a hit of a job of a class.
func AfterHit(s *spec.Spec, class int) failing.After {
	c := s.AfterFailure(class)
	return failing.After{How: hows[c.How], Every: c.Every, Cost: c.Cost, Recovery: c.Recovery, Detection: c.Detection}
}

// FailingServers are servers that fail as package failing sees them, and how many a job of each class
// needs: on nodes, whole nodes. The error says all that is not known of them in formulas.
func FailingServers(s *spec.Spec) (x failing.Servers, needs []int, err error) {
	var f check.Faults
	x = failing.Servers{All: s.Failing(), Crews: s.RepairCrews()}
	for i := range s.Failures {
		k := &s.Failures[i]
		rate, ok := law.ExponentialRate(k.Up)
		f.That(ok, "Failures %q: the time up is %v; formulas are of exponential times; use mjq.Simulation{}", k.Name, k.Up)
		f.That(k.Notice == 0 && k.Lemons == 0, "Failures %q: formulas are of servers that are alike and fail without notice; use mjq.Simulation{}", k.Name)
		f.That(k.WhileBusy == s.Failures[0].WhileBusy, "Failures %q: it counts other times than %q; formulas are of kinds that all count while servers are busy, or none; use mjq.Simulation{}", k.Name, s.Failures[0].Name)
		x.Kinds = append(x.Kinds, failing.Kind{Rate: rate, Repair: k.Repair})
		x.Busy = k.WhileBusy
	}
	f.That(len(s.Reservations) == 0, "servers are reserved at times; formulas are of servers that only fail; leave Reserve out")
	f.That(len(s.Nodes) < 2, "%d kinds of nodes: formulas are of nodes that are alike; use mjq.Simulation{}", len(s.Nodes))
	for i := range s.Classes {
		c := &s.Classes[i]
		need := c.Need
		if len(s.Nodes) == 1 {
			units := s.Nodes[0].Units
			f.That(!c.Scattered && len(s.Resources) == 0 && need%units == 0, "class %q: formulas are of jobs on whole nodes; use mjq.Simulation{}", c.Name)
			need /= units
		}
		needs = append(needs, max(1, need))
	}
	return x, needs, errors.Join(f.List()...)
}

// FailingQueue is a queue on servers that fail as package failing solves it. The error says all that
// keeps it from being a chain.
func FailingQueue(s *spec.Spec, rate float64) (*failing.Queue, error) {
	var f check.Faults
	x, needs, err := FailingServers(s)
	f.Join(err)
	f.That(!x.Busy, "WhileBusy: chains are of servers that fail whether busy or not; use mjq.Simulation{}")
	f.That(!s.Features().Has(spec.Ordered|spec.Turning), "chains of servers that fail are first come, first served, with room for all jobs; use mjq.Simulation{}")
	f.That(s.Arrivals == nil || s.Poisson(), "arrivals: chains of servers that fail have Poisson arrivals; use mjq.Simulation{}")
	q := &failing.Queue{Servers: x, Spares: s.Spares, Rate: rate}
	for i := range s.Classes {
		c := &s.Classes[i]
		a := AfterHit(s, i)
		if i == 0 {
			q.How = a.How
		}
		exponential := a.How == failing.Resume || a.How == failing.Resampled || a.How == failing.Migrate
		f.That(exponential && a.Recovery == 0 && a.Detection == 0, "class %q: After(%v): chains are of resume, resampled and migrate without recovery and detection; use mjq.Simulation{}", c.Name, s.AfterFailure(i))
		f.That(a.How == q.How, "class %q: After(%v): chains are of jobs that all continue in one way after a failure; use mjq.Simulation{}", c.Name, s.AfterFailure(i))
		f.That(c.Prob > 0, "class %q: no job of it arrives; leave it out", c.Name)
		q.Classes = append(q.Classes, failing.Class{Need: needs[i], Prob: c.Prob, Work: c.Service})
	}
	if err := errors.Join(f.List()...); err != nil {
		return nil, err
	}
	if err := q.Fits(); err != nil {
		return nil, fmt.Errorf("%w; use mjq.Simulation{}", err)
	}
	return q, nil
}

// Uninterrupted is the queue of jobs that are only interrupted, see spec.Spec.Interrupts, as one
// without failures: a job of a class holds its servers for its time in held.
func Uninterrupted(p *Problem) (q *Problem, held []failing.Holding) {
	x, needs, err := FailingServers(p.Spec)
	if err != nil {
		panic(err) // of jobs that are only interrupted it is known
	}
	s := *p.Spec
	s.Failures, s.Crews = nil, nil
	s.Classes = append([]spec.Class(nil), s.Classes...)
	for i := range s.Classes {
		c := &s.Classes[i]
		h := failing.Hold(c.Service, float64(needs[i])*x.Rate(), AfterHit(p.Spec, i))
		held = append(held, h)
		c.Service, c.After = h.Law(), nil
	}
	return &Problem{&s, p.known}, held
}
