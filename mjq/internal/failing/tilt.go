package failing

import (
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/law"
)

// Tilt is the law of density proportional to exp(θx) times that of the time, θ > 0, and ln E exp(θC) or
// somewhat more. The time grows with the work, however a job goes on, so work that law.Tilt rounds up
// gives a time above this one. ok is false where the moment is infinite: under Restart for any θ
// unless the work is bounded, since a try of length w takes exp(φw) tries.
func (l Holding) Tilt(theta float64) (to law.Law, logMoment float64, ok bool) {
	if l.kept() {
		return law.Tilt(l.Work, theta)
	}
	t := tilted{Law: l}
	switch bounded := !math.IsInf(l.Work.Quantile(1), 1); {
	case l.After.How == Resume:
		t.path, logMoment, ok = l.resumedUnder(theta)
	case l.After.How == Drop || l.After.How == Resampled:
		t.path, logMoment, ok = l.triedUnder(theta)
	case bounded:
		t.path, logMoment, ok = l.listedUnder(theta)
	case l.After.How == Checkpoint:
		t.path, logMoment, ok = l.endlessUnder(theta)
	}
	return t, logMoment, ok && !math.IsInf(logMoment, 1)
}

// tilted is a time under a tilt, as long as nothing but its values and what they exceed is asked for.
type tilted struct {
	law.Law // the time itself
	path
}

// path draws times under a tilt.
type path interface {
	Sample(rng rand.Source) float64
	Survival(x float64) float64 // or less
}

// Sample draws.
func (t tilted) Sample(rng rand.Source) float64 { return t.path.Sample(rng) }

// Survival is P(C > x) under the tilt, or less.
func (t tilted) Survival(x float64) float64 { return t.path.Survival(x) }

func unit(rng rand.Source) float64 { return fastmath.Unit(rng.Uint64()) }

// growth is the integral of exp(ax) from 0 to the length.
func growth(a, length float64) float64 {
	if a == 0 {
		return length
	}
	return math.Expm1(a*length) / a
}

// within draws from the density proportional to exp(ax) between 0 and the length.
func within(a, length float64, rng rand.Source) float64 {
	switch u := unit(rng); {
	case a == 0:
		return length * u
	case a > 0: // where exp(a·length) may be beyond what a number holds
		return length + math.Log(u+(1-u)*math.Exp(-a*length))/a
	default:
		return math.Log1p(u*math.Expm1(a*length)) / a
	}
}

// steep is a stretch under a tilt: hits are drawn by the exponent a = θ - φ.
type steep struct {
	Hits
	a, work     float64
	moment      float64 // E exp(θ time)
	pass, again float64 // probabilities that no hit comes at first, and that a hit is followed by another
}

// steepen is a stretch of work under a tilt; ok is false where the moment is infinite.
func (h Hits) steepen(work, theta float64) (s steep, ok bool) {
	if work <= 0 {
		return steep{moment: 1, pass: 1}, true
	}
	s = steep{Hits: h, a: theta - h.Rate, work: work}
	hit := h.Rate * math.Exp(theta*h.Detection)
	s.again = hit * growth(s.a, h.Recovery+work)
	whole := math.Exp(s.a * work)
	s.moment = whole + hit*growth(s.a, work)*math.Exp(s.a*h.Recovery)*whole/(1-s.again)
	s.pass = whole / s.moment
	return s, s.again < 1 && !math.IsInf(s.moment, 1)
}

// Sample draws the time.
func (s *steep) Sample(rng rand.Source) float64 {
	if s.pass == 1 || unit(rng) <= s.pass {
		return s.work
	}
	long := s.Recovery + s.work
	t := within(s.a, s.work, rng) + s.Detection
	for unit(rng) <= s.again {
		t += within(s.a, long, rng) + s.Detection
	}
	return t + long
}

// many draws the time of n stretches: those without a hit are passed over.
func (s *steep) many(n float64, rng rand.Source) float64 {
	t := n * s.work
	for s.pass < 1 {
		if n -= 1 + math.Floor(math.Log(unit(rng))/math.Log(s.pass)); !(n >= 0) {
			break
		}
		t -= s.work
		long := s.Recovery + s.work
		t += within(s.a, s.work, rng) + s.Detection + long
		for unit(rng) <= s.again {
			t += within(s.a, long, rng) + s.Detection
		}
	}
	return t
}
