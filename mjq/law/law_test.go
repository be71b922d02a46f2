package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// laws are instances of every law, the extremes of their shapes among them.
func laws() []Law {
	return []Law{
		ExpMean(2), ExpRate(4), ErlangMean(1, 1), ErlangMean(3, 0.83), ErlangMean(40, 5),
		HyperExp(0.01, 25, 0.2525), HyperExp(0.5, 1, 1), HyperExpMeanSCV(2, 9), HyperExpMeanSCV(1, 1),
		Cox2(1, 2, 0.3), Cox2(2, 0.5, 1), Cox2(1, 1, 0.5), Cox2(1, 3, 0),
		BoundedPareto{0.1492, 400, 1.4}, BoundedPareto{1, 10, 1}, BoundedPareto{1, 10, 2}, BoundedPareto{2, 3, 0.5},
		Lomax{5, 2}, Lomax{2.5, 1},
		PhaseType([]float64{0.3, 0.5}, [][]float64{{-1, 0.5}, {0.2, -2}}),
		PhaseType([]float64{1, 0, 0}, [][]float64{{-3, 3, 0}, {0, -3, 2}, {1, 0, -3}}),
		Deterministic{1.5}, Uniform{0, 2}, Uniform{3, 4}, LogNormalMeanSCV(1, 0.5), LogNormalMeanSCV(3, 4),
		WeibullMean(0.7, 1), WeibullMean(1, 2), WeibullMean(3, 0.5), NewEmpirical([]float64{3, 1, 1, 2.5, 0}),
	}
}

// continuous says whether the CDF has no jumps on (0, ∞).
func continuous(l Law) bool {
	for p := 0.005; p < 1; p += 0.01 {
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

func TestLaws(t *testing.T) {
	for _, l := range laws() {
		if err := l.Validate(); err != nil {
			t.Errorf("%v: %v", l, err)
		}
		faults := append(checkMoments(l), checkTail(l)...)
		faults = append(faults, checkSample(l, l)...)
		scaled := l.Scaled(3)
		if !close(scaled.Mean(), 3*l.Mean(), 1e-12) || !close(scaled.Variance(), 9*l.Variance(), 1e-9) ||
			!close(scaled.Survival(1.2), l.Survival(0.4), 1e-9) || scaled.Validate() != nil {
			faults = append(faults, fmt.Sprintf("%v scaled by 3 is %v", l, scaled))
		}
		for _, f := range faults {
			t.Error(f)
		}
	}
}

// TestHarnessCatchesWrongLaws feeds the checks a law that is off by 2 %.
func TestHarnessCatchesWrongLaws(t *testing.T) {
	for _, l := range []Law{ExpMean(1), Uniform{0, 1}, ErlangMean(3, 1)} {
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

// TestPhases rebuilds every phase-type law from its representation.
func TestPhases(t *testing.T) {
	for _, l := range laws() {
		alpha, a, ok := Phases(l)
		if !ok {
			continue
		}
		p := PhaseType(alpha, a)
		if err := p.Validate(); err != nil {
			t.Errorf("%v as phases: %v", l, err)
		}
		for _, x := range []float64{0.1, 1, 4} {
			if !close(p.Survival(x), l.Survival(x), 1e-9) {
				t.Errorf("%v: Survival(%v) = %v, by phases %v", l, x, l.Survival(x), p.Survival(x))
			}
		}
		if !close(p.Mean(), l.Mean(), 1e-10) || !close(p.Variance(), l.Variance(), 1e-9) || !close(p.Laplace(0.7), l.Laplace(0.7), 1e-10) {
			t.Errorf("%v: moments or transform by phases differ", l)
		}
	}
	if _, _, ok := Phases(Deterministic{1}); ok {
		t.Error("a constant has no phases")
	}
}

// TestLaplaceBeyondZero is the exponential moment, which light tails have up
// to their abscissa.
func TestLaplaceBeyondZero(t *testing.T) {
	for _, c := range []struct {
		l    Law
		s    float64
		want float64
	}{
		{ExpMean(2), -0.25, 2}, {ExpMean(2), -0.5, math.Inf(1)}, {ErlangMean(2, 1), -1, 4}, {ErlangMean(2, 1), -2, math.Inf(1)},
		{PhaseType([]float64{1}, [][]float64{{-1}}), -0.5, 2}, {PhaseType([]float64{1}, [][]float64{{-1}}), -1.5, math.Inf(1)},
		{Cox2(1, 1, 1), -0.5, 4}, {HyperExp(0.5, 1, 2), -0.6, math.Inf(1)}, {HyperExp(0, 100, 1), -0.5, 2},
		{Deterministic{3}, -1, math.Exp(3)}, {Uniform{0, 1}, -1, math.E - 1}, {Lomax{3, 1}, -1e-9, math.Inf(1)},
		{LogNormalMeanSCV(1, 1), -1e-9, math.Inf(1)}, {WeibullMean(0.5, 1), -0.1, math.Inf(1)}, {WeibullMean(1, 1), -0.5, 2},
		{WeibullMean(2, math.Sqrt(math.Pi)/2), -1, 1 + math.Sqrt(math.Pi)/2*math.Exp(0.25)*(1+math.Erf(0.5))},
		{BoundedPareto{1, 2, 1}, -0.001, 1 + 0.001*2*math.Ln2 + 1e-6 + 0.001*0.001*0.001/6*3},
	} {
		if got := c.l.Laplace(c.s); !close(got, c.want, 1e-8) {
			t.Errorf("%v: Laplace(%v) = %v, want %v", c.l, c.s, got, c.want)
		}
	}
}

// TestPaperParetos are the five bounded Pareto laws of the MJSRE paper: with
// the bounds as printed the means are these, with the authors' own bounds they
// are those of its Table 2.
func TestPaperParetos(t *testing.T) {
	printed := []float64{0.5026326, 0.8292804, 1.2478602, 3.3346910, 10.0063337}
	for i, lo := range []float64{0.15, 0.25, 0.38, 1.05, 3.35} {
		if got := (BoundedPareto{lo, 400, 1.4}).Mean(); !close(got, printed[i], 1e-6) {
			t.Errorf("bounds (%v, 400): mean %v, want %v", lo, got, printed[i])
		}
	}
	for i, lo := range []float64{0.1492, 0.250222, 0.380669, 1.04846, 3.34773} {
		want := []float64{0.5, 0.83, 1.25, 3.33, 10}[i]
		if got := (BoundedPareto{lo, 400, 1.4}).Mean(); !close(got, want, 2e-4) {
			t.Errorf("bounds (%v, 400): mean %v, want %v", lo, got, want)
		}
	}
}

func TestValidateNamesTheFault(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		l     Law
		texts string
	}{
		{ExpMean(-1), "ExpMean(-1)|mean is -1|positive"}, {ExpMean(nan), "NaN"}, {ExpRate(0), "mean is +Inf"}, {ErlangMean(0, -2), "phases is 0|mean is -2"},
		{HyperExp(1.5, 0, inf), "1.5|first mean is 0|second mean is +Inf"}, {HyperExpMeanSCV(1, 0.5), "HyperExpMeanSCV(1, 0.5)|variation is 0.5|at least 1|ErlangMean"},
		{Cox2(1, 1, -0.1), "-0.1"}, {BoundedPareto{2, 1, 1}, "not below"}, {BoundedPareto{0, 1, -1}, "lower bound is 0|shape is -1"},
		{Lomax{0, 1}, "shape is 0"}, {Deterministic{-1}, "value is -1"}, {Uniform{-1, 0}, "lower bound is -1"}, {Uniform{1, 1}, "above"},
		{LogNormalMeanSCV(1, 0), "variation is 0"}, {WeibullMean(0, 1), "shape is 0"}, {NewEmpirical(nil), "no value"}, {NewEmpirical([]float64{1, nan}), "NaN"},
		{NewEmpirical([]float64{1, -2}), "-2"}, {Empirical{[]float64{2, 1}}, "1 comes after 2"}, {PhaseType(nil, nil), "no phase"}, {PhaseType([]float64{1}, nil), "1 phases and A has 0 rows"},
		{PhaseType([]float64{0.7, 0.7}, [][]float64{{-1, 0}, {0, -1}}), "sums to 1.4"}, {PhaseType([]float64{1}, [][]float64{{1}}), "diagonal"},
		{PhaseType([]float64{1, 0}, [][]float64{{-1, 2}, {0, -1}}), "row 1"}, {PhaseType([]float64{1, 0}, [][]float64{{-1, 1}, {1, -1}}), "no way out"},
		{PhaseType([]float64{1, 0}, [][]float64{{-1, -1}, {1, -1}}), "A[1][2] is -1"}, {PhaseType([]float64{1}, [][]float64{{-1, 0}}), "row 1 of A has 2 entries, not 1"},
		{PhaseType([]float64{0.5, -0.5}, [][]float64{{-1, 0}, {0, 0}}), "initial probability of phase 2 is -0.5|A[2][2] is 0; the diagonal"},
		{PhaseType([]float64{1, 0}, [][]float64{{-1, 0}, {math.Inf(1), math.Inf(-1)}}), "A[2][2] is -Inf|A[2][1] is +Inf"},
		{PhaseType([]float64{1, 0}, [][]float64{{-1, 0}, {-1}}), "row 2 of A has 1 entries, not 2"},
		{PhaseType([]float64{1, 0}, [][]float64{{-1, 0}, {3, -1}}), "row 2 of A sums to 2"},
		{PhaseType([]float64{1, 0}, [][]float64{{-1e-3, 1e-3 + 5e-10}, {0, -1}}), "row 1"},
		{PhaseType([]float64{1, 0, 0}, [][]float64{{-1, 1, 0}, {1, -1, 0}, {0, 0, -1}}), "no way out"},
		{PhaseType([]float64{0.7, 0.3 + 2e-9}, [][]float64{{-1, 0}, {0, -1}}), "alpha sums to 1.000000002"},
		{BoundedPareto{2, 2, 1}, "lower bound 2 is not below the upper bound 2"},
		{WeibullMean(0.001, 1), "scale"},
		{BoundedPareto{1, 1e50, 7}, "too small for a number"}, {BoundedPareto{1, 1 + 1e-12, 0.1}, "by rounding only"},
	} {
		err := c.l.Validate()
		for _, text := range strings.Split(c.texts, "|") {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%#v: %v does not mention %q", c.l, err, text)
			}
		}
	}
	for _, l := range []Law{PhaseType([]float64{0.7, 0.3 + 5e-10}, [][]float64{{-1, 0}, {0, -1}}), PhaseType([]float64{1, 0}, [][]float64{{-1000, 1000 + 5e-7}, {0, -1}}),
		BoundedPareto{1, 1e50, 5}, BoundedPareto{1, 1 + 1e-9, 0.1}, Uniform{0, 1}, Deterministic{0}, HyperExp(0, 1, 1), HyperExp(1, 1, 1), ErlangMean(1, 1), NewEmpirical([]float64{0})} {
		if err := l.Validate(); err != nil {
			t.Errorf("a valid law: %v", err)
		}
	}
	if text := WeibullMean(0, 1).Validate().Error(); strings.Contains(text, "scale") {
		t.Errorf("a shape of 0 is blamed on the scale too: %s", text)
	}
	if none := (Lomax{0.5, 1}); none.Validate() != nil || !math.IsInf(none.Mean(), 1) || !math.IsInf((Lomax{1.5, 1}).Variance(), 1) {
		t.Error("an infinite mean is a fact, not a fault of the law")
	}
}

// FuzzParameters looks for panics on any parameters, and for quantiles of
// valid laws that are not numbers.
func FuzzParameters(f *testing.F) {
	f.Add(1.0, 2.0, 0.5, 3)
	f.Add(-1.0, math.Inf(1), math.NaN(), 0)
	f.Fuzz(func(t *testing.T, a, b, c float64, k int) {
		k = min(k, 50)
		for _, l := range []Law{ExpMean(a), ErlangMean(k, a), HyperExp(a, b, c), HyperExpMeanSCV(a, b), Cox2(a, b, c),
			BoundedPareto{a, b, c}, Lomax{a, b}, Deterministic{a}, Uniform{a, b}, LogNormalMeanSCV(a, b), WeibullMean(a, b),
			NewEmpirical([]float64{a, b, c}), PhaseType([]float64{a, b}, [][]float64{{-b, c}, {a, -c}})} {
			if l.String() == "" {
				t.Errorf("%#v has no text", l)
			}
			if _, isPH := l.(PH); l.Validate() == nil && !isPH && math.IsNaN(l.Quantile(0.5)) && ordinary(a) && ordinary(b) && ordinary(c) {
				t.Errorf("%v: the median is not a number", l)
			}
		}
	})
}

func ordinary(x float64) bool { return math.Abs(x) > 1e-3 && math.Abs(x) < 1e3 }

// TestLowerTails asks for quantiles where 1 - Survival has no digits left.
func TestLowerTails(t *testing.T) {
	for _, c := range []struct {
		l    Law
		p, x float64
	}{
		{ErlangMean(3, 1), 1e-12, 6.05734382e-05}, {ExpMean(2), 1e-15, 2e-15}, {Lomax{2, 1}, 1e-15, 5e-16},
		{WeibullMean(2, math.Sqrt(math.Pi)/2), 1e-12, 1e-6},
		{Cox2(1, 2, 1), 1e-18, 2e-9 + 1e-18}, {Cox2(3, 3, 1), 1e-18, 3 * math.Sqrt2 * 1e-9}, {Cox2(4, 1, 0.5), 1e-12, 8e-12},
		{HyperExp(0.25, 1, 3), 1e-14, 2e-14},
	} {
		if got := c.l.Quantile(c.p); !close(got, c.x, 1e-8) {
			t.Errorf("%v: Quantile(%v) = %v, want %v", c.l, c.p, got, c.x)
		}
	}
}

// TestUnits measures time in other units: every number follows.
func TestUnits(t *testing.T) {
	for _, l := range append(laws(), Spread(Lomax{3.5, 1}), Spread(WeibullMean(0.7, 1)), Spread(BoundedPareto{1, 10, 1.2})) {
		for _, c := range []float64{0x1p-30, 0x1p30} {
			scaled := l.Scaled(c)
			check := func(name string, got, want float64) {
				if !close(got, want, 1e-9) {
					t.Errorf("%v in units of %v: %s is %v, want %v", l, 1/c, name, got, want)
				}
			}
			check("mean", scaled.Mean(), c*l.Mean())
			check("variance", scaled.Variance(), c*c*l.Variance())
			check("SCV", SCV(scaled), SCV(l))
			for _, p := range []float64{0.03, 0.4, 0.97} {
				x := l.Quantile(p)
				check("quantile", scaled.Quantile(p), c*x)
				check("survival", scaled.Survival(1.01*c*x), l.Survival(1.01*x))
			}
			for _, s := range []float64{0.3, 5} {
				check("transform", scaled.Laplace(s/c), l.Laplace(s))
			}
			if got, want := scaled.Sample(rand.NewPCG(1, 3)), c*l.Sample(rand.NewPCG(1, 3)); !close(got, want, 1e-12) {
				check("draw", got, want)
			}
		}
	}
}

// TestSCV by hand, also where there is no number.
func TestSCV(t *testing.T) {
	for _, c := range []struct {
		l    Law
		want float64
	}{
		{ExpMean(3), 1}, {ErlangMean(4, 7), 0.25}, {Uniform{0, 6}, 1.0 / 3}, {HyperExpMeanSCV(2, 9), 9}, {Deterministic{2}, 0}, {Deterministic{0}, 0},
		{Lomax{1.5, 1}, math.Inf(1)}, {Lomax{0.5, 1}, math.Inf(1)}, {Lomax{4, 9}, 2},
	} {
		if got := SCV(c.l); !close(got, c.want, 1e-12) {
			t.Errorf("%v: SCV %v, want %v", c.l, got, c.want)
		}
	}
}

// TestEdgesOfDraws gives the words at the ends: the uniform number 1, for which
// a law without a second phase must not go on to one, and the least.
func TestEdgesOfDraws(t *testing.T) {
	const one = math.MaxUint64 // Unit is 1, its logarithm 0
	half := uint64(1)<<63 - 1
	alpha, a := zeros(10)
	for i := range alpha {
		alpha[i], a[i][i] = 0.1, -1
	}
	tenths := PhaseType(alpha, a)
	for _, c := range []struct {
		l     Law
		words []uint64
		want  float64
	}{
		{Cox2(1, 5, 1), []uint64{half, one, half}, 6 * math.Ln2},
		{Cox2(1, 5, 0), []uint64{half, 0}, math.Ln2},
		{HyperExp(1, 1, 5), []uint64{half, one}, math.Ln2},
		{HyperExp(0, 1, 5), []uint64{half, 0}, 5 * math.Ln2},
		{ExpMean(3), []uint64{one}, 0}, {ErlangMean(2, 3), []uint64{half, one}, 1.5 * math.Ln2},
		{ExpMean(1), []uint64{0}, 53 * math.Ln2},
		{Uniform{2, 3}, []uint64{one}, 2}, {Uniform{2, 4}, []uint64{half}, 3}, {Deterministic{7}, nil, 7},
		{WeibullMean(2, 1), []uint64{one}, 0}, {LogNormalMeanSCV(1, 1), []uint64{one}, 0}, {Lomax{2, 1}, []uint64{one}, 0},
		{BoundedPareto{1, 4, 1}, []uint64{one}, 1}, {BoundedPareto{1, 4, 1}, []uint64{half}, 1.6},
		{NewEmpirical([]float64{1, 2, 3}), []uint64{one}, 1}, {NewEmpirical([]float64{1, 2, 3}), []uint64{0}, 3},
		{PhaseType([]float64{1, 0}, [][]float64{{-1, 1}, {0, -0.5}}), []uint64{one, half, one, half, one}, 3 * math.Ln2},
		{PhaseType([]float64{0.5}, [][]float64{{-1}}), []uint64{one}, 0},
		{PhaseType([]float64{0.5}, [][]float64{{-1}}), []uint64{half, half, one}, math.Ln2},
		// What rounding leaves of a sum is neither the time 0 nor a way out.
		{tenths, []uint64{one, half, one}, math.Ln2},
		{PhaseType([]float64{1, 0, 0}, [][]float64{{-1.1, 0.4, 0.7}, {0, -1, 0}, {0, 0, -0.5}}), []uint64{half, half, one, half, one}, math.Ln2/1.1 + 2*math.Ln2},
	} {
		rng := &sequence{words: c.words}
		if got := c.l.Sample(rng); !close(got, c.want, 1e-12) || len(rng.words) > 0 {
			t.Errorf("%v draws %v from %x, want %v; %d words are left", c.l, got, c.words, c.want, len(rng.words))
		}
	}
}

// sequence is a source of given words, and panics after the last.
type sequence struct{ words []uint64 }

func (s *sequence) Uint64() uint64 {
	w := s.words[0]
	s.words = s.words[1:]
	return w
}

// TestEmpirical by hand: quantiles where p·n is rounded up past a whole number,
// a variance of large values that lie close together, and both kinds of text.
func TestEmpirical(t *testing.T) {
	var hundred []float64
	for i := range 100 {
		hundred = append(hundred, float64(i+1))
	}
	l := NewEmpirical(hundred)
	for i := 1; i <= 100; i++ {
		p := float64(i) / 100
		if got := l.Quantile(p); got != float64(i) {
			t.Errorf("Quantile(%v) of 1 to 100 is %v", p, got)
		}
		if got := l.Quantile(p - 1e-9); got != float64(i) {
			t.Errorf("Quantile(%v) of 1 to 100 is %v", p-1e-9, got)
		}
	}
	if got := NewEmpirical([]float64{1e9, 1e9 + 1, 1e9 + 3}).Variance(); !close(got, 14.0/9, 1e-9) {
		t.Errorf("the variance of three neighbours is %v", got)
	}
	if got := NewEmpirical([]float64{6, 5, 4, 3, 2, 0.125}).String(); got != "Empirical([]float64{0.125, 2, 3, 4, 5, 6})" {
		t.Errorf("six values are %s", got)
	}
	seven, other := NewEmpirical(hundred[:7]).String(), NewEmpirical([]float64{1, 2, 3, 4, 5.5, 6, 7}).String()
	if !strings.HasPrefix(seven, "Empirical(7 values from 1 to 7, checksum ") || other == seven {
		t.Errorf("seven values are %s, seven others %s", seven, other)
	}
	if text := NewEmpirical(append(hundred, -1)).Validate().Error(); !strings.Contains(text, "-1 is not") {
		t.Error(text)
	}
}

// TestExpm1Rest holds e^y - 1 - y against its beginning, where nothing else has
// digits, and ends at 0.
func TestExpm1Rest(t *testing.T) {
	for _, y := range []float64{0, 1e-200, 1e-9, -1e-9, 1e-4} {
		if got, want := expm1Rest(y), y*y/2+y*y*y/6; !close(got, want, 1e-8) {
			t.Errorf("at %v: %v, want %v", y, got, want)
		}
	}
}

// TestWalk: from which phases a chain can end, and whether it may take no time.
func TestWalk(t *testing.T) {
	l := PhaseType([]float64{0.6, 0.2, 0}, [][]float64{{-1.1, 0.4, 0.7}, {0, -1, 0.5}, {0, 0, -0.5}})
	if atom, ends := l.Walk(); !atom || !slices.Equal(ends, []bool{false, true, true}) {
		t.Errorf("the walk of %v: time 0 %v, ends %v", l, atom, ends)
	}
	if atom, _ := PhaseType([]float64{0.6, 0.4}, [][]float64{{-1, 0}, {0, -1}}).Walk(); atom {
		t.Error("a chain that always begins may take no time")
	}
	if got := l.Survival(0); !close(got, 0.8, 1e-12) {
		t.Errorf("a time above 0 has probability %v", got)
	}
}
