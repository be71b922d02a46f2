package timecourse

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/result"
)

// seen goes over a course that was simulated: no interval of a part says more than the
// replications, each with a number of periods, can know of it.
func (x *course) seen(c *result.Transient, replications, periods float64) {
	e := interval.Expose(x.Problem, x.load)
	begun := x.known()
	notes := interval.NewScarcity(x.Problem, replications)
	for k := range c.Parts {
		p := &c.Parts[k]
		v := scarcity.Visits{N: replications, Within: math.Max(p.Rate*x.width, visited)}
		if x.ask.Start == nil {
			v.N, v.Before, v.Again = replications*periods, x.Rate()*x.day.Period-p.Rate*x.width, true
		} else if p.From > 0 {
			v.Before = x.rateIn(0, p.From) * p.From
		}
		span := e.Span(v, begun...)
		wide := e.Part(p, span, v.N*p.Rate*x.width)
		notes.Take(span, v.N*p.Rate*x.width, wide)
	}
	for i := range c.Line {
		e.Metric(&c.Line[i], e.Begun(replications, begun[:len(begun)-len(c.Line)+i]...))
	}
	if x.ask.Start != nil {
		whole := scarcity.Visits{N: replications, Within: math.Max(x.rateIn(0, x.ask.Until)*x.ask.Until, visited)}
		e.Metric(&c.Clear, e.Span(whole, begun...))
	}
	c.Notes = append(c.Notes, notes.Say(len(c.Parts))...)
}

// visited is how many jobs stand for those of a part in which none come: its queue is of jobs
// that came before.
const visited = 1e-3

// known are the jobs of the start, those in service first.
func (x *course) known() (begun []scarcity.Begun) {
	if x.ask.Start == nil {
		return nil
	}
	for i := range x.ask.Start.Running {
		r := &x.ask.Start.Running[i]
		c := x.ClassIndex(r.Class)
		for range r.Count() {
			begun = append(begun, scarcity.Begun{Class: c, Need: x.Classes[c].Need, Left: x.left(r)})
		}
	}
	for _, class := range x.ask.Start.Line {
		c := x.ClassIndex(class)
		begun = append(begun, scarcity.Begun{Class: c, Need: x.Classes[c].Need, Left: x.Classes[c].Service})
	}
	return begun
}

// drawn is seen where each part has so many independent samples.
func (x *course) drawn(c *result.Transient, samples float64) {
	e := interval.Expose(x.Problem, x.load)
	e.Drawn(c, samples)
}
