package special

import (
	"math"
	"strings"
	"testing"
)

// TestUnitAssignment holds two servers against a random walk: the difference of their
// numbers is two-sided geometric, so that E R = (q/p + q/√(1-q²)) / 2. Package mjq holds
// more of them against simulated piles.
func TestUnitAssignment(t *testing.T) {
	for _, p := range []float64{1, 0.9, 0.5, 0.1, 0.01, 1e-4} {
		q := 1 - p
		want := 1 / (p * (1 + (q/p+q/math.Sqrt(1-q*q))/2))
		if p == 1 {
			want = 1
		}
		if a := (UnitAssignment{N: 2, BigProb: p}); math.Abs(a.RandomAssignment()-want) > 1e-9*want {
			t.Errorf("two servers, p = %v: %.15g, want %.15g", p, a.RandomAssignment(), want)
		}
		if a := (UnitAssignment{N: 1, BigProb: p}); math.Abs(a.FCFS()-1) > 1e-9 || math.Abs(a.RandomAssignment()-1) > 1e-9 || math.Abs(a.RatioAsPrinted()-1) > 1e-9 {
			t.Errorf("one server, p = %v: %+v", p, a)
		}
	}
	wrong := UnitAssignment{N: 0, BigProb: 2}
	if err := wrong.Err(); err == nil || strings.Count(err.Error(), "\n") != 1 || !math.IsNaN(wrong.Ratio()) || wrong.String() != err.Error() {
		t.Errorf("no servers and a probability of 2: %v, %v", wrong.Ratio(), err)
	}
}
