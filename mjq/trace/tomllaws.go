package trace

import (
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq/law"
)

// distributionKeys are all that a distribution may have.
var distributionKeys = []string{"distribution", "prob", "mode", "mean", "rate", "lambda", "value",
	"alpha", "L", "l", "H", "h", "min", "max", "a", "b", "s", "m"}

// The simulator makes a bounded Pareto law of a mean by fixing its bounds at
// these multiples of it, whatever the shape.
const (
	paretoLow  = 12000.0 / 23999
	paretoHigh = 12000.0
)

// law makes a law by the conventions of the simulator; nil with a fault when
// the parameters do not make one.
func (t *tomlReader) law(at string, in table) law.Law {
	family, _ := in["distribution"].(string)
	var l law.Law
	switch strings.ToLower(family) {
	case "exponential":
		if mean, ok := t.meanOf(at, in); ok {
			l = law.ExpMean(mean)
		}
	case "deterministic":
		if x, ok := t.one(at, in, "value", "mean"); ok {
			l = law.Deterministic{X: x}
		}
	case "uniform":
		l = t.uniform(at, in)
	case "bounded pareto":
		l = t.pareto(at, in)
	case "lognormal":
		if mean, ok := t.one(at, in, "mean"); ok {
			l = law.LogNormalMeanSCV(mean, 0.25)
			t.note("%s: the simulator's lognormal law has a standard deviation of half its mean", at)
		}
	case "":
		t.fault("%s.distribution is missing; give one, for the class or as a default", at)
	default:
		t.fault("%s.distribution is %q; this package reads exponential, deterministic, uniform, bounded pareto and lognormal", at, family)
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

// meanOf reads mean, or rate alias lambda, of which there must be one.
func (t *tomlReader) meanOf(at string, in table) (float64, bool) {
	mean, byMean := t.number(at, in, "mean")
	rate, byRate := t.first(at, in, "lambda", "rate")
	switch {
	case byMean && byRate:
		t.fault("%s has both a mean and a rate; leave one out, also from the defaults", at)
	case byMean:
		return mean, true
	case byRate:
		return 1 / rate, true
	default:
		t.fault("%s has neither mean nor rate; give one", at)
	}
	return 0, false
}

// first is the first of the keys that is there, if any is.
func (t *tomlReader) first(at string, in table, keys ...string) (float64, bool) {
	for _, k := range keys {
		if x, ok := t.number(at, in, k); ok {
			return x, true
		}
	}
	return 0, false
}

// one is the first of the keys, one of which must be there.
func (t *tomlReader) one(at string, in table, keys ...string) (float64, bool) {
	if x, ok := t.first(at, in, keys...); ok {
		return x, true
	}
	t.fault("%s has no %s; give it", at, strings.Join(keys, " or "))
	return 0, false
}

// number reads a finite number that may be absent.
func (t *tomlReader) number(at string, in table, key string) (float64, bool) {
	switch v := in[key].(type) {
	case nil:
		return 0, false
	case int64:
		return float64(v), true
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v, true
		}
	}
	t.fault("%s.%s is %v; give a finite number", at, key, in[key])
	return 0, false
}

// uniform has two ends, or a mean from half of which to one and a half it goes.
func (t *tomlReader) uniform(at string, in table) law.Law {
	lo, hasLo := t.first(at, in, "min", "a")
	hi, hasHi := t.first(at, in, "max", "b")
	mean, hasMean := t.number(at, in, "mean")
	switch {
	case hasLo && hasHi && !hasMean:
		return law.Uniform{Lo: lo, Hi: hi}
	case hasMean && !hasLo && !hasHi:
		t.note("%s: the simulator's uniform law of a mean goes from half of it to one and a half", at)
		return law.Uniform{Lo: 0.5 * mean, Hi: 1.5 * mean}
	}
	t.fault("%s: a uniform law takes min and max, or a mean alone", at)
	return nil
}

// pareto has a shape with two bounds, or with a mean that it then rarely has.
func (t *tomlReader) pareto(at string, in table) law.Law {
	shape, ok := t.one(at, in, "alpha")
	if !ok {
		return nil
	}
	lo, hasLo := t.first(at, in, "L", "l", "min")
	hi, hasHi := t.first(at, in, "H", "h", "max")
	_, hasMean := in["mean"]
	_, hasRate := in["rate"]
	switch {
	case hasLo && hasHi && !hasMean && !hasRate:
		return law.BoundedPareto{Lo: lo, Hi: hi, Shape: shape}
	case hasLo || hasHi || hasMean == hasRate:
		t.fault("%s: a bounded pareto law takes alpha with L and H, or with a mean or rate alone", at)
		return nil
	}
	mean, ok := t.meanOf(at, in)
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
func (t *tomlReader) arrivals(s *Setting, defaults table, own []table) {
	mode, _ := defaults["mode"].(string)
	if _, given := defaults["mode"]; given && mode != "shared" && mode != "independent" {
		t.fault("arrival.mode is %v; it is \"shared\" or \"independent\"", defaults["mode"])
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
	family, _ := defaults["distribution"].(string)
	if mode == "shared" && !strings.EqualFold(family, "exponential") {
		s.Gap = t.law("arrival", defaults)
		return
	}
	t.poisson(s, defaults, own, probs)
}

// poisson merges the exponential arrivals of the classes.
func (t *tomlReader) poisson(s *Setting, defaults table, own []table, probs []float64) {
	rates, total := make([]float64, len(own)), 0.0
	for i, o := range own {
		in, at := overlay(defaults, o), fmt.Sprintf("class %d: arrival", i+1)
		family, _ := in["distribution"].(string)
		if !strings.EqualFold(family, "exponential") {
			t.fault("%s.distribution is %q; arrivals of each class by itself must be exponential, others make no renewal process", at, family)
			return
		}
		if probs != nil && in["mean"] == nil && in["rate"] == nil && in["lambda"] == nil {
			continue
		}
		mean, ok := t.meanOf(at, in)
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
func (t *tomlReader) merge(s *Setting, defaults table, own []table, rates []float64, total float64) {
	shared := s.Classes[0].Prob > 0
	for i := range own {
		if rates[i] == 0 {
			t.fault("class %d: arrival has neither mean nor rate, though other classes have; give one", i+1)
			return
		}
		shared = shared && own[i]["mean"] == nil && own[i]["rate"] == nil && own[i]["lambda"] == nil
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
// one. All must have one or none. ok is false after a fault, also after one that
// an earlier run had: it is not counted again.
func (t *tomlReader) probs(own []table) (probs []float64, ok bool) {
	sum, positive := 0.0, true
	for i, o := range own {
		p, given := t.number(fmt.Sprintf("class %d: arrival", i+1), o, "prob")
		if given != (o["prob"] != nil) {
			return nil, false
		}
		if given && !(p > 0) {
			t.fault("class %d: arrival.prob is %v; give a positive one, or leave the class out", i+1, p)
			positive = false
		}
		if given {
			probs = append(probs, p)
		}
		sum += p
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
