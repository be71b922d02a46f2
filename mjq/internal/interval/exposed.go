// Package interval says which averages of a run have a confidence interval: it withholds or
// widens those that heavy tails, or jobs too rare for the run, make too narrow.
package interval

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Exposed is what a run can know of its queue by the number of jobs that it has met.
type Exposed struct {
	*problem.Problem
	Exposure   *scarcity.Exposure
	Jobs       float64 // recorded along paths
	Samples    float64 // independent ones
	Counted    bool    // a class is known from its own jobs, not from what they would meet
	Controlled bool    // means and variances have control variates that know the large jobs
	Alone      []bool  // but not of these classes
	run        *scarcity.Run
	fractions  []float64 // of it, at the steps of a result.Precision
	shared     map[float64]*scarcity.Samples
	scarce     [scarcities]classes
	wide       bool    // the mean wait of all jobs was known less well than it seemed
	Path       float64 // jobs of a path from an empty start; 0: paths start in the stationary queue
	Unfollowed bool    // it is cut into batches, or drawn in waves on a device: nobody hears its mean on the way
	load       float64
}

// Expose is that of a queue at a fraction of its limit.
func Expose(p *problem.Problem, load float64) Exposed {
	return Exposed{Problem: p, Exposure: scarcity.Of(p.Spec, p.Congestion(load)), load: load}
}

// known is a moment with an interval that is at least as wide as the number of large jobs
// alone makes it, and none where they are fewer than scarcity.Least.
func (e *Exposed) known(m result.Estimate, o observations) result.Estimate {
	m.HalfWidth = larger(m.HalfWidth, e.least(m, o))
	return m
}

// least is the half-width that the number of large jobs alone gives a moment.
func (e *Exposed) least(m result.Estimate, o observations) float64 {
	switch {
	case m.HalfWidth == 0 || math.IsInf(m.Value, 0):
		return 0 // exact, or infinite
	case o.effective < scarcity.Least:
		return math.NaN()
	case e.Controlled && !o.together || o.plenty:
		return 0
	}
	return estimate.Known(m.Value/math.Sqrt(o.effective), m.Level, o.skewness2, o.kurtosis)
}

// larger is the larger of two half-widths, and not known if one is not.
func larger(a, b float64) float64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.NaN()
	}
	return max(a, b)
}

// A scarcity names the estimate of a class for which the run met too few jobs.
const (
	noScarcity   = iota
	anyMean      // the mean wait: fewer than scarceJobs came
	longMean     // the mean wait: too few waited long
	longVariance // the variance of the wait: too few waited long
	scarcities   = iota
)

// scarceJobs is how many jobs of a class a run must meet to know their mean wait.
const scarceJobs = 30

// Apply goes over a result: no interval says more than the run can know.
func (e *Exposed) Apply(r *result.Result) {
	if e.Room != nil && *e.Room == 0 || e.NeverWaits() {
		e.served(r)
		if e.Path > 0 {
			e.short(r)
		}
		return
	}
	e.Exposure = e.Exposure.Waiting(r.All.Waiting.Mean.Value, r.All.Waiting.Variance.Value)
	mean, variance := e.moment(1), e.moment(2)
	e.run, e.shared = e.Exposure.Over(e.Jobs), make(map[float64]*scarcity.Samples)
	if e.Jobs > 0 {
		e.fractions = fractionsOf(e.run)
	}
	e.classes(r, mean, variance)
	e.wide = e.least(r.All.Waiting.Mean, mean) > r.All.Waiting.Mean.HalfWidth
	e.limit(&r.All, mean, variance)
	r.MeanJobs.HalfWidth = larger(r.MeanJobs.HalfWidth, e.least(estimate.Scaled(r.All.Waiting.Mean, r.Rate), mean))
	if e.Jobs > 0 {
		e.shares(r)
	}
	r.Notes = append(r.Notes, e.notes(r, mean, variance)...)
	if e.Path > 0 {
		e.short(r)
	}
}

// served limits the intervals of responses where nobody waits, which are those of services.
func (e *Exposed) served(r *result.Result) {
	mean, variance := e.moment(1), e.moment(2)
	for i := range r.Classes {
		c := &r.Classes[i]
		if e.Jobs*c.Prob < scarceJobs {
			tooFew(c)
			if e.Classes[i].Service.Variance() > 0 {
				c.Response.Variance.HalfWidth = math.NaN()
			}
		}
		c.Response.Mean, c.Response.Variance = e.known(c.Response.Mean, mean), e.known(c.Response.Variance, variance)
	}
	all := &r.All.Response
	all.Mean, all.Variance = e.known(all.Mean, mean), e.known(all.Variance, variance)
}

// classes limits the intervals of all classes, which goroutines share, and then lists in order the
// classes of which the run met too few jobs.
func (e *Exposed) classes(r *result.Result, mean, variance observations) {
	scarce := make([]struct {
		of     int
		enough float64
	}, len(r.Classes))
	panics.Blocks(len(r.Classes), func(from, to int) {
		part := *e
		part.shared = make(map[float64]*scarcity.Samples) // which is computed by the goroutine that asks
		for i := from; i < to; i++ {
			c, own := &r.Classes[i], part
			if e.Counted {
				scarce[i].of, scarce[i].enough = own.count(c, i, mean, variance)
			} else {
				own.limit(c, mean, variance)
			}
		}
	})
	for i, s := range scarce {
		e.scarce[s.of].add(i, s.enough)
	}
}

// count goes over what is known of a class from its own jobs. With control variates all jobs tell
// of it, unless it takes several large ones at once. It returns the scarcity
// of the class and the number of jobs in all that would end it.
func (e *Exposed) count(c *result.ClassResult, index int, mean, variance observations) (scarce int, enough float64) {
	seen := e.Jobs * c.Prob
	if seen < scarceJobs {
		tooFew(c)
		e.limit(c, mean, variance)
		return anyMean, scarceJobs / c.Prob
	}
	e.Controlled = e.Controlled && (e.Alone == nil || !e.Alone[index])
	s := e.SamplesOf(seen).Waiting(c.Waiting.Mean.Value, c.Waiting.Variance.Value)
	mean, variance = e.scarcer(mean, s, 1), e.scarcer(variance, s, 2)
	if mean.effective < scarcity.Least {
		scarce, enough = longMean, seen*scarcity.Least/mean.effective/c.Prob
	} else if variance.effective < scarcity.Least {
		scarce, enough = longVariance, seen*scarcity.Least/variance.effective/c.Prob
	}
	e.limit(c, mean, variance)
	return scarce, enough
}

// tooFew withholds what few jobs of a class do not tell.
func tooFew(c *result.ClassResult) {
	for _, m := range []*result.Estimate{&c.Waiting.Mean, &c.Waiting.Variance, &c.Response.Mean, &c.Response.Variance, &c.InLine} {
		if m.Value > 0 { // one job has no spread, and is not exact for that
			m.HalfWidth = math.NaN()
		}
	}
}

// fillings is the part of problem.Filling that counts as the time in which a queue that turns jobs
// away forgets its empty start: ten mean services.
const fillings = 5

// short withholds what a path too short to forget its start cannot know, and says so.
func (e *Exposed) short(r *result.Result) {
	load, stretch := r.Rate/r.Limit.Rate, "replication"
	if e.Path == e.Jobs {
		stretch = "run"
	}
	forget := max(e.Settling(load), e.Filling()/fillings)
	least, rare := math.Ceil(problem.FewestRelaxations*forget), max(e.Relaxation(load), e.Filling()/fillings)
	none := e.Path < problem.LeastRelaxations*rare // of the long queues that turn jobs away it would show few
	if e.Features().Has(spec.Unlike|spec.Placed) || !(e.Path < least || none) || math.IsInf(least, 1) {
		return
	}
	off := "Means may be too low and intervals too narrow"
	if none {
		WithoutAll(r)
		forget, least = rare, math.Ceil(problem.FewestRelaxations*rare)
		off = "Means may be far too low, and there are no intervals"
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%[4]s: each %[1]s has %.0[2]f jobs, and this queue forgets its state only after about %.0[3]f. Set Jobs to at least %.0[5]f.",
		stretch, e.Path, math.Round(forget), off, least))
}

// WithoutAll leaves no interval but of what is exact.
func WithoutAll(r *result.Result) {
	for i := range r.Classes {
		WithoutIntervals(&r.Classes[i])
	}
	WithoutIntervals(&r.All)
	for _, m := range estimate.QueueNumbers(r) {
		Withhold(m, false, false)
	}
}

// limit goes over what is known of a class, or of all jobs.
func (e *Exposed) limit(c *result.ClassResult, mean, variance observations) {
	e.moments(&c.Waiting, &c.Response, mean, variance)
	metrics := estimate.Metrics(c)
	for _, m := range metrics[estimate.Response+1:] {
		m.Mean, m.Variance = e.known(m.Mean, mean), e.known(m.Variance, variance)
	}
	if e.Jobs > 0 { // fractions of independent samples are binomial
		for _, m := range metrics {
			capPrecision(m, e.fractions)
		}
	}
	estimate.EachNumber(c, func(m *result.Estimate, kind estimate.Kind) {
		switch {
		case kind == estimate.Amount || m.Value >= 1 && kind == estimate.Events:
			*m = e.known(*m, mean)
		case e.Jobs > 0:
			e.share(m, e.run, 1)
		}
	})
	if most := e.Rate() * c.Prob; e.Jobs > 0 && most > 0 {
		e.share(&c.Carried, e.run, most)
	}
}

// moments goes over those of waits and of responses, which vary as the waits.
func (e *Exposed) moments(waiting, response *result.Metric, mean, variance observations) {
	response.Mean.HalfWidth = larger(response.Mean.HalfWidth, e.least(waiting.Mean, mean))
	response.Variance.HalfWidth = larger(response.Variance.HalfWidth, e.least(waiting.Variance, variance))
	waiting.Mean, waiting.Variance = e.known(waiting.Mean, mean), e.known(waiting.Variance, variance)
}

// capPrecision bounds how well a distribution is known by the large jobs that make each part.
func capPrecision(m *result.Metric, fractions []float64) {
	p := &m.Precision
	if m.Dist.Total == 0 || !(m.Effective > 1) {
		return
	}
	if len(p.Effective) == 0 {
		if slices.Min(fractions) >= m.Effective {
			return // it is known as well as its mean
		}
		*p = result.Precision{Groups: int(check.Whole(m.Effective, 0, 1e9)) + 1, Effective: make([]float64, len(fractions))}
		for k := range p.Effective {
			p.Effective[k] = m.Effective
		}
	}
	for k := range p.Effective {
		p.Effective[k] = min(p.Effective[k], fractions[k])
	}
}

// shares goes over the averages over time that lie between 0 and a number of servers.
func (e *Exposed) shares(r *result.Result) {
	run, servers := e.run, float64(e.Servers)
	e.share(&r.WastedHOL, run, servers)
	e.share(&r.Idle, run, servers)
	e.share(&r.Utilization, run, 1)
	e.share(&r.BlockedWork, run, 1)
	e.share(&r.Goodput, run, servers)
	for i := range r.Resources {
		x := &r.Resources[i]
		e.share(&x.WastedHOL, run, float64(x.Units))
		e.share(&x.Idle, run, float64(x.Units))
		e.share(&x.Utilization, run, 1)
	}
}

// fractionsOf is what there is to know at the steps of a result.Precision.
func fractionsOf(run teller) (fractions []float64) {
	for k := 0; result.StepOdds*float64(k) <= 2*result.MostOdds; k++ {
		fractions = append(fractions, run.Fraction(1-result.PrecisionAt(k)))
	}
	return fractions
}

// share widens the interval of an average between 0 and most.
func (e *Exposed) share(m *result.Estimate, run teller, most float64) {
	q := m.Value / most
	switch {
	case !(m.HalfWidth > 0):
	case run.Effective(scarcity.MeanWait) < scarcity.Least:
		m.HalfWidth = math.NaN()
	case !e.Controlled && q > 0 && q < 1:
		n := run.Fraction(min(q, 1-q))
		m.HalfWidth = larger(m.HalfWidth, estimate.Known(most*math.Sqrt(q*(1-q)/n), m.Level, 0, 0))
	}
}

// ManySamples are so many that are done.
func ManySamples(e *Exposed, done int) { e.Samples = float64(done) }

// FollowedPaths are samples each of which is followed for so many jobs.
func FollowedPaths(path int64) func(e *Exposed, done int) {
	return func(e *Exposed, done int) { e.Samples, e.Jobs = float64(done), float64(done)*float64(path) }
}

// FewOf reports whether followed samples hold too few large jobs for control variates.
func (e *Exposed) FewOf(o *problem.Options, samples, path int64) bool {
	if o.Targeted() {
		samples = problem.FollowedFirst
	}
	return e.Exposure.Over(float64(samples)*float64(path)).Fitted() < scarcity.FewEffective
}
