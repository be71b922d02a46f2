package interval

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// The slowdown of a job that waits is 1 + W/σ, and a service may be as short as it likes:
// if P(σ <= x) falls as x^β for small x, E[σ^-k] is infinite from k = β on, 1 for
// exponential services. Where the wait of a short job is not short itself its slowdown
// has these moments, as a heavy tail has that falls as y^-β, and the same rules for
// intervals. Services that count as no shorter than a threshold have them all.

// shortIndex is the β of a law.
func shortIndex(l law.Law) float64 {
	if l.Quantile(0) > 0 {
		return math.Inf(1)
	}
	near, far := shortSlope(l, 1e-5), shortSlope(l, 1e-9)
	if far > bendingTowardsZero*near { // it falls faster than any power, as of lognormal services
		return math.Inf(1)
	}
	if whole := math.Round(far); math.Abs(far-whole) < 1e-3 { // but for rounding
		return whole
	}
	return far
}

// bendingTowardsZero is by how much the slope may still grow between the depths at which
// it is taken: that of a sum of many exponential phases does by a tenth.
const bendingTowardsZero = 1.15

// shortSlope is d ln P(σ <= x) / d ln x over three decades of the probability.
func shortSlope(l law.Law, p float64) float64 {
	x, y := l.Quantile(p/1e3), l.Quantile(p)
	if !(x > 0) {
		return 0
	}
	return math.Log(1e3) / math.Log(y/x)
}

// SlowdownTails goes over the slowdowns of a finished simulation as HeavyTails goes over
// waits and responses.
func SlowdownTails(p *problem.Problem, r *result.Result, threshold float64, t *Tails) {
	least, worst := math.Inf(1), 0
	indices := make([]float64, len(r.Classes))
	panics.Blocks(len(indices), func(from, to int) {
		for i := from; i < to; i++ {
			c := &r.Classes[i]
			indices[i] = slowdownIndex(p, i, threshold, c.Waiting.Mean.Value > 0)
			t.limit(&c.Slowdown, indices[i])
		}
	})
	for i, index := range indices {
		if index < least {
			least, worst = index, i
		}
	}
	t.limit(&r.All.Slowdown, least)
	if least < 2*fewest {
		r.Notes = append(r.Notes, slowdownNote(p, least, worst))
	}
}

// slowdownIndex is the k from which on the slowdowns of a class have no k-th moment, as
// far as that is due to short services. A policy that knows services may serve short ones
// at once; FirstFitSRPT does, and so does ServerFillingSRPT where all need as many servers.
func slowdownIndex(p *problem.Problem, class int, threshold float64, waits bool) float64 {
	known := p.Discipline().Properties()
	if threshold > 0 || !waits || known.Sizes && (known.ShortFirst || !needsDiffer(p)) {
		return math.Inf(1)
	}
	return shortIndex(p.Classes[class].Service)
}

func needsDiffer(p *problem.Problem) bool {
	for i := range p.Classes {
		if p.Classes[i].Need != p.Classes[0].Need {
			return true
		}
	}
	return false
}

// slowdownNote says what slowdowns lack and what to do.
func slowdownNote(p *problem.Problem, index float64, class int) string {
	what := "The variance of the slowdown has no interval"
	switch {
	case index <= 1:
		what = "The mean slowdown is infinite"
	case index < fewest:
		what = "The mean slowdown has no interval"
	}
	return fmt.Sprintf("%s: service times %v can be arbitrarily short. Set SlowdownThreshold (often 10 s) to make slowdowns finite.", what, p.Classes[class].Service)
}
