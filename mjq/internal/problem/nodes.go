package problem

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/nodes"
	"github.com/mjqueue/mjq/mjq/spec"
)

// MostNodeConfigs is the most configurations of nodes that a chain is made of.
const MostNodeConfigs = 300_000

// SizedNodes is a queue on nodes with how large its chains are; those with more configurations than
// so many are an error.
func SizedNodes(s *spec.Spec, most float64) (*nodes.System, nodes.Size, error) {
	x, err := nodes.Of(Compile(s))
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
	if known := p.Discipline().Properties(); !p.Features().Has(spec.Placed) || len(p.Resources) > 0 || !known.Packs && !known.Recurrence {
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
