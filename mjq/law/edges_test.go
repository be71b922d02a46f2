package law

import (
	"math"
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
