package sampler

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// Tilted is the input under services tilted by theta: classes are met in
// proportion to their exponential moments, which favours long jobs. Where jobs are charged
// something else than their service, that is what is tilted. Nothing is once ctx has ended.
func Tilted(ctx context.Context, p *problem.Problem, by *sampling.Charges) sampling.Tilted {
	return func(theta float64, seed uint64) (src *stream.Source, logService, logGap float64, ok bool) {
		var classes []stream.Class
		sum := 0.0
		for k, c := range p.Classes {
			l, logMoment, ok := law.Tilt(c.Service, theta)
			if !ok || logMoment > 700 || ctx.Err() != nil {
				return nil, 0, 0, false
			}
			if by != nil {
				l, logMoment = beyond(l, logMoment, theta, by.Free[k])
				logMoment += theta * by.Each[k]
			}
			weight := c.Prob * math.Exp(logMoment)
			classes = append(classes, stream.Class{Need: c.Need, Prob: weight, Service: l})
			sum += weight
		}
		for i := range classes {
			classes[i].Prob /= sum
		}
		gap, independent := p.Gap()
		if !independent {
			gap = law.ExpRate(p.Rate()) // piles have no gaps
		}
		logGap, _, known := gapBound(p, theta)
		return stream.New(seed, gap, classes), math.Log(sum), logGap, known
	}
}

// Charged are the charges by the t and the widest need at which a job is charged the least
// on average, and the input tilted by them; those found so far when ctx ends.
func Charged(ctx context.Context, p *problem.Problem) (*sampling.Charges, sampling.Tilted) {
	sys := p.System(0, 1)
	best, least := sys.ChargesBy(0, 0), p.MeanService() // the services
	var needs []int                                     // each once
	for _, need := range p.Needs() {
		if !slices.Contains(needs, need) {
			needs = append(needs, need)
		}
	}
	for t := p.MeanService() / 16; t <= 256*p.MeanService(); t *= math.Sqrt2 {
		for _, widest := range needs {
			if ctx.Err() != nil {
				break
			}
			by, mean := sys.ChargesBy(t, widest), 0.0
			for k, c := range p.Classes {
				mean += c.Prob * (law.Excess(scarcity.Rough(c.Service), by.Free[k]) + by.Each[k])
			}
			if mean < least {
				best, least = by, mean
			}
		}
	}
	return best, Tilted(ctx, p, best)
}

// beyondLaw is a law of density proportional to exp(θ(x-free)⁺) times that of another one,
// as long as nothing but its values is asked for.
type beyondLaw struct {
	law.Law     // of density proportional to exp(θx) times that
	draw        law.Sampler
	theta, free float64
}

// beyond is that law and ln E exp(θ(X-free)⁺), or somewhat more, given the law of density
// proportional to exp(θx) and ln E exp(θX). The ratio of the two moments is the mean of
// exp(-θ min(X, free)) under the second law, by which its values are accepted.
func beyond(tilted law.Law, logMoment, theta, free float64) (law.Law, float64) {
	if free == 0 {
		return tilted, logMoment
	}
	const cells = 4096
	ratio, from := math.Exp(-theta*free), 1.0
	for i := 1; i <= cells; i++ {
		x := free * float64(i) / cells
		to := math.Exp(-theta * x)
		ratio += (from - to) * (1 - tilted.Survival(x))
		from = to
	}
	return beyondLaw{tilted, law.Prepare(tilted), theta, free}, logMoment + math.Log(min(1, ratio))
}

// Sample draws of the other law until a value is accepted.
func (l beyondLaw) Sample(rng rand.Source) float64 {
	for {
		x := l.draw.Sample(rng)
		if fastmath.Unit(rng.Uint64()) <= math.Exp(-l.theta*min(x, l.free)) {
			return x
		}
	}
}
