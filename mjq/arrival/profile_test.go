package arrival

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// TestProfileGaps holds the numeric moments of gaps against a two-rate day by hand
// and against thinning.
func TestProfileGaps(t *testing.T) {
	// Much slower than the gaps: a job meets rate a with probability a/(a+b), and
	// then gaps are exponential and stay so.
	slow := Profile{Period: 1e7, Rates: []float64{1, 4}}
	square := (1.0/5)*2 + (4.0/5)*2/16
	mean := 1 / 2.5
	near(t, "the scv of slow days", SCV(slow), square/mean/mean-1, 1e-4)
	product := (1.0/5)*1 + (4.0/5)/16
	near(t, "the correlation of slow days", Correlations(slow, 5)[4], (product-mean*mean)/(square-mean*mean), 1e-3)
	// Much faster: Poisson.
	near(t, "the scv of fast days", SCV(Profile{Period: 1e-4, Rates: []float64{1, 4}}), 1, 1e-3)
	// Rates that are equal but for rounding: Poisson.
	near(t, "the scv of equal days", SCV(Profile{Period: 3, Rates: []float64{2, 2 * (1 + 1e-12)}}), 1, 1e-7)

	p := Profile{Period: 6, Rates: []float64{0, 1, 3}}
	scv, lags := thinned(p, 2_000_000)
	near(t, "the scv by thinning", SCV(p), scv, 0.02)
	for j, rho := range Correlations(p, 3) {
		near(t, "a correlation by thinning", rho, lags[j], 0.006)
	}
	if rho := Correlations(Profile{Period: 6, Rates: []float64{0, 1}, Of: erlang}, 2); len(rho) != 2 || !math.IsNaN(rho[1]) {
		t.Errorf("correlations of what is not Poisson: %v", rho)
	}
	near(t, "the dispersion of a day", Dispersion(p), 1, 1e-14)
	near(t, "the dispersion of turned gaps", Dispersion(Profile{Period: 6, Rates: []float64{0, 1}, Of: erlang}), 1.0/3, 1e-14)
	if p.AtRate(5).(Profile).Period != 6 {
		t.Error("the period changes with the rate")
	}
}

// TestProfileCounts: over a time that the rate is constant in, mostly, the variance
// is that of a mixture; over whole periods there is none; and two rates by hand.
func TestProfileCounts(t *testing.T) {
	p := Profile{Period: 4, Rates: []float64{1, 3}}
	near(t, "over a moment", (DispersionAt(p, 1e-6)-1)/1e-6, 1.0/2, 1e-5) // variance t² · 1, mean 2 t
	near(t, "over a period", DispersionAt(p, 8), 1, 1e-14)
	near(t, "over half a period", DispersionAt(p, 2), 1+(4.0/3)/4, 1e-13) // 4 ± 2, a triangle wave
	near(t, "over two and a half", DispersionAt(p, 10), 1+(4.0/3)/20, 1e-13)
	near(t, "with a rate of equal parts", DispersionAt(Profile{Period: 4, Rates: []float64{1, 1, 3, 3}}, 0.7), DispersionAt(p, 0.7), 1e-13)
	for _, p := range []Process{Profile{Period: 4, Rates: []float64{1, 3}, Of: erlang}, Renewal{law.Uniform{Lo: 1, Hi: 2}}} {
		if !math.IsNaN(DispersionAt(p, 1)) {
			t.Errorf("counts of %v have a variance", p)
		}
	}
	if !math.IsNaN(DispersionAt(p, -1)) || !math.IsNaN(DispersionAt(bursty, 0)) {
		t.Error("no time")
	}
}

// thinned simulates a day by Lewis and Shedler's thinning (Naval Research
// Logistics 26, 1979).
func thinned(p Profile, jobs int) (scv float64, lags []float64) {
	rng := rand.New(rand.NewPCG(5, 6))
	most := 0.0
	for _, rate := range p.Rates {
		most = max(most, rate)
	}
	var gaps []float64
	for now, last := 0.0, 0.0; len(gaps) < jobs; {
		now += rng.ExpFloat64() / most
		part := int(math.Mod(now, p.Period) / p.Period * float64(len(p.Rates)))
		if rng.Float64()*most < p.Rates[part] {
			gaps = append(gaps, now-last)
			last = now
		}
	}
	mean, square := 0.0, 0.0
	for _, x := range gaps {
		mean += x / float64(jobs)
		square += x * x / float64(jobs)
	}
	variance := square - mean*mean
	for lag := range 3 {
		sum := 0.0
		for i, x := range gaps[lag+1:] {
			sum += (x - mean) * (gaps[i] - mean)
		}
		lags = append(lags, sum/float64(jobs)/variance)
	}
	return variance / (mean * mean), lags
}

// TestGapsOfEqualLaw: IsPoisson looks at the law that gaps have, not at its type.
func TestGapsOfEqualLaw(t *testing.T) {
	if _, ok := IsPoisson(Renewal{law.ErlangMeanPhases(2, 1)}); ok {
		t.Error("Erlang gaps are exponential by construction")
	}
}
