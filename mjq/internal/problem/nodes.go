package problem

import (
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/nodes"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/spec"
)

// MostNodeConfigs is the most configurations of nodes that a chain is made of.
const MostNodeConfigs = 300_000

// NodeSystem is a queue on nodes as package nodes sees it. The error says all that keeps it
// from being a chain of what is on the nodes.
func NodeSystem(s *spec.Spec) (*nodes.System, error) {
	var f check.Faults
	f.That(s.Discipline().Properties().Recurrence || s.Room != nil && *s.Room == 0, "policy %v: chains on nodes are of first come, first served; use mjq.Simulation{}", s.Policy)
	f.That(len(s.Nodes) == 1, "%d kinds of nodes: chains are of nodes that are alike; use mjq.Simulation{}", len(s.Nodes))
	f.That(len(s.Resources) == 0, "types of resources on nodes: chains are of units of one type; use mjq.Simulation{}")
	_, alike := OneLeave(s)
	f.That(alike, "patience on nodes is solved exactly if all classes give up at one rate; use mjq.Simulation{}, or one exponential law for all")
	if p, ok := s.Placement.(placement.Numbered); ok {
		f.That(!p.ByNumber(), "placement %v: it tells nodes apart by their numbers, and chains are of nodes that are alike; use BestFit, WorstFit or RandomFit, or mjq.Simulation{}", s.Placement)
	}
	f.Join(tooManyPhases(s))
	x := &nodes.System{Nodes: s.Nodes[0].Count, Units: s.Nodes[0].Units,
		Score: func(free, need int) float64 {
			return s.Placement.Score([]int{free}, []int{s.Nodes[0].Units}, []int{need})
		}}
	for i := range s.Classes {
		c := &s.Classes[i]
		span := s.Span(i)
		f.That(span > 0, "class %q: Scattered: chains are of jobs on one node or on whole nodes; use mjq.Simulation{}", c.Name)
		f.That(span < 2 || len(s.Resources) > 0 || s.Each(i)[0] == x.Units, "class %q: OnNodes(%d, %d): such a job ties nodes together that hold other jobs; chains are of jobs on one node or on whole nodes; use mjq.Simulation{}", c.Name, span, s.Each(i)[0])
		f.That(c.Service.Survival(0) > 1-1e-12, "class %q has no service time at all with probability %.3g; it must be positive", c.Name, 1-c.Service.Survival(0))
		k, ok := PhaseClass(c)
		if !ok {
			f.Join(NotPhaseType(*c, "mjq.Simulation{}"))
			continue
		}
		k.Prob = s.OpenProb(i)
		x.Classes = append(x.Classes, k)
	}
	if err := errors.Join(f.List()...); err != nil {
		return nil, err
	}
	return x, nil
}

// OneLeave is the rate at which every job that waits gives up, 0 for never; ok is false unless all
// classes have the same.
func OneLeave(s *spec.Spec) (rate float64, ok bool) {
	for i, c := range s.Classes {
		own, memoryless := 0.0, true
		if c.Patience != nil {
			own, memoryless = law.MemorylessRate(c.Patience)
		}
		if !memoryless || i > 0 && own != rate {
			return 0, false
		}
		rate = own
	}
	return rate, true
}

// SizedNodes is NodeSystem with how large its chains are; those with more configurations than
// so many are an error.
func SizedNodes(s *spec.Spec, most float64) (*nodes.System, nodes.Size, error) {
	x, err := NodeSystem(s)
	if err != nil {
		return nil, nodes.Size{}, err
	}
	z, err := x.Size()
	if err != nil {
		return nil, z, err
	}
	if z.Configs > math.Min(most, MostNodeConfigs) {
		return nil, z, fmt.Errorf("%s can hold %d different sets of jobs each, which makes up to %.3g configurations; chains of up to %.3g are solved here; use mjq.Simulation{}, or fewer nodes or classes", spec.Count(x.Nodes, "node"), z.Contents, z.Configs, math.Min(most, MostNodeConfigs))
	}
	return x, z, nil
}

// UnheldRate is the limit of jobs on nodes that never hold each other up for want of a place:
// on every kind of nodes all need the same, or each takes a node for itself.
func (p *Problem) UnheldRate() (rate float64, ok bool) {
	if known := p.Discipline().Properties(); !p.OnNodes() || len(p.Resources) > 0 || !known.Packs && !known.Recurrence {
		return 0, false
	}
	jobs := 0
	for _, k := range p.Nodes {
		fit := 0 // on a node
		for i := range p.Classes {
			need := p.Each(i)[0]
			if p.Span(i) != 1 || need > k.Units || fit > 0 && k.Units/need != fit {
				return 0, false
			}
			fit = k.Units / need
		}
		if fit > 1 && !p.OneNeed() {
			return 0, false
		}
		jobs += k.Count * fit
	}
	return float64(jobs) / p.MeanService(), true
}
