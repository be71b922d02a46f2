package events

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
)

// If a queue does not serve every job, or its servers fail, a sample has unbiased sums over the jobs of a path:
// of those that are served, turned away and give up, and of their waits. Results are ratios
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
	b := batch{integrals: o.integrals.clone(), classes: slices.Clone(o.classes)}
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

// plan has the estimates of a simulation of the same queue.
func (p *Coupling) plan() *Plan {
	return &Plan{System: p.System, Batches: 1, Replications: 1, Level: p.Level, Workers: p.Workers, Threshold: p.Threshold, InTime: p.InTime, named: coupledMethod}
}

// tell has a result tell what becomes of the jobs. Its distributions stay as they are.
func (f *coupledFates) tell(p *Coupling, r *Result) {
	plan := p.plan()
	for i, one := range ofClasses(f.list, 0, p.Classes, new([]sums)) {
		plan.retell(&r.Classes[i], one)
	}
	plan.retell(&r.All, plan.ofAll(f.list))
	plan.overTime(r, f.list)
	plan.turned(r, f.list)
	if p.Failing != nil {
		plan.away(r, f.list)
	}
}

// retell sets a tally anew but for its distributions.
func (p *Plan) retell(to *estimate.Tally, batches []sums) {
	var t estimate.Tally
	p.tally(&t, batches)
	for q := range estimate.Quantity(estimate.Quantities) {
		t.Of(q).Dist, t.Of(q).Precision = to.Of(q).Dist, to.Of(q).Precision
	}
	*to = t
}
