package estimate

import (
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/result"
)

// Times is what was seen of one quantity of jobs: waits, responses or slowdowns.
type Times struct {
	Mean, Variance result.Estimate
	Dist           result.Distribution
	Precision      result.Precision // of Dist, from replications or paths
	Worth          Worth
	Observed       []Batch // what mean and variance are made of, if it is batches
}

// TimesOf estimates mean and variance as OfBatches does.
func TimesOf(batches []Batch, level float64, method string) Times {
	t := Times{Observed: batches}
	t.Mean, t.Variance, t.Worth = OfBatches(batches, level, method)
	return t
}

// Metric is what results have of the times.
func (t *Times) Metric(level float64) result.Metric {
	return result.Metric{Mean: t.Mean, Variance: t.Variance, Dist: t.Dist, Precision: t.Precision, Effective: t.Worth.Observations, Level: level}
}

// Fill has a result tell what was seen of its classes and of all jobs. All jobs have
// the distributions of the classes in the given shares. What was not looked at stays as it
// is, and is unknown unless something else has found it.
func Fill(r *result.Result, classes []Tally, all *Tally, shares []float64) {
	all.fill(&r.All, r.Level)
	filled := panics.Group{}
	for q := range quantities {
		filled.Go(func() { // one goroutine each: thousands of classes take a while
			parts := make([]result.Distribution, len(classes))
			for i := range parts {
				parts[i] = classes[i].Of(Quantity(q)).Dist
			}
			quantities[q].result(&r.All).Dist = result.Mix(parts, shares)
		})
	}
	panics.Blocks(len(classes), func(from, to int) {
		for i := from; i < to; i++ {
			classes[i].fill(&r.Classes[i], r.Level)
		}
	})
	filled.Wait()
	result.MarkUnknown(r)
}

// FillPart has a part of time tell what was seen of the jobs that arrive in it.
func FillPart(p *result.Part, classes []Tally, all *Tally, level float64) {
	one := func(c *result.PartClass, t *Tally) {
		var r result.ClassResult
		t.fill(&r, level)
		c.Waiting, c.Response = r.Waiting, r.Response
	}
	for i := range p.Classes {
		one(&p.Classes[i], &classes[i])
	}
	one(&p.All, all)
	p.Derive()
	result.MarkUnknown(p)
}

func (t *Tally) fill(c *result.ClassResult, level float64) {
	var none result.Estimate
	for q := range quantities {
		of := t.Of(Quantity(q))
		if q <= int(Response) || of.Mean != none {
			*quantities[q].result(c) = of.Metric(level)
		}
	}
	for _, n := range numbers {
		if of := n.tally(t); *of != none {
			*n.result(c) = *of
		}
	}
}
