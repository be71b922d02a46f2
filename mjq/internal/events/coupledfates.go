package events

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
)

// Of a queue that does not serve every job, a sample has unbiased sums over the jobs of a path:
// of those that are served, turned away and give up, and of their waits. What is told are ratios
// of such sums, as of the batches of a simulation, since the number of jobs served is random.

// coupledFates are the samples as batches, of which neighbours are joined once they are many.
type coupledFates struct {
	list  []batch
	open  batch // of samples that do not make one yet
	parts int
	size  int // samples that make one
}

// mostKept is how many batches are kept.
const mostKept = 4096

func (f *coupledFates) add(o *coupled) {
	b := batch{classes: slices.Clone(o.classes), presence: make([]float64, len(o.classes)), area: o.area, units: slices.Clone(o.units), nodes: slices.Clone(o.nodes)}
	if f.parts == 0 {
		f.open = b
	} else {
		f.open.add(&b)
	}
	if f.parts++; f.parts < f.size {
		return
	}
	f.parts = 0
	if f.list = append(f.list, f.open); len(f.list) == mostKept {
		f.list = replicate.Join(f.list, func(one, two *batch) { one.add(two) })
		f.size = 2 * max(1, f.size)
	}
}

// turns reports whether jobs may not be served.
func (p *Coupling) turns() bool { return p.Room != nil || p.Patience != nil }

// plan has the estimates of a simulation of the same queue.
func (p *Coupling) plan() *Plan {
	return &Plan{Servers: p.Servers, Classes: p.Classes, Policy: p.Policy, Needs: p.Needs, Types: p.Types, Nodes: p.Nodes, Batches: 1, Replications: 1,
		Level: p.Level, Workers: p.Workers, Threshold: p.Threshold, InTime: p.InTime, Room: p.Room, Patience: p.Patience, named: coupledMethod}
}

// tell has a result tell what becomes of the jobs. Its distributions stay as they are.
func (f *coupledFates) tell(p *Coupling, r *Result) {
	plan := p.plan()
	for i, one := range ofClasses(f.list, 0, p.Classes) {
		r.Classes[i] = told(plan.tally(one), &r.Classes[i])
	}
	r.All = told(plan.tally(plan.ofAll(f.list)), &r.All)
	plan.overTime(r, f.list)
	plan.turned(r, f.list)
}

// told is a tally with the distributions of another.
func told(t estimate.Tally, other *estimate.Tally) estimate.Tally {
	for q := range estimate.Quantity(estimate.Quantities) {
		t.Of(q).Dist, t.Of(q).Precision = other.Of(q).Dist, other.Of(q).Precision
	}
	return t
}
