package interval

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/result"
)

// notes says of which averages the run meets too few of the jobs that they come from.
func (e *Exposed) notes(r *result.Result, mean, variance observations) (notes []string) {
	switch {
	case mean.effective < scarcity.Least:
		notes = append(notes, "Mean waits, variances and shares have no interval and may be far too low: "+e.reason(r, scarcity.MeanWait, scarcity.Least))
	case variance.effective < scarcity.Least:
		notes = append(notes, "Variances of waits have no interval and may be far too low: "+e.reason(r, scarcity.VarianceWait, scarcity.Least))
	case e.wide:
		notes = append(notes, "Intervals of mean waits are wide: "+e.reason(r, scarcity.MeanWait, scarcity.Plenty))
	}
	if !e.Counted || mean.effective < scarcity.Least {
		return notes
	}
	if c := &e.scarce[anyMean]; c.n > 0 {
		notes = append(notes, fmt.Sprintf("The mean wait of %s has no interval: about %.2g of its jobs came, and %d are needed. Set Jobs so that there are at least %s in all.",
			c.name(e.Problem), scarceJobs*e.Jobs/c.enough, scarceJobs, count(c.enough)))
	}
	waited := func(what string, c *classes) {
		if c.n > 0 {
			notes = append(notes, fmt.Sprintf("%s of %s has no interval and may be far too low: too few of its %.2g jobs had a long wait. Set Jobs so that there are at least %s in all.",
				what, c.name(e.Problem), e.Jobs*e.Classes[c.first].Prob, count(c.enough)))
		}
	}
	waited("The mean wait", &e.scarce[longMean])
	if variance.effective >= scarcity.Least {
		waited("The variance of the wait", &e.scarce[longVariance])
	}
	return notes
}

// classes are some, of which one is told.
type classes struct {
	n, first int
	enough   float64 // jobs in all that would do for each
}

func (c *classes) add(index int, enough float64) {
	if c.n++; c.n == 1 || enough > c.enough {
		c.first, c.enough = index, enough
	}
}

// name is that of the class for which the most jobs would be needed, and how many others there are.
func (c *classes) name(p *problem.Problem) string {
	name := fmt.Sprintf("class %q", p.Classes[c.first].Name)
	if c.n > 1 {
		name += fmt.Sprintf(", as of %d others,", c.n-1)
	}
	return name
}

// reason says which jobs matter, how many of them the run meets, and how many jobs would do.
func (e *Exposed) reason(r *result.Result, k int, effective float64) string {
	enough := e.Exposure.Enough(k, effective)
	if e.Jobs == 0 {
		return fmt.Sprintf("much of the waiting comes from %s, and %d samples contain too few of them. Use Forward or Simulation with at least %s jobs.",
			rare(e.Problem, e.Exposure.Over(enough).Largest(k)), r.Run.Samples, count(enough))
	}
	s := e.Exposure.Over(e.Jobs).Largest(k)
	return fmt.Sprintf("much of the waiting comes from %s, and %s jobs contain about %.2g of them. Set Jobs so that there are at least %s in all.",
		rare(e.Problem, s), count(e.Jobs), s.Expected, count(enough))
}

// count is a number of jobs with two digits, a whole one.
func count(n float64) string {
	switch {
	case math.IsInf(n, 1):
		return "10^18"
	case n < 100:
		return fmt.Sprintf("%.0f", math.Ceil(n))
	}
	return fmt.Sprintf("%.2g", n)
}

// rare is where much of the waiting comes from.
func rare(p *problem.Problem, s scarcity.Source) string {
	switch {
	case s.Together > 0:
		return fmt.Sprintf("%d jobs that need %d servers or more and are in service together for longer than %.3g", s.Together, s.Need, s.Service)
	case s.Class < 0:
		return "bursts of arrivals"
	}
	return fmt.Sprintf("service times of class %q longer than %.3g", p.Classes[s.Class].Name, s.Service)
}
