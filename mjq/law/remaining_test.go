package law

import (
	"math"
	"testing"
)

// TestRemaining holds P(X > age + x) = P(X > age) P(R > x), and that an exponential
// time forgets its age.
func TestRemaining(t *testing.T) {
	for _, l := range []Law{ExpMean(2), ErlangMeanPhases(3, 4), HyperExpMeans(0.2, 3, 0.1), PhaseType([]float64{0.4, 0.3}, [][]float64{{-2, 1}, {0.5, -1}})} {
		for _, age := range []float64{0, 0.3, 2, 9} {
			r, ok := Remaining(l, age)
			if !ok {
				t.Fatalf("%v at age %v: none", l, age)
			}
			for _, x := range []float64{0.1, 1, 5} {
				want := l.Survival(age+x) / l.Survival(age)
				if age == 0 {
					want = l.Survival(x) / l.Survival(0)
				}
				if got := r.Survival(x); math.Abs(got/want-1) > 1e-10 {
					t.Errorf("%v at age %v: P(R > %v) = %v, want %v", l, age, x, got, want)
				}
			}
		}
	}
	if _, ok := Remaining(Uniform{Lo: 0, Hi: 2}, 1); ok {
		t.Error("a uniform law has phases")
	}
	if _, ok := Remaining(ExpMean(1), 1e6); ok {
		t.Error("what underflows remains")
	}
}
