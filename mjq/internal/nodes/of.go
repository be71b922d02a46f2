package nodes

import (
	"errors"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/placement"
)

// Of is a queue on nodes. The error says all that keeps it from being a chain of what is on the
// nodes.
func Of(q *compiled.System) (*System, error) {
	var f check.Faults
	on := q.Nodes
	f.That(q.Policy.Properties().Recurrence || q.Room != nil && q.Room.Jobs == 0, "policy %v: chains on nodes are of first come, first served; use mjq.Simulation{}", q.Policy)
	f.That(len(on.Kinds) == 1, "%d kinds of nodes: chains are of nodes that are alike; use mjq.Simulation{}", len(on.Kinds))
	f.That(!on.Typed, "types of resources on nodes: chains are of units of one type; use mjq.Simulation{}")
	_, alike := states.OneLeave(q)
	f.That(alike, "patience on nodes is solved exactly if all classes give up at one rate; use mjq.Simulation{}, or one exponential law for all")
	if p, ok := on.Placement.(placement.Numbered); ok {
		f.That(!p.ByNumber(), "placement %v: it tells nodes apart by their numbers, and chains are of nodes that are alike; use BestFit, WorstFit or RandomFit, or mjq.Simulation{}", on.Placement)
	}
	_, err := states.Phases(q)
	f.Join(err)
	all := on.Kinds[0].Units
	x := &System{Nodes: on.Kinds[0].Count, Units: all[0],
		Score: func(free, need int) float64 { return on.Placement.Score([]int{free}, all[:1], []int{need}) }}
	for i, c := range q.Known {
		span := on.Spans[i]
		f.That(span.Nodes > 0, "class %q: Scattered: chains are of jobs on one node or on whole nodes; use mjq.Simulation{}", c.Name)
		f.That(span.Nodes < 2 || on.Typed || span.Each[0] == x.Units, "class %q: OnNodes(%d, %d): such a job ties nodes together that hold other jobs; chains are of jobs on one node or on whole nodes; use mjq.Simulation{}", c.Name, span.Nodes, span.Each[0])
		f.That(c.Service.Survival(0) > 1-1e-12, "class %q has no service time at all with probability %.3g; it must be positive", c.Name, 1-c.Service.Survival(0))
		k, ok := states.ClassOf(q, i)
		if !ok {
			f.Join(states.NotPhaseType(c.Name, c.Service, "mjq.Simulation{}"))
			continue
		}
		k.Prob = q.Open[i]
		x.Classes = append(x.Classes, k)
	}
	if err := errors.Join(f.List()...); err != nil {
		return nil, err
	}
	return x, nil
}
