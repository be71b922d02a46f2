package arrival

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// Profile is a process whose rate is a periodic function of time, as over a day:
// Rates[j] in the j-th of len(Rates) equal parts of the period. The time of
// another process runs at that speed, so that jobs arrive at that rate; without
// one they are Poisson, of the rate that the time of day has.
//
// The period begins at a uniform point, counted in expected arrivals. So job 0 of a sample is
// an arbitrary job of an arbitrary day, and times of day occur as often as the rate says.
type Profile struct {
	Period float64
	Rates  []float64
	Of     Process // nil: Poisson
}

// Validate wants a positive period, rates that are not negative and not all 0, and
// a valid process which is no profile itself.
func (p Profile) Validate() error {
	var f check.Faults
	f.That(p.Period >= leastNumber && p.Period <= mostNumber, "the period is %v; give a time from %g to %g", p.Period, leastNumber, mostNumber)
	f.That(len(p.Rates) > 0, "there is no rate; give those of equal parts of the period")
	for j, rate := range p.Rates {
		f.That(rate == 0 || rate >= leastNumber && rate <= mostNumber, "rate %d is %v; give 0 or a number from %g to %g", j+1, rate, leastNumber, mostNumber)
	}
	f.That(len(p.Rates) == 0 || slices.ContainsFunc(p.Rates, func(rate float64) bool { return rate != 0 }), "all rates are 0; give a positive one")
	if p.Of != nil {
		if err := p.Of.Validate(); err != nil {
			f.Join(err)
		} else {
			f.That(p.Of.Chain().Clock == nil, "it is a profile of a profile; multiply the rates of the two and give one profile of the longer period")
		}
	}
	return f.Err(check.Shorten(p.String()))
}

// Rate is the mean of the rates.
func (p Profile) Rate() float64 {
	sum := 0.0
	for _, rate := range p.Rates {
		sum += rate
	}
	return sum / float64(len(p.Rates))
}

// Expected is the number of jobs expected to arrive between two times, from <= to, after
// the beginning of a period.
func (p Profile) Expected(from, to float64) float64 {
	whole := func(t float64) float64 {
		periods := math.Floor(t / p.Period)
		return periods*p.Period*p.Rate() + p.expected(t-periods*p.Period)
	}
	return whole(to) - whole(from)
}

// AtRate multiplies the rates; the period stays what it is.
func (p Profile) AtRate(rate float64) Process {
	c := rate / p.Rate()
	rates := slices.Clone(p.Rates)
	for j := range rates {
		rates[j] *= c
	}
	return Profile{p.Period, rates, p.Of}
}

// turns reports whether the rate changes at all.
func (p Profile) turns() bool {
	return slices.ContainsFunc(p.Rates, func(rate float64) bool { return rate != p.Rates[0] })
}

// within is the process at the given rate.
func (p Profile) within(rate float64) Process {
	if p.Of == nil {
		return Poisson(rate)
	}
	return p.Of.AtRate(rate)
}

// Chain is that of the process within, with a clock unless all rates are equal.
func (p Profile) Chain() Chain {
	if !p.turns() {
		return p.within(p.Rates[0]).Chain()
	}
	c := p.within(1).Chain()
	c.Clock = &Clock{p.Period, slices.Clone(p.Rates)}
	return c
}

// Markov is the process within, if all rates are equal.
func (p Profile) Markov() (Markov, bool) {
	if p.turns() {
		return Markov{}, false
	}
	return AsMarkov(p.within(p.Rates[0]))
}

// String returns the arrivals as a Go literal.
func (p Profile) String() string {
	rates := make([]string, len(p.Rates))
	for i, rate := range p.Rates {
		rates[i] = fmt.Sprint(rate)
	}
	s := fmt.Sprintf("Profile{Period: %v, Rates: []float64{%s}", p.Period, strings.Join(rates, ", "))
	if p.Of != nil {
		s += fmt.Sprintf(", Of: %v", p.Of)
	}
	return s + "}"
}
