package estimate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/result"
)

// Observations that are all equal show no spread. That does not make their mean exact: if
// none of N independent jobs waits, P(W > 0) may still be as large as -ln(1-level)/N, 3/N
// at 95 %, and the wait of those that do is unknown.

// NoneWaited goes over a result whose waits are drawn. Where no job of a class waited it
// takes away the intervals of the mean and the variance, and a note gives the bound and the
// remedy. Shares of 0 or 1 get that bound as their half-width.
func NoneWaited(r *result.Result, remedy string) {
	var names []string
	jobs := 0.0
	none := make([]bool, len(r.Classes))
	panics.Blocks(len(none), func(from, to int) {
		for i := from; i < to; i++ {
			none[i] = noneWaited(&r.Classes[i], r.Level)
		}
	})
	for i, waitless := range none {
		if c := &r.Classes[i]; waitless {
			names, jobs = append(names, c.Name), jobs+observed(c)
		}
	}
	if noneWaited(&r.All, r.Level) {
		names, jobs = []string{"all jobs"}, observed(&r.All)
		noSpread(&r.MeanJobs)
	}
	if needsDiffer(r.Classes) {
		nothing(&r.WastedHOL) // jobs of one need waste none
	}
	for i := range r.Resources {
		nothing(&r.Resources[i].WastedHOL)
	}
	for _, m := range means { // what jobs of another class meet, these may, too
		if !(m.result(&r.All).Value > 0) {
			continue
		}
		panics.Blocks(len(r.Classes), func(from, to int) {
			for i := from; i < to; i++ {
				if c := &r.Classes[i]; m.share {
					share(m.result(c), r.Level, observed(c))
				} else {
					nothing(m.result(c))
				}
			}
		})
	}
	if len(names) == 0 {
		return
	}
	of := strings.Join(names, ", ")
	if len(names) > mostNamed {
		of = fmt.Sprintf("%d classes", len(names))
	}
	r.Notes = append(r.Notes, strings.TrimSpace(fmt.Sprintf("The mean wait of %s has no interval: none of the %.6g observed jobs waited. If waits are independent, P(W > 0) is below %.2g with confidence %g %%. %s",
		of, jobs, unseen(r.Level, jobs), 100*r.Level, remedy)))
}

func needsDiffer(classes []result.ClassResult) bool {
	for i := range classes {
		if classes[i].Need != classes[0].Need {
			return true
		}
	}
	return false
}

// mostNamed is how many classes a note names.
const mostNamed = 5

// noneWaited does so for one class, and reports whether none of its jobs waited.
func noneWaited(c *result.ClassResult, level float64) bool {
	share(&c.Waiting.ServiceLevel, level, observed(c))
	share(&c.Response.ServiceLevel, level, observed(c))
	none := same(c.Waiting.Mean) && c.Waiting.Mean.Value == 0
	for _, m := range Metrics(c) {
		noSpread(&m.Variance) // of two values as far apart, it is their number alone
		if none {
			noSpread(&m.Mean)
		}
	}
	return none
}

// NoneDelayed is NoneWaited for the jobs that arrive in a part of the time, seen in a number
// of replications.
func NoneDelayed(p *result.Part, level, replications float64) {
	classes := []*result.PartClass{&p.All}
	for i := range p.Classes {
		classes = append(classes, &p.Classes[i])
	}
	for _, c := range classes {
		share(&c.Waiting.NoWait, level, c.Waiting.Dist.Total)
		if same(c.Waiting.Mean) && c.Waiting.Mean.Value == 0 {
			noSpread(&c.Waiting.Mean)
			noSpread(&c.Waiting.Variance)
		}
	}
	share(&p.Cleared, level, replications)
	nothing(&p.MeanQueue)
	if slices.ContainsFunc(p.Classes, func(c result.PartClass) bool { return c.Need != p.Classes[0].Need }) {
		nothing(&p.WastedHOL)
	}
}

// observed is how many jobs of a class the run has seen.
func observed(c *result.ClassResult) float64 {
	return max(c.Waiting.Dist.Total, float64(c.Waiting.Mean.N))
}

// same reports whether observations that are all equal make an estimate.
func same(e result.Estimate) bool { return e.N > 0 && e.HalfWidth == 0 }

// unseen is the largest probability of what has not been seen in so many observations.
func unseen(level, observations float64) float64 {
	return min(1, -math.Log(1-level)/observations)
}

// share gives a share of which nothing else was seen the half-width that it has.
func share(e *result.Estimate, level, observations float64) {
	if same(*e) && (e.Value == 0 || e.Value == 1) {
		e.HalfWidth = unseen(level, observations)
	}
}

// nothing takes the interval from an estimate of observations that are all 0.
func nothing(e *result.Estimate) {
	if e.Value == 0 {
		noSpread(e)
	}
}

// noSpread takes the interval from an estimate of observations that are all equal.
func noSpread(e *result.Estimate) {
	if same(*e) {
		e.HalfWidth = math.NaN()
	}
}
