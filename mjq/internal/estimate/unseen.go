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

// NoneWaited goes over a result whose waits are drawn, after FewEvents. Where no job of a class
// waited it takes away the intervals of the mean and the variance, and a note gives the bound and
// the remedy. Other means of amounts that are all 0 lose their interval, too.
func NoneWaited(r *result.Result, of *Rarity, remedy string) {
	var names []string
	jobs := 0.0
	none := make([]waitless, len(r.Classes))
	panics.Blocks(len(none), func(from, to int) {
		for i := from; i < to; i++ {
			none[i] = noneWaited(&r.Classes[i])
		}
	})
	all := noneWaited(&r.All)
	for i, n := range none {
		if c := &r.Classes[i]; n.waits {
			names, jobs = append(names, c.Name), jobs+observed(c)
		}
	}
	if all.waits {
		names, jobs = []string{"all jobs"}, of.ofAll(r)
		noSpread(&r.MeanJobs)
	}
	if needsDiffer(r.Classes) {
		nothing(&r.WastedHOL) // jobs of one need waste none
	}
	for i := range r.Resources {
		nothing(&r.Resources[i].WastedHOL)
	}
	if len(names) > 0 {
		supposed := ""
		if of.Jobs == 0 {
			supposed = "If waits are independent, " // of a log nobody knows
		}
		r.Notes = append(r.Notes, strings.TrimSpace(fmt.Sprintf("The mean wait of %s has no interval: none of the %.6g observed jobs waited. %sP(W > 0) is below %.2g with confidence %g %%. %s",
			named(names), jobs, supposed, unseen(r.Level, jobs/of.part(of.Cluster, jobs/of.ofAll(r))), 100*r.Level, remedy)))
	}
	lossless(r, none, all.lost, remedy)
}

// lossless says of which classes no job lost time, where some may.
func lossless(r *result.Result, none []waitless, all bool, remedy string) {
	var names []string
	for i, n := range none {
		if n.lost {
			names = append(names, r.Classes[i].Name)
		}
	}
	if all {
		names = []string{"all jobs"}
	}
	if len(names) > 0 {
		r.Notes = append(r.Notes, strings.TrimSpace(fmt.Sprintf("The lost time of %s has no interval: no observed job lost any, so the run does not show how much a job loses. %s", named(names), remedy)))
	}
}

// named are names, or how many they are.
func named(names []string) string {
	if len(names) > mostNamed {
		return fmt.Sprintf("%d classes", len(names))
	}
	return strings.Join(names, ", ")
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

// waitless says of a class that none of its jobs waited, or lost time.
type waitless struct{ waits, lost bool }

// noneWaited does so for one class.
func noneWaited(c *result.ClassResult) (none waitless) {
	none.waits = same(c.Waiting.Mean) && c.Waiting.Mean.Value == 0
	for _, m := range Metrics(c) {
		noSpread(&m.Variance) // of two values as far apart, it is their number alone
		if none.waits {
			noSpread(&m.Mean)
		}
	}
	none.lost = same(c.Lost) && c.Lost.Value == 0
	for _, n := range numbers {
		if n.kind == Amount {
			nothing(n.result(c))
		}
	}
	return none
}

// FewDelayed is FewEvents for the jobs that arrive in a part of the time, seen in a number of
// replications.
func FewDelayed(p *result.Part, of *Rarity, level, replications float64) {
	all := *of
	all.Jobs = 0
	for i := range p.Classes {
		c, class := &p.Classes[i], *of
		class.Jobs, class.Cluster = c.Waiting.Dist.Total, of.part(of.Cluster, of.Probs[i])
		class.delayed(c, level)
		all.Jobs += class.Jobs
	}
	all.delayed(&p.All, level)
	cleared := Rarity{Jobs: replications, Cluster: 1}
	cleared.number(&p.Cleared, Share, 1, level)
}

// delayed goes over the shares that are told of the jobs of a part.
func (of *Rarity) delayed(c *result.PartClass, level float64) {
	of.number(&c.Waiting.NoWait, Share, 1, level)
	of.distribution(&c.Waiting)
	of.distribution(&c.Response)
}

// NoneDelayed is NoneWaited for the jobs that arrive in a part of the time.
func NoneDelayed(p *result.Part) {
	classes := []*result.PartClass{&p.All}
	for i := range p.Classes {
		classes = append(classes, &p.Classes[i])
	}
	for _, c := range classes {
		if same(c.Waiting.Mean) && c.Waiting.Mean.Value == 0 {
			noSpread(&c.Waiting.Mean)
			noSpread(&c.Waiting.Variance)
		}
	}
	nothing(&p.MeanQueue)
	if slices.ContainsFunc(p.Classes, func(c result.PartClass) bool { return c.Need != p.Classes[0].Need }) {
		nothing(&p.WastedHOL)
	}
	p.Derive()
}

// ofAll is how many jobs the run has seen: if it does not say, those of the classes, for the distribution of all jobs is
// a mixture of theirs.
func (of *Rarity) ofAll(r *result.Result) (jobs float64) {
	if of.Jobs > 0 {
		return of.Jobs
	}
	for i := range r.Classes {
		jobs += observed(&r.Classes[i])
	}
	return jobs
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
