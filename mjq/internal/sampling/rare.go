package sampling

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// Rare is what comes so rarely to a pile that its replications cannot tell what
// it does: very long services, and classes of which next to no job comes. The
// pile grows without them, which is slower, and how much slower is bounded.
//
// Let V be the vector of the times at which servers become free, before one more
// job. A step of the recurrence is monotone in V and in the service, and moves up
// by d if V does. Hence a service longer by d lifts later vectors by at most d: with
// services of class c cut at x_c, the growth γ_x has
//
//	γ_x ≤ γ ≤ γ_x + Σ p_c E[(σ_c - x_c)⁺].
//
// And a job that is left out would lift the vector by at most top V - min V + σ,
// since it starts at top V at the latest; so without class c at all
//
//	γ' ≤ γ ≤ γ' + p_c (E[top V - min V] + E[σ_c]),
//
// V being met by its jobs in the pile without them, whose stream does not depend
// on V. All recurrences here are monotone but the one whose classes ask for
// servers by number and others for any.
type Rare struct {
	Cut   []float64 // by class, longer services are cut here; nil: none is
	Out   []bool    // by class, its jobs are left out; nil: none are
	Slack float64   // what cut services and those left out would add at most to the growth a job
	// Hidden is what a run of a given number of jobs may miss, or by chance have too much of,
	// of services that are not cut; nil: nothing.
	Hidden func(jobs float64) float64
	// Least and Most are what the growth lies between in any case.
	Least, Most float64
	// Loose says that nothing is known about the growth but that.
	Loose bool
	// Squares and Cubes are by class E[σ²] and E[σ³] of the services as cut; nil:
	// services are as telling as constant ones.
	Squares, Cubes []float64
}

// frequent is how many jobs of a class must come to every replication on average
// for their number to be a control variate, and telling how many services of one
// size, or what is as telling, for the work that they bring: of fewer, what some
// replications show tells little of others. Of exponential services every 4.5
// count for one.
const (
	frequent = 15
	telling  = 3
)

// cut shortens services and leaves jobs out, in place.
func (x *Rare) cut(jobs []stream.Job) []stream.Job {
	if x.Cut != nil {
		for i := range jobs {
			j := &jobs[i]
			j.Service = min(j.Service, x.Cut[j.Class])
		}
	}
	if x.Out == nil {
		return jobs
	}
	kept := jobs[:0]
	for _, j := range jobs {
		if !x.Out[j.Class] {
			kept = append(kept, j)
		}
	}
	return kept
}

// order is the classes that are not left out, those first whose numbers move the
// work most.
func (p *Pile) order() (order []int) {
	for _, c := range byNoise(p.Probs, p.MeanWork) {
		if p.Out == nil || !p.Out[c] {
			order = append(order, c)
		}
	}
	return order
}

// telling is how many jobs in one tell of the work that the given classes
// bring. The sum of a random number of services has skewness E[σ³]/E[σ²]^1.5
// divided by the root of their mean number; that number of services of one size
// which would make it as skew is the measure.
func (p *Pile) telling(classes []int) float64 {
	if len(classes) == 0 {
		return 0
	}
	prob, square, cube := 0.0, 0.0, 0.0
	for _, c := range classes {
		prob += p.Probs[c]
		if p.Cubes != nil {
			a := float64(p.Needs[c])
			square += p.Probs[c] * a * a * p.Squares[c]
			cube += p.Probs[c] * a * a * a * p.Cubes[c]
		}
	}
	if !(cube > 0) {
		return prob
	}
	return square / cube * square / cube * square
}

// slack is how much faster than the pile as cut the whole one may grow.
func (p *Pile) slack(towers []*tower) float64 {
	if p.Out == nil {
		return p.Slack
	}
	gaps := make([]float64, len(towers))
	for r, t := range towers {
		gaps[r] = t.gap / t.looks
	}
	prob := 0.0
	for c, out := range p.Out {
		if out {
			prob += p.Probs[c]
		}
	}
	return p.Slack + prob*estimate.OfReplications(gaps, p.Level, "").Hi()
}

// bracket is the interval of the growth.
func (p *Pile) bracket(cut result.Estimate, slack float64) (lo, hi float64) {
	lo, hi = cut.Lo(), cut.Hi()+slack
	most := p.Most
	if most == 0 {
		most = math.Inf(1)
	}
	if p.Loose {
		return p.Least, most
	}
	// By chance the interval may lie beyond what is possible.
	lo, hi = max(lo, p.Least), min(hi, most)
	if hi < lo {
		lo, hi = max(p.Least, min(lo, most)-cut.HalfWidth), min(most, max(hi, p.Least)+cut.HalfWidth)
	}
	return lo, hi
}
