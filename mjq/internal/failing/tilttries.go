package failing

import (
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq/law"
)

// tries are a time under Resampled or Drop and a tilt. Work and the times of hits are weighed by exp(ax)
// with a = θ - φ; both are drawn from work weighed by exp(bx), b ≥ a, by which they are accepted.
type tries struct {
	Holding
	a, b        float64
	work        law.Law // under b
	draws       law.Sampler
	pass, again float64 // probabilities that no hit comes at first, and that a hit is followed by another
	fresh       float64 // probability that a later try that is hit is hit in the recovery
}

// nearly is the part of φ that the exponent a must differ from 0 by for its sign to tell how to draw.
const nearly = 1. / 64

// triedUnder is the time under Resampled and Drop. For θ < φ it has moments whatever the work is.
func (l Holding) triedUnder(theta float64) (path, float64, bool) {
	t := &tries{Holding: l, a: theta - l.Rate, work: l.Work}
	log := 0.0
	if t.a > -nearly*l.Rate {
		var ok bool
		t.b = max(t.a, nearly*l.Rate)
		if t.work, log, ok = law.Tilt(l.Work, t.b); !ok {
			return nil, 0, false
		}
	}
	t.draws = law.Prepare(t.work)
	whole := func(a float64) float64 { // E exp(a work)
		return math.Exp(log) * t.work.Laplace(t.b-a)
	}
	// The moment of a first try that is hit grows with a, which is kept off 0.
	apart := t.a
	if math.Abs(apart) < 1e-4*l.Rate {
		apart = 1e-4 * l.Rate
	}
	first, hit := whole(t.a), l.Rate*(whole(apart)-1)/apart
	if l.After.How == Drop {
		t.pass = first / (first + hit)
		return t, math.Log(first + hit), true
	}
	detection, begin := math.Exp(theta*l.After.Detection), math.Exp(t.a*l.After.Recovery)
	fresh := l.Rate * growth(t.a, l.After.Recovery)
	t.again = detection * (fresh + begin*hit)
	t.fresh = fresh / (fresh + begin*hit)
	moment := first + hit*detection*begin*first/(1-t.again)
	t.pass = first / moment
	return t, math.Log(moment), t.again < 1
}

// Sample draws the time.
func (t *tries) Sample(rng rand.Source) float64 {
	if unit(rng) <= t.pass {
		return t.unhit(rng)
	}
	at := t.hit(rng)
	if t.After.How == Drop {
		return at
	}
	at += t.After.Detection
	for unit(rng) <= t.again {
		if unit(rng) <= t.fresh {
			at += within(t.a, t.After.Recovery, rng)
		} else {
			at += t.After.Recovery + t.hit(rng)
		}
		at += t.After.Detection
	}
	return at + t.After.Recovery + t.unhit(rng)
}

// unhit draws work weighed by exp(ax).
func (t *tries) unhit(rng rand.Source) float64 {
	for {
		if x := t.draws.Sample(rng); t.a == t.b || unit(rng) <= math.Exp((t.a-t.b)*x) {
			return x
		}
	}
}

// hit draws work weighed by the integral of exp(ax) up to it, and the time of a hit before its end.
func (t *tries) hit(rng rand.Source) float64 {
	scale := t.b
	if scale == 0 {
		scale = -t.a
	}
	for {
		x := t.draws.Sample(rng)
		accept := scale * growth(t.a, x) * math.Exp(-t.b*x)
		if t.a > 0 {
			accept = scale / t.a * -math.Expm1(-t.a*x) * math.Exp((t.a-t.b)*x)
		}
		if unit(rng) <= accept {
			return within(t.a, x, rng)
		}
	}
}

// Survival is that of work without a hit, and under Resampled of the work of the last try.
func (t *tries) Survival(x float64) float64 {
	switch {
	case t.a != t.b:
		return 0
	case t.After.How == Drop:
		return t.pass * t.work.Survival(x)
	}
	return t.work.Survival(x)
}
