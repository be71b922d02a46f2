package result

import (
	"math"
	"testing"
)

// TestFunctions: places, values and kinds of the series that functions and tables make.
func TestFunctions(t *testing.T) {
	x := Spaced(1, 4, 4)
	square := func(x float64) float64 { return x * x }
	exact, close, listed := Function("a", x, square), Approximation("b", x, square), Tabulated("c", x, []float64{1, 4, 9, 16})
	for i, s := range []Series{exact, close, listed} {
		for k, want := range []float64{1, 4, 9, 16} {
			if s.X[k] != float64(k+1) || s.Numbers()[k] != want || s.Values[k].Level != 1 || s.Values[k].HalfWidth != 0 {
				t.Errorf("series %s at %g: %+v", s.Name, s.X[k], s.Values[k])
			}
		}
		if s.Approximate != (i == 1) {
			t.Errorf("series %s: approximate is %v", s.Name, s.Approximate)
		}
	}
	if q, err := exact.Over(close); err != nil || !q.Approximate || q.Values[3].Value != 1 {
		t.Errorf("a quotient with an approximation is %+v, %v", q, err)
	}
	if !math.IsNaN(Estimated("", x, func(float64) Estimate { return Estimate{} }).Numbers()[0]) {
		t.Error("an unknown value has a number")
	}
	for k, v := range LogSpaced(0.01, 100, 5) {
		if want := math.Pow(10, float64(k-2)); math.Abs(v/want-1) > 1e-12 {
			t.Errorf("place %d is %g, not %g", k, v, want)
		}
	}
	if one := Spaced(3, 5, 1); len(one) != 1 || one[0] != 3 {
		t.Errorf("one place is %v", one)
	}
}

// TestTail: the tail of 1000 observations of 1 and 20 of 5 is known as far as ten lie above.
func TestTail(t *testing.T) {
	m := Metric{Mean: Estimate{Value: 1, Level: 0.95}, Effective: 1020, Level: 0.95,
		Dist: Distribution{Total: 1020, Zero: 1000, Cells: []int32{(2-FirstOctave)<<CellBits + 64}, Weights: []float64{20}}}
	tail := m.Tail("W", []float64{0, 2, 6})
	for i, want := range []float64{20. / 1020, 20. / 1020} {
		if e := tail.Values[i]; math.Abs(e.Value-want) > 1e-12 || !(e.HalfWidth > 0) {
			t.Errorf("P(W > %g) is %v, not %g", tail.X[i], e, want)
		}
	}
	if tail.Values[2].Known() {
		t.Errorf("P(W > 6), which nobody met, is %v", tail.Values[2])
	}
	if e := m.Survival(6); e.Value != 0 || math.Abs(e.HalfWidth+math.Log(0.05)/1020) > 1e-12 {
		t.Errorf("P(W > 6) is %v with the half-width %g", e, e.HalfWidth)
	}
}
