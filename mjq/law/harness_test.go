package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// continuous reports whether the CDF has no jumps on (0, ∞).
func continuous(l Law) bool {
	for p := 0.05; p < 1; p += 0.1 { // a law of steps has a step at every quantile
		if x := l.Quantile(p); l.Survival(x*(1-1e-9))-l.Survival(x) > 1e-4 {
			return false
		}
	}
	return true
}

// steps are the times that a law of finitely many takes; nil for others.
func steps(l Law) []float64 {
	f, _ := FormOf(l)
	return f.Floats("values")
}

// tailIntegral is ∫ w(x) P(X>x) dx, cut into pieces at quantiles so that jumps
// of step laws and different scales do no harm.
func tailIntegral(l Law, w func(x float64) float64) float64 {
	cuts := []float64{0}
	if values := steps(l); values != nil {
		cuts = append(cuts, values...)
	} else {
		for _, p := range []float64{0, 0.2, 0.5, 0.9, 0.99, 0.999, 1 - 1e-6, 1 - 1e-9} {
			cuts = append(cuts, l.Quantile(p))
		}
		if hi := l.Quantile(1); !math.IsInf(hi, 1) {
			cuts = append(cuts, hi)
		}
	}
	f := func(x float64) float64 { return w(x) * l.Survival(x) }
	sum := 0.0
	for i := 1; i < len(cuts); i++ {
		if cuts[i] > cuts[i-1] {
			sum += segment(f, cuts[i-1], cuts[i])
		}
	}
	if last := cuts[len(cuts)-1]; math.IsInf(l.Quantile(1), 1) {
		sum += halfLine(func(y float64) float64 { return f(last + y) }, last)
	}
	return sum
}

func close(got, want, rel float64) bool {
	return math.Abs(got-want) <= rel*(math.Abs(want)+1e-12) || got == want
}

// checkMoments holds mean, variance and transform against the tail.
func checkMoments(l Law) (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%v: ", l)+fmt.Sprintf(format, args...))
	}
	mean := tailIntegral(l, func(float64) float64 { return 1 })
	second := tailIntegral(l, func(x float64) float64 { return 2 * x })
	if !close(l.Mean(), mean, 1e-8) {
		fault("mean %v, the tail integrates to %v", l.Mean(), mean)
	}
	if !close(l.Variance()+mean*mean, second, 1e-7) {
		fault("second moment %v, the tail gives %v", l.Variance()+mean*mean, second)
	}
	for _, s := range []float64{0.01, 0.5, 3, 40} {
		want := 1 - s*tailIntegral(l, func(x float64) float64 { return math.Exp(-s * x) })
		if got := l.Laplace(s); math.Abs(got-want) > 1e-8*want+1e-13 { // 1 - … cancels
			fault("Laplace(%v) = %v, the tail gives %v", s, got, want)
		}
	}
	if l.Laplace(0) != 1 && !close(l.Laplace(0), 1, 1e-12) {
		fault("Laplace(0) = %v", l.Laplace(0))
	}
	return faults
}

// checkTail holds Quantile against Survival in the middle and both tails.
func checkTail(l Law) (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%v: ", l)+fmt.Sprintf(format, args...))
	}
	last := 0.0
	for _, p := range []float64{0, 1e-12, 1e-6, 0.01, 0.1, 0.25, 0.4, 0.5, 0.75, 0.9, 0.99, 0.999999, 1 - 1e-9, 1} {
		x := l.Quantile(p)
		if !(x >= last) {
			fault("Quantile(%v) = %v falls below %v", p, x, last)
		}
		last = x
		if p == 0 || p == 1 {
			continue
		}
		if p < l.Survival(0) && continuous(l) && x > 0 && !close(l.Survival(x), 1-p, 1e-6) {
			fault("Survival(Quantile(%v)) = %v", p, l.Survival(x))
		}
		if above := l.Survival(x); above > 1-p+1e-9 {
			fault("Quantile(%v) = %v leaves %v above", p, x, above)
		}
	}
	if l.Survival(-1) != 1 || l.Survival(math.Inf(1)) != 0 && !math.IsNaN(l.Survival(math.Inf(1))) {
		fault("Survival(-1) = %v, Survival(∞) = %v", l.Survival(-1), l.Survival(math.Inf(1)))
	}
	if !math.IsNaN(l.Quantile(-0.1)) || !math.IsNaN(l.Quantile(1.1)) {
		fault("a quantile outside [0, 1] is a number")
	}
	return faults
}

const draws = 100_000

// checkSample holds draws of from against the law l: mean and variance within
// five standard errors, and the Kolmogorov–Smirnov distance below its 10^-6
// critical value 2.69/√n.
func checkSample(l, from Law) (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%v: ", l)+fmt.Sprintf(format, args...))
	}
	rng := rand.NewPCG(7, 11)
	xs := make([]float64, draws)
	var mean, second, fourth float64
	for i := range xs {
		xs[i] = from.Sample(rng)
		mean += xs[i] / draws
	}
	for _, x := range xs {
		d := (x - mean) * (x - mean)
		second += d / draws
		fourth += d * d / draws
	}
	if se := math.Sqrt(l.Variance() / draws); math.Abs(mean-l.Mean()) > 5*se+1e-10 {
		fault("sample mean %v, mean %v ± %v", mean, l.Mean(), se)
	}
	if se := math.Sqrt((fourth - second*second) / draws); !heavy(l) && math.Abs(second-l.Variance()) > 5*se+1e-12 {
		fault("sample variance %v, variance %v ± %v", second, l.Variance(), se)
	}
	if !continuous(l) {
		return faults
	}
	slices.Sort(xs)
	ks := 0.0
	for i, x := range xs {
		if i > 0 && x == xs[i-1] || x == 0 || i%64 != 0 {
			continue // an atom; and few are enough, the distance hardly changes
		}
		cdf := 1 - l.Survival(x)
		below, _ := slices.BinarySearch(xs, x)
		ks = max(ks, math.Abs(cdf-float64(i+1)/draws), math.Abs(cdf-float64(below)/draws))
	}
	if ks > 2.69/math.Sqrt(draws) {
		fault("Kolmogorov–Smirnov distance %v", ks)
	}
	return faults
}

// heavy says that the fourth moment is infinite or too wild to estimate from as
// many draws: because of its index, or since the tail goes far beyond them.
func heavy(l Law) bool {
	return TailIndex(l) <= 9 || l.Quantile(1-1e-9) > 15*l.Quantile(0.999)
}

// TestHarnessCatchesWrongLaws feeds the checks a law that is off by 2 %.
func TestHarnessCatchesWrongLaws(t *testing.T) {
	for _, l := range []Law{ExpMean(1), Uniform{0, 1}, ErlangMeanPhases(1, 3)} {
		if len(checkSample(l, l.Scaled(1.02))) == 0 {
			t.Errorf("samples of %v off by 2 %% pass", l)
		}
		if len(checkMoments(wrongMean{l})) == 0 {
			t.Errorf("a wrong mean of %v passes", l)
		}
		if len(checkTail(wrongQuantile{l})) == 0 {
			t.Errorf("a wrong quantile of %v passes", l)
		}
	}
}

type wrongMean struct{ Law }

func (w wrongMean) Mean() float64 { return 1.001 * w.Law.Mean() }

type wrongQuantile struct{ Law }

func (w wrongQuantile) Quantile(p float64) float64 { return w.Law.Quantile(p * 0.99) }
