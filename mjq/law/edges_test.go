package law

import (
	"math"
	"strings"
	"testing"
)

// Laws at the very edge of what is allowed, or of what has a moment.
func TestEdgesOfParameters(t *testing.T) {
	for _, c := range []struct {
		law Law
		ok  bool
	}{
		{Uniform{1, 1}, false}, {Uniform{0, mostParameter}, true}, {Empirical{[]float64{0, mostParameter}}, true},
		{Erlang{K: mostSteps, M: 1}, true}, {Erlang{K: mostSteps + 1, M: 1}, false},
		{weighed{[]float64{0, 1}, []float64{0, 1}}, true}, {weighed{nil, nil}, false}, {weighed{[]float64{1}, []float64{0.5, 1}}, false},
		{boundedPower{1, 1, 0.5}, false}, {boundedPower{0, 1, 2}, true}, {PhaseType([]float64{1}, [][]float64{{-leastParameter / 2}}), false},
		{PhaseType([]float64{1}, [][]float64{{-leastParameter}}), true}, {PhaseType([]float64{1}, [][]float64{{-mostParameter}}), true},
		{Exponential{leastParameter}, true}, {Exponential{mostParameter}, true}, {Exponential{leastParameter / 2}, false},
	} {
		if err := c.law.Validate(); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.law, err)
		}
	}
	for _, c := range []struct {
		what string
		x    float64
	}{
		{"mean of Lomax(1)", Lomax{1, 1}.Mean()}, {"variance of Lomax(2)", Lomax{2, 1}.Variance()},
		{"mean spread of Lomax(2)", lomaxSpread{Lomax{2, 1}}.Mean()}, {"variance of the spread of Lomax(3)", lomaxSpread{Lomax{3, 1}}.Variance()},
	} {
		if !math.IsInf(c.x, 1) {
			t.Errorf("%s is %v", c.what, c.x)
		}
	}
}

// TestOneFaultEach: what is wrong with a parameter is said once.
func TestOneFaultEach(t *testing.T) {
	for _, mean := range []float64{0, -1, math.NaN(), math.Inf(1), leastParameter / 2, 2 * mostParameter} {
		if err := ExpMean(mean).Validate(); err == nil || strings.Count(err.Error(), "the mean is") != 1 {
			t.Errorf("a mean of %v: %v", mean, err)
		}
	}
}

// TestEdgesOfValues: where a formula ends or a phase never comes.
func TestEdgesOfValues(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"rate of ExpMean(4)", ExpMean(4).Rate(), 0.25},
		{"transform at -1/2 of a phase beside one that never comes", HyperExpMeans(1, 100, 1).Laplace(-0.5), 2},
		{"probability of the first, shorter phase", HyperExpMeanSCV(2, 9).P, (1 + math.Sqrt(0.8)) / 2},
		{"least value of a spread, a value of 0 having no weight", Spread(NewEmpirical([]float64{0, 1, 3})).Quantile(0), 1},
		{"excess of a spread over less than its least value", Excess(Spread(NewEmpirical([]float64{2, 3})), 1), 13./5 - 1},
		{"transform of a spread where nothing is left of it", Spread(WeibullMeanShape(1, 3)).Laplace(1e160), 0},
		{"transform of a Weibull law where it is beyond all numbers", WeibullMeanShape(1, 1.01).Laplace(-1e3), math.Inf(1)},
		{"that of its spread", Spread(WeibullMeanShape(1, 1.01)).Laplace(-1e6), math.Inf(1)},
		{"largest value of a spread by numbers", Spread(hidden{Uniform{0, 2}}).Quantile(1), 2},
		{"the same without an end", Spread(hidden{ExpMean(1)}).Quantile(1), math.Inf(1)},
	} {
		if !close(c.got, c.want, 1e-12) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}
