package law

import (
	"math"
	"testing"
)

// TestMoments compares the formulas of every law with integrals of its tail, and the
// first two moments with the mean and the variance.
func TestMoments(t *testing.T) {
	for _, l := range laws() {
		_, empirical := l.(Empirical)
		_, fixed := l.(Deterministic)
		if m := l.Mean(); !close(Moment(l, 2), l.Variance()+m*m, 1e-8) {
			t.Errorf("%v: Moment(2) = %v, by the variance %v", l, Moment(l, 2), l.Variance()+m*m)
		}
		for _, k := range []int{3, 4, 8} {
			got, want := Moment(l, k), integratedMoment(l, k)
			switch infinite := float64(k) >= TailIndex(l); {
			case infinite != math.IsInf(got, 1):
				t.Errorf("%v: Moment(%d) = %v with tail index %v", l, k, got, TailIndex(l))
			case !infinite && !empirical && !fixed && !close(got, want, 1e-7): // the integral has errors where the tail jumps
				t.Errorf("%v: Moment(%d) = %v, integrated %v", l, k, got, want)
			}
		}
	}
	if got := Moment(LogNormalMeanSCV(3, 4), 3); !close(got, 27*125, 1e-7) { // m³(1+c²)³
		t.Errorf("lognormal: %v, want 3375", got)
	}
	if got := Moment(NewEmpirical([]float64{0, 1, 3}), 3); !close(got, 28./3, 1e-12) {
		t.Errorf("empirical: %v, want 28/3", got)
	}
	if got := Moment(Deterministic{1.5}, 4); !close(got, 5.0625, 1e-12) {
		t.Errorf("deterministic: %v, want 5.0625", got)
	}
}
