package interval

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// BegunTails is how heavy the tails are from a state on: a wait has as many moments as the
// services that others are in.
func BegunTails(p *problem.Problem) Tails {
	t := Tails{by: OverSamples}
	t.Index, t.Sure, t.service = math.Inf(1), math.Inf(1), math.Inf(1)
	for i, class := range p.Classes {
		index := law.TailIndex(class.Service)
		if t.index = append(t.index, index); index < t.service {
			t.service, t.least = index, i
		}
	}
	t.Index = t.service
	return t
}

// PartTails goes over the parts of a course: what has no interval loses it, and a note says why.
func PartTails(p *problem.Problem, c *result.Transient, t *Tails) {
	for k := range c.Parts {
		part := &c.Parts[k]
		for i := range part.Classes {
			t.limit(&part.Classes[i].Waiting, math.Inf(1))
			t.limit(&part.Classes[i].Response, t.index[i])
		}
		t.limit(&part.All.Waiting, math.Inf(1))
		t.limit(&part.All.Response, t.service)
		Withhold(&part.MeanJobs, t.given(1), false)
		Withhold(&part.MeanQueue, t.given(1), false)
	}
	if !t.given(1) || !t.given(2) {
		k := t.least
		c.Notes = append(c.Notes, fmt.Sprintf("Some intervals are missing: service times %[2]v of class %[1]q have finite moments only below order %.4[3]g. %[4]s", p.Classes[k].Name, p.Classes[k].Service, t.index[k], tailRemedy))
	}
}
