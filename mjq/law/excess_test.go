package law

import (
	"math"
	"testing"
)

// TestExcess holds the closed forms against integrals of the tail, which share
// nothing with them, from the lower end of each law far into its tail.
func TestExcessOverALevel(t *testing.T) {
	all := append(laws(), weighed{[]float64{0, 1, 4}, []float64{0.2, 0.9, 1}},
		Lomax{1.2, 0.2}, WeibullMeanShape(2, 0.3), HyperExpMeans(5e5, 0.5, 1e-6), BoundedPareto{1, 1e6, 1.1})
	for _, l := range all {
		for _, p := range []float64{0, 1e-3, 0.3, 0.7, 0.99, 1 - 1e-6} {
			x := l.Quantile(p)
			got, want := Excess(l, x), Excess(hidden{l}, x)
			tol := 1e-7 * want
			if !continuous(l) {
				tol = 3e-3 * l.Mean()
			}
			if !(math.Abs(got-want) <= tol+1e-12*l.Mean()) {
				t.Errorf("%v: excess over %v is %v, the tail integrates to %v", l, x, got, want)
			}
		}
		if got := Excess(l, -2); got != l.Mean()+2 {
			t.Errorf("%v: excess over -2 is %v, the mean %v", l, got, l.Mean())
		}
		if got := Excess(l, 0); got != l.Mean() {
			t.Errorf("%v: excess over 0 is %v, the mean %v", l, got, l.Mean())
		}
	}
}

func TestExcessOfKnownTails(t *testing.T) {
	for _, c := range []struct {
		l       Law
		x, want float64
		rel     float64
	}{
		{ExpMean(2), 6, 2 * math.Exp(-3), 1e-14},
		{hidden{ExpMean(2)}, 6, 2 * math.Exp(-3), 1e-9},
		{hidden{ExpMean(2)}, 60, 2 * math.Exp(-30), 1e-6},
		{ErlangMeanPhases(2, 2), 3, 5 * math.Exp(-3), 1e-13},             // (x+2) e^-x
		{Cox2(1, 2, 0.3), 4, 0.4*math.Exp(-4) + 1.2*math.Exp(-2), 1e-12}, // 0.4·e^-x + 0.6·e^-x/2 survive
		{Lomax{1.2, 0.2}, 0.2 * 1023, 0.25, 1e-13},                       // 1024^-0.2
		{hidden{Lomax{1.2, 0.2}}, 0.2 * 1023, 0.25, 1e-9},
		{WeibullMeanShape(2, 0.5), 9, 2 * 4 * math.Exp(-3), 1e-12}, // 2(1+√x)e^-√x
		{Deterministic{2}, 3, 0, 0}, {Uniform{1, 3}, 2, 0.25, 1e-14},
		{NewEmpirical([]float64{1, 5, 9}), 4, 2, 1e-14},
		{Lomax{1, 1}, 3, math.Inf(1), 0},
	} {
		if got := Excess(c.l, c.x); !(math.Abs(got-c.want) <= c.rel*c.want) && got != c.want {
			t.Errorf("%v: excess over %v is %v, want %v", c.l, c.x, got, c.want)
		}
	}
}
