package method

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/exposure"
	"github.com/mjqueue/mjq/mjq/result"
)

// seen goes over a course that was simulated: no interval of a part says more than the
// replications, each with a number of periods, can know of it.
func (x *course) seen(c *result.Transient, replications, periods float64) {
	e := exposed{Problem: x.Problem, of: exposure.Of(x.Spec, x.load)}
	begun := x.known()
	notes := scarcity{Problem: x.Problem, replications: replications, few: make([]float64, len(x.Classes)), scarce: make([]int, len(x.Classes))}
	for k := range c.Parts {
		p := &c.Parts[k]
		v := exposure.Visits{N: replications, Within: math.Max(p.Rate*x.width, visited)}
		if x.ask.Start == nil {
			v.N, v.Before, v.Again = replications*periods, x.Rate()*x.day.Period-p.Rate*x.width, true
		} else if p.From > 0 {
			v.Before = x.rateIn(0, p.From) * p.From
		}
		span := e.of.Span(v, begun...)
		wide := e.part(p, span, v.N*p.Rate*x.width)
		notes.take(span, v.N*p.Rate*x.width, wide)
	}
	for i := range c.Line {
		e.metric(&c.Line[i], e.of.Begun(replications, begun[:len(begun)-len(c.Line)+i]...))
	}
	if x.ask.Start != nil {
		whole := exposure.Visits{N: replications, Within: math.Max(x.rateIn(0, x.ask.Until)*x.ask.Until, visited)}
		e.metric(&c.Clear, e.of.Span(whole, begun...))
	}
	c.Notes = append(c.Notes, notes.say(len(c.Parts))...)
}

// visited is how many jobs stand for those of a part in which none come: its queue is of jobs
// that came before.
const visited = 1e-3

// known are the jobs of the start, those in service first.
func (x *course) known() (begun []exposure.Begun) {
	if x.ask.Start == nil {
		return nil
	}
	for i := range x.ask.Start.Running {
		r := &x.ask.Start.Running[i]
		c := x.ClassIndex(r.Class)
		for range r.Count() {
			begun = append(begun, exposure.Begun{Class: c, Need: x.Classes[c].Need, Left: x.left(r)})
		}
	}
	for _, class := range x.ask.Start.Line {
		c := x.ClassIndex(class)
		begun = append(begun, exposure.Begun{Class: c, Need: x.Classes[c].Need, Left: x.Classes[c].Service})
	}
	return begun
}

// part goes over a part of which so many jobs were seen, and reports whether its mean wait was
// known less well than it seemed.
func (e *exposed) part(p *result.Part, span *exposure.Span, jobs float64) (wide bool) {
	mean, variance := tellsOf(span, 1), tellsOf(span, 2)
	e.fractions = fractionsOf(span)
	over := func(c *result.PartClass, mean, variance observations) {
		e.moments(&c.Waiting, &c.Response, mean, variance)
		capPrecision(&c.Waiting, e.fractions)
		capPrecision(&c.Response, e.fractions)
		e.share(&c.Waiting.NoWait, span, 1)
	}
	for i := range p.Classes {
		c, seen := &p.Classes[i], jobs*e.Classes[i].Prob
		if seen < scarceJobs {
			for _, m := range []*result.Estimate{&c.Waiting.Mean, &c.Waiting.Variance, &c.Response.Mean, &c.Response.Variance} {
				withhold(m, false, false)
			}
			continue
		}
		over(c, e.scarcer(mean, seen, 1), e.scarcer(variance, seen, 2))
	}
	wide = e.least(p.All.Waiting.Mean, mean) > p.All.Waiting.Mean.HalfWidth
	over(&p.All, mean, variance)
	least := e.least(p.MeanQueue, mean)
	p.MeanJobs.HalfWidth, p.MeanQueue.HalfWidth = larger(p.MeanJobs.HalfWidth, least), larger(p.MeanQueue.HalfWidth, least)
	servers := float64(e.Servers)
	e.share(&p.Idle, span, servers)
	e.share(&p.WastedHOL, span, servers)
	e.share(&p.Utilization, span, 1)
	e.share(&p.Cleared, span, 1)
	return wide
}

// metric goes over a time that follows from the jobs that a span has.
func (e *exposed) metric(m *result.Metric, span *exposure.Span) {
	m.Mean, m.Variance = e.known(m.Mean, tellsOf(span, 1)), e.known(m.Variance, tellsOf(span, 2))
	capPrecision(m, fractionsOf(span))
}

// scarcity is what there is to say of parts of which too little was seen.
type scarcity struct {
	*Problem
	replications           float64
	means, variances, wide int            // parts without an interval, and with one that is wide
	worst                  *exposure.Span // of the part of which the least is known
	few                    []float64      // jobs of a class in the part that has the fewest
	scarce                 []int          // parts in which these are too few
}

// take takes in a part.
func (s *scarcity) take(span *exposure.Span, jobs float64, wide bool) {
	mean, variance := span.Effective(exposure.MeanWait), span.Effective(exposure.VarianceWait)
	switch {
	case mean < exposure.Least:
		s.means++
	case variance < exposure.Least:
		s.variances++
	case wide:
		s.wide++
	}
	if s.worst == nil || mean < s.worst.Effective(exposure.MeanWait) {
		s.worst = span
	}
	for i := range s.few {
		if seen := jobs * s.Classes[i].Prob; seen > 0 && seen < scarceJobs {
			if s.scarce[i]++; s.scarce[i] == 1 || seen < s.few[i] {
				s.few[i] = seen
			}
		}
	}
}

// say is the notes.
func (s *scarcity) say(parts int) (notes []string) {
	note := func(k, n int, effective float64, what string) {
		if n == 0 {
			return
		}
		large := s.worst.Largest(k)
		notes = append(notes, fmt.Sprintf("In %d of %d parts %s: much of the waiting comes from %s, of which %.0f replications meet about %.2g. Ask for at least %s.",
			n, parts, what, s.rare(large), s.replications, large.Expected, count(s.replications*s.worst.Enough(k, effective))))
	}
	note(exposure.MeanWait, s.means, exposure.Least, "mean waits, variances and shares have no interval and may be far too low")
	note(exposure.VarianceWait, s.variances, exposure.Least, "variances of waits have no interval and may be far too low")
	note(exposure.MeanWait, s.wide, exposure.Plenty, "intervals of mean waits are wide")
	for i, n := range s.scarce {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("The mean wait of class %q has no interval in %d of %d parts: as few as %.2g of its jobs came, and it takes %d. Ask for at least %s replications.",
				s.Classes[i].Name, n, parts, s.few[i], scarceJobs, count(math.Ceil(scarceJobs/s.few[i])*s.replications)))
		}
	}
	return notes
}

// drawn is seen where each part has so many independent samples.
func (x *course) drawn(c *result.Transient, samples float64) {
	e := exposed{Problem: x.Problem, of: exposure.Of(x.Spec, x.load), samples: samples}
	mean, variance := e.moment(1), e.moment(2)
	for k := range c.Parts {
		p := &c.Parts[k]
		for i := range p.Classes {
			e.moments(&p.Classes[i].Waiting, &p.Classes[i].Response, mean, variance)
		}
		e.moments(&p.All.Waiting, &p.All.Response, mean, variance)
	}
	what := ""
	switch {
	case mean.effective < exposure.Least:
		what = "Mean waits and variances have no interval and may be far too low"
	case variance.effective < exposure.Least:
		what = "Variances of waits have no interval and may be far too low"
	case mean.effective < mean.plenty:
		what = "Intervals of mean waits are wide"
	default:
		return
	}
	enough := e.of.Enough(exposure.MeanWait, exposure.Least)
	c.Notes = append(c.Notes, fmt.Sprintf("%s: much of the waiting comes from %s, and %.0f samples a part meet too few of them. Use Simulate with at least %s jobs in a part.",
		what, e.rare(e.of.Over(enough).Largest(exposure.MeanWait)), samples, count(enough)))
}
