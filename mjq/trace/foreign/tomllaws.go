package foreign

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq/law"
)

// distribution is a law by the keys of the simulator, which has several names for one
// number. Keys match in capitals too: l is L.
type distribution struct {
	Distribution string   `toml:"distribution,omitempty"`
	Mode         string   `toml:"mode,omitempty"` // of arrivals
	Prob         *float64 `toml:"prob,omitempty"` // of the arrivals of a class
	Mean         *float64 `toml:"mean,omitempty"`
	Rate         *float64 `toml:"rate,omitempty"`
	Lambda       *float64 `toml:"lambda,omitempty"`
	Value        *float64 `toml:"value,omitempty"`
	Alpha        *float64 `toml:"alpha,omitempty"`
	L            *float64 `toml:"L,omitempty"`
	H            *float64 `toml:"H,omitempty"`
	Min          *float64 `toml:"min,omitempty"`
	Max          *float64 `toml:"max,omitempty"`
	A            *float64 `toml:"a,omitempty"`
	B            *float64 `toml:"b,omitempty"`
	S            *float64 `toml:"s,omitempty"` // s and m are of laws that no model has
	M            *float64 `toml:"m,omitempty"`
}

// rate is what says how often: rate, or lambda.
func (d *distribution) rate() *float64 { return cmp.Or(d.Lambda, d.Rate) }

// timed is whether the distribution says how long or how often.
func (d *distribution) timed() bool { return d.Mean != nil || d.rate() != nil }

// The simulator makes a bounded Pareto law of a mean by fixing its bounds at
// these multiples of it, whatever the shape.
const (
	paretoLow  = 12000.0 / 23999
	paretoHigh = 12000.0
)

// law makes a law by the conventions of the simulator; nil with a fault when
// the parameters do not make one.
func (t *tomlReader) law(at string, d distribution) law.Law {
	var l law.Law
	switch strings.ToLower(d.Distribution) {
	case "exponential":
		if mean, ok := t.meanOf(at, d); ok {
			l = law.ExpMean(mean)
		}
	case "deterministic":
		if x, ok := t.one(at, "value or mean", cmp.Or(d.Value, d.Mean)); ok {
			l = law.Deterministic{X: x}
		}
	case "uniform":
		l = t.uniform(at, d)
	case "bounded pareto":
		l = t.pareto(at, d)
	case "lognormal":
		if mean, ok := t.one(at, "mean", d.Mean); ok {
			l = law.LogNormalMeanSCV(mean, 0.25)
			t.note("%s: the standard deviation is half the mean, as in the simulator's lognormal law", at)
		}
	case "":
		t.fault("%s.distribution is missing; give one, for the class or as a default", at)
	default:
		t.fault("%s.distribution is %q; this package reads exponential, deterministic, uniform, bounded pareto and lognormal", at, d.Distribution)
	}
	if l == nil {
		return nil
	}
	if err := l.Validate(); err != nil {
		t.fault("%s: %v", at, err)
		return nil
	}
	return l
}

// meanOf is the mean, by itself or by a rate, of which there must be one.
func (t *tomlReader) meanOf(at string, d distribution) (float64, bool) {
	switch rate := d.rate(); {
	case d.Mean != nil && rate != nil:
		t.fault("%s has both a mean and a rate; leave one out, also from the defaults", at)
	case d.Mean != nil:
		return *d.Mean, true
	case rate != nil:
		return 1 / *rate, true
	default:
		t.fault("%s has neither mean nor rate; give one", at)
	}
	return 0, false
}

// one is a number that must be there.
func (t *tomlReader) one(at, key string, x *float64) (float64, bool) {
	if x == nil {
		t.fault("%s has no %s; give it", at, key)
		return 0, false
	}
	return *x, true
}

// uniform has two ends, or a mean from half of which to one and a half it goes.
func (t *tomlReader) uniform(at string, d distribution) law.Law {
	lo, hi := cmp.Or(d.Min, d.A), cmp.Or(d.Max, d.B)
	switch {
	case lo != nil && hi != nil && d.Mean == nil:
		return law.Uniform{Lo: *lo, Hi: *hi}
	case d.Mean != nil && lo == nil && hi == nil:
		t.note("%s: the values go from 0.5 to 1.5 times the mean, as in the simulator's uniform law", at)
		return law.Uniform{Lo: 0.5 * *d.Mean, Hi: 1.5 * *d.Mean}
	}
	t.fault("%s: a uniform law takes min and max, or a mean alone", at)
	return nil
}

// pareto has a shape with two bounds, or with a mean that it then rarely has.
func (t *tomlReader) pareto(at string, d distribution) law.Law {
	shape, ok := t.one(at, "alpha", d.Alpha)
	if !ok {
		return nil
	}
	lo, hi := cmp.Or(d.L, d.Min), cmp.Or(d.H, d.Max)
	switch {
	case lo != nil && hi != nil && !d.timed():
		return law.BoundedPareto{Lo: *lo, Hi: *hi, Shape: shape}
	case lo != nil || hi != nil || !d.timed():
		t.fault("%s: a bounded pareto law takes alpha with L and H, or with a mean or rate alone", at)
		return nil
	}
	mean, ok := t.meanOf(at, d)
	if !ok {
		return nil
	}
	l := law.BoundedPareto{Lo: paretoLow * mean, Hi: paretoHigh * mean, Shape: shape}
	if real := l.Mean(); l.Validate() == nil && math.Abs(real/mean-1) > 1e-3 {
		t.note("%s: asked for mean %v, the simulator's bounded pareto law of shape %v has mean %s",
			at, mean, shape, fmt.Sprintf("%.6g", real))
	}
	return l
}

// arrivals finds the law between arrivals and the class probabilities. Classes
// with exponential arrivals of their own merge into one Poisson process; with
// prob they share the rate of the defaults.
func (t *tomlReader) arrivals(s *Setting, defaults distribution, own []distribution) {
	mode := defaults.Mode
	if mode != "" && mode != "shared" && mode != "independent" {
		t.fault("arrival.mode is %q; it is \"shared\" or \"independent\"", mode)
		return
	}
	probs, ok := t.probs(own)
	if !ok {
		return
	}
	if probs != nil && mode == "independent" {
		t.fault("class probabilities belong to shared arrivals; leave prob or mode = \"independent\" out")
		return
	}
	if mode == "shared" && probs == nil {
		t.fault("arrival.mode is \"shared\", so every class needs arrival.prob")
		return
	}
	for i := range probs {
		s.Classes[i].Prob = probs[i]
	}
	if mode == "shared" && !strings.EqualFold(defaults.Distribution, "exponential") {
		s.Gap = t.law("arrival", defaults)
		return
	}
	t.poisson(s, defaults, own, probs)
}

// poisson merges the exponential arrivals of the classes.
func (t *tomlReader) poisson(s *Setting, defaults distribution, own []distribution, probs []float64) {
	rates, total := make([]float64, len(own)), 0.0
	for i, o := range own {
		d, at := overlay(defaults, o), fmt.Sprintf("class %d: arrival", i+1)
		if !strings.EqualFold(d.Distribution, "exponential") {
			t.fault("%s.distribution is %q; arrivals of each class by itself must be exponential, others make no renewal process", at, d.Distribution)
			return
		}
		if probs != nil && !d.timed() {
			continue
		}
		mean, ok := t.meanOf(at, d)
		if !ok {
			return
		}
		if !(mean > 0) || math.IsInf(mean, 1) {
			t.fault("%s: the mean is %v; give a positive finite one", at, mean)
			return
		}
		rates[i] = 1 / mean
		if probs != nil {
			rates[i] *= probs[i]
		}
		total += rates[i]
	}
	if total == 0 {
		return // the probabilities alone: a model that waits for its rate
	}
	t.merge(s, defaults, own, rates, total)
}

// merge sets the probabilities and the gap. Where one mean serves all classes
// it is kept as it is, so that it keeps its digits.
func (t *tomlReader) merge(s *Setting, defaults distribution, own []distribution, rates []float64, total float64) {
	shared := s.Classes[0].Prob > 0
	for i := range own {
		if rates[i] == 0 {
			t.fault("class %d: arrival has neither mean nor rate, though other classes have; give one", i+1)
			return
		}
		shared = shared && !own[i].timed()
	}
	mean := 1 / total
	if shared {
		mean, _ = t.meanOf("arrival", defaults)
	} else {
		for i := range rates {
			s.Classes[i].Prob = rates[i] / total
		}
	}
	if l := law.ExpMean(mean); l.Validate() == nil {
		s.Gap = l
		return
	}
	t.fault("the arrivals of all classes have mean %v; give positive finite ones", mean)
}

// probs are the class probabilities, scaled to sum to 1; nil when no class has
// one. All must have one or none. ok is false after a fault.
func (t *tomlReader) probs(own []distribution) (probs []float64, ok bool) {
	sum, positive := 0.0, true
	for i, o := range own {
		if o.Prob == nil {
			continue
		}
		if p := *o.Prob; !(p > 0) {
			t.fault("class %d: arrival.prob is %v; give a positive one, or leave the class out", i+1, p)
			positive = false
		}
		probs = append(probs, *o.Prob)
		sum += *o.Prob
	}
	switch {
	case len(probs) > 0 && len(probs) < len(own):
		t.fault("%d of %d classes have arrival.prob; give it to all or none", len(probs), len(own))
		return nil, false
	case math.IsInf(sum, 1):
		t.fault("the class probabilities sum to %v; give finite ones", sum)
		return nil, false
	}
	if math.Abs(sum-1) > 1e-12 {
		for i := range probs {
			probs[i] /= sum
		}
	}
	return probs, positive
}
