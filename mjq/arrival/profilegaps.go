package arrival

import (
	"math"
	"slices"
)

// gapsOf is what is known of the gaps of a profile.
type gapsOf struct {
	scv  float64
	lags []float64
}

// gaps are the squared coefficient of variation of a gap as jobs see it over the
// period, and its correlations with the k next, to about six digits; NaN unless
// jobs are Poisson. Let r(t) be the mean time from t to the next job, which solves
//
//	r' = λ r - 1,   E[τ] = 1/λ̄,   E[τ²] = 2/λ̄ · the mean of r over the period
//
// (the second is Palm's inversion formula: Baccelli and Brémaud, "Elements of
// queueing theory", section 1.2). If w(T) is the mean of the gap j-1 after a job
// at T, then v' = λ v - λ w is the mean of w at the job next to t, f' = λ f - v
// that of w times the time until then, and the mean product at lag j is the mean
// of f weighed by λ.
func (p Profile) gaps(k int) gapsOf {
	g := gapsOf{math.NaN(), make([]float64, max(0, k))}
	for j := range g.lags {
		g.lags[j] = math.NaN()
	}
	if !p.poisson() {
		return g
	}
	d := newDay(p)
	ones := make([]float64, 2*len(d.steps))
	for i := range ones {
		ones[i] = 1
	}
	w := d.solve(ones)
	mean := 1 / p.Rate()
	square := 2 * mean * d.mean(w, func(float64) float64 { return 1 })
	g.scv = square/(mean*mean) - 1
	weight := func(rate float64) float64 { return rate * mean }
	for j := range g.lags {
		v := d.solve(d.times(w))
		product := d.mean(d.solve(v), weight)
		g.lags[j] = (product/(mean*mean) - 1) / g.scv
		w = v
	}
	return g
}

// poisson reports whether jobs are Poisson, given the time of day.
func (p Profile) poisson() bool {
	_, ok := IsPoisson(p.within(1))
	return ok
}

// dispersionAt is 1 and the variance of the expected arrivals over time t, which
// begins anywhere in the period, over their mean. Between the times at which its
// beginning or its end meets another rate, they are linear in the beginning.
func (p Profile) dispersionAt(t float64) float64 {
	if !(t > 0) || math.IsInf(t, 1) || !p.poisson() {
		return math.NaN()
	}
	part, over := p.Period/float64(len(p.Rates)), math.Mod(t, p.Period)
	var turns []float64
	for j := range p.Rates {
		turns = append(turns, float64(j)*part, math.Mod(float64(j)*part-over+p.Period, p.Period))
	}
	slices.Sort(turns)
	turns = append(turns, p.Period)
	off := func(begin float64) float64 { return p.expected(begin+over) - p.expected(begin) - p.Rate()*over }
	sum, last := 0.0, off(0)
	for i, end := range turns[1:] {
		now := off(end)
		sum += (end - turns[i]) * (last*last + last*now + now*now) / 3
		last = now
	}
	return 1 + sum/p.Period/(p.Rate()*t)
}

// expected is the number of arrivals expected from the beginning of a period to a
// time less than two periods later.
func (p Profile) expected(time float64) (sum float64) {
	part := p.Period / float64(len(p.Rates))
	for j := 0; float64(j)*part < time; j++ {
		sum += p.Rates[j%len(p.Rates)] * math.Min(part, time-float64(j)*part)
	}
	return sum
}

// day is the period in steps, on each of which the rate is constant. A function on
// it is given by its values at the two ends of every step.
type day struct {
	length float64 // of a step
	steps  []float64
}

// stepsOfDay is how many steps there are at least.
const stepsOfDay = 4096

func newDay(p Profile) day {
	each := 1 + stepsOfDay/len(p.Rates)
	d := day{length: p.Period / float64(each*len(p.Rates))}
	for _, rate := range p.Rates {
		for range each {
			d.steps = append(d.steps, rate)
		}
	}
	return d
}

// times is λ w.
func (d *day) times(w []float64) []float64 {
	g := make([]float64, len(w))
	for i, rate := range d.steps {
		g[2*i], g[2*i+1] = rate*w[2*i], rate*w[2*i+1]
	}
	return g
}

// mean is the mean over the period of y times a function of the rate.
func (d *day) mean(y []float64, weight func(rate float64) float64) float64 {
	sum := 0.0
	for i, rate := range d.steps {
		sum += weight(rate) * (y[2*i] + y[2*i+1]) / 2
	}
	return sum / float64(len(d.steps))
}

// solve is the solution of y' = λ y - g that has the period, exact for g that is
// linear on each step. It goes back in time, which is stable: first from 0, which
// tells what a period adds.
func (d *day) solve(g []float64) []float64 {
	y := make([]float64, len(g))
	end, passed := 0.0, 0.0
	for _, found := range []bool{false, true} {
		for i := len(d.steps) - 1; i >= 0; i-- {
			z := d.steps[i] * d.length
			one, two := weights(z)
			start := math.Exp(-z)*end + d.length*(g[2*i]*two+g[2*i+1]*(one-two))
			y[2*i], y[2*i+1] = start, end
			end, passed = start, passed+z
		}
		if !found {
			end /= -math.Expm1(-passed)
		}
	}
	return y
}

// weights are the integrals of exp(-z x) and of (1-x) exp(-z x) for x from 0 to 1.
func weights(z float64) (one, two float64) {
	if z < 1e-3 {
		return 1 - z/2 + z*z/6 - z*z*z/24, 0.5 - z/6 + z*z/24 - z*z*z/120
	}
	one = -math.Expm1(-z) / z
	return one, (1 - one) / z
}
