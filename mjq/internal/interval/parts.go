package interval

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/result"
)

// Span is what visits of a part of time can know, given the jobs of the start.
func (e *Exposed) Span(v scarcity.Visits, begun ...scarcity.Begun) *scarcity.Span {
	return e.Exposure.Span(v, begun...)
}

// Begun is what replications can know that begin with given jobs.
func (e *Exposed) Begun(replications float64, begun ...scarcity.Begun) *scarcity.Span {
	return e.Exposure.Begun(replications, begun...)
}

// Part goes over a part of which so many jobs were seen, and reports whether its mean wait was
// known less well than it seemed.
func (e *Exposed) Part(p *result.Part, span *scarcity.Span, jobs float64) (wide bool) {
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
				Withhold(m, false, false)
			}
			continue
		}
		s := e.SamplesOf(seen).Waiting(c.Waiting.Mean.Value, c.Waiting.Variance.Value)
		over(c, e.scarcer(mean, s, 1), e.scarcer(variance, s, 2))
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

// Metric goes over a time that follows from the jobs that a span has.
func (e *Exposed) Metric(m *result.Metric, span *scarcity.Span) {
	m.Mean, m.Variance = e.known(m.Mean, tellsOf(span, 1)), e.known(m.Variance, tellsOf(span, 2))
	capPrecision(m, fractionsOf(span))
}

// Scarcity is what there is to say of parts of which too little was seen.
type Scarcity struct {
	*problem.Problem
	replications           float64
	means, variances, wide int            // parts without an interval, and with one that is wide
	worst                  *scarcity.Span // of the part of which the least is known
	few                    []float64      // jobs of a class in the part that has the fewest
	scarce                 []int          // parts in which these are too few
}

// NewScarcity is that of so many replications.
func NewScarcity(p *problem.Problem, replications float64) Scarcity {
	return Scarcity{Problem: p, replications: replications, few: make([]float64, len(p.Classes)), scarce: make([]int, len(p.Classes))}
}

// Take takes in a part.
func (s *Scarcity) Take(span *scarcity.Span, jobs float64, wide bool) {
	mean, variance := span.Effective(scarcity.MeanWait), span.Effective(scarcity.VarianceWait)
	switch {
	case mean < scarcity.Least:
		s.means++
	case variance < scarcity.Least:
		s.variances++
	case wide:
		s.wide++
	}
	if s.worst == nil || mean < s.worst.Effective(scarcity.MeanWait) {
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

// Say is the notes.
func (s *Scarcity) Say(parts int) (notes []string) {
	note := func(k, n int, effective float64, what string) {
		if n == 0 {
			return
		}
		large := s.worst.Largest(k)
		notes = append(notes, fmt.Sprintf("In %d of %d parts %s: much of the waiting comes from %s, and %.0f replications contain about %.2g of them. Set Replications to at least %s.",
			n, parts, what, rare(s.Problem, large), s.replications, large.Expected, count(s.replications*s.worst.Enough(k, effective))))
	}
	note(scarcity.MeanWait, s.means, scarcity.Least, "mean waits, variances and shares have no interval and may be far too low")
	note(scarcity.VarianceWait, s.variances, scarcity.Least, "variances of waits have no interval and may be far too low")
	note(scarcity.MeanWait, s.wide, scarcity.Plenty, "intervals of mean waits are wide")
	for i, n := range s.scarce {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("The mean wait of class %q has no interval in %d of %d parts: as few as %.2g of its jobs came, and %d are needed. Set Replications to at least %s.",
				s.Classes[i].Name, n, parts, s.few[i], scarceJobs, count(math.Ceil(scarceJobs/s.few[i])*s.replications)))
		}
	}
	return notes
}

// Drawn goes over parts of each of which there are so many independent samples.
func (e *Exposed) Drawn(c *result.Transient, samples float64) {
	e.Samples = samples
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
	case mean.effective < scarcity.Least:
		what = "Mean waits and variances have no interval and may be far too low"
	case variance.effective < scarcity.Least:
		what = "Variances of waits have no interval and may be far too low"
	case !mean.plenty:
		what = "Intervals of mean waits are wide"
	default:
		return
	}
	enough := e.Exposure.Enough(scarcity.MeanWait, scarcity.Least)
	c.Notes = append(c.Notes, fmt.Sprintf("%s: much of the waiting comes from %s, and %.0f samples per part contain too few of them. Use Simulation with at least %s jobs per part.",
		what, rare(e.Problem, e.Exposure.Over(enough).Largest(scarcity.MeanWait)), samples, count(enough)))
}
