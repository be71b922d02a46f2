package law

import (
	"math"
	"strings"
	"testing"
)

// TestValidateNamesTheFault: what is wrong with a law, by field and value.
func TestValidateNamesTheFault(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		l     Law
		texts string
	}{
		{ExpMean(-1), "ExpMean(-1)|mean is -1|positive"}, {ExpMean(nan), "NaN"}, {ExpRate(0), "mean is +Inf"}, {ErlangMeanPhases(-2, 0), "phases is 0|mean is -2"},
		{HyperExpMeans(0, inf, 1.5), "1.5|first mean is 0|second mean is +Inf"}, {HyperExpMeanSCV(1, 0.5), "HyperExpMeanSCV(1, 0.5)|variation is 0.5|at least 1|ErlangMeanPhases"},
		{Cox2(1, 1, -0.1), "-0.1"}, {BoundedPareto{2, 1, 1}, "not below"}, {BoundedPareto{0, 1, -1}, "lower bound is 0|shape is -1"},
		{Lomax{0, 1}, "shape is 0"}, {Deterministic{-1}, "value is -1"}, {Uniform{-1, 0}, "lower bound is -1"}, {Uniform{1, 1}, "above"},
		{LogNormalMeanSCV(1, 0), "variation is 0"}, {WeibullMeanShape(1, 0), "shape is 0"}, {NewEmpirical(nil), "no value"}, {NewEmpirical([]float64{1, nan}), "NaN"},
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
		{WeibullMeanShape(1, 0.001), "scale"},
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
		BoundedPareto{1, 1e50, 5}, BoundedPareto{1, 1 + 1e-9, 0.1}, Uniform{0, 1}, Deterministic{0}, HyperExpMeans(1, 1, 0), HyperExpMeans(1, 1, 1), ErlangMeanPhases(1, 1), NewEmpirical([]float64{0})} {
		if err := l.Validate(); err != nil {
			t.Errorf("a valid law: %v", err)
		}
	}
	if text := WeibullMeanShape(1, 0).Validate().Error(); strings.Contains(text, "scale") {
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
		for _, l := range []Law{ExpMean(a), ErlangMeanPhases(a, k), HyperExpMeans(b, c, a), HyperExpMeanSCV(a, b), Cox2(a, b, c),
			BoundedPareto{a, b, c}, Lomax{a, b}, Deterministic{a}, Uniform{a, b}, LogNormalMeanSCV(a, b), WeibullMeanShape(b, a),
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
