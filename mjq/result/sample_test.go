package result

import (
	"math"
	"testing"
)

// TestMean compares with numbers worked out by hand: of 1, 2, 3 the mean is 2, the standard error
// 1/√3 and Student's quantile of two degrees of freedom 4.302653.
func TestMean(t *testing.T) {
	e := Mean(1, 2, 3)
	if want := 4.302653 / math.Sqrt(3); e.Value != 2 || math.Abs(e.HalfWidth-want) > 1e-6 || e.N != 3 || e.Level != 0.95 {
		t.Errorf("mean of 1, 2, 3: %+v, not 2 ± %g", e, want)
	}
	if one := Mean(7); one.Value != 7 || !math.IsNaN(one.HalfWidth) {
		t.Errorf("mean of one value: %+v", one)
	}
	if none := Mean(); none.Known() {
		t.Errorf("mean of nothing: %+v", none)
	}
}

func TestTimes(t *testing.T) {
	hours := Estimate{Value: 7200, HalfWidth: 360, Level: 0.95, N: 4}.Times(-1. / 3600)
	if hours.Value != -2 || hours.HalfWidth != 0.1 || hours.Level != 0.95 || hours.N != 4 {
		t.Errorf("in hours: %+v", hours)
	}
	if (Estimate{}).Times(2).Known() {
		t.Error("twice a number that was not computed is known")
	}
	waits := Measure(func(r *Result) Estimate { return r.WastedHOL })
	if e := waits.Times(60)(&Result{WastedHOL: Exact(2, "")}); e.Value != 120 {
		t.Errorf("a measure times 60: %v", e)
	}
}

// TestDistance: half of the mass moved from 0 to 1 makes a distance of a half.
func TestDistance(t *testing.T) {
	cell := int32(-FirstOctave) << CellBits // of [1, 1 + 1/256)
	a := &Metric{Dist: Distribution{Zero: 1, Total: 2, Cells: []int32{cell}, Weights: []float64{1}}}
	b := &Metric{Dist: Distribution{Zero: 0, Total: 2, Cells: []int32{cell}, Weights: []float64{2}}}
	if d := a.Distance(b); d != 0.5 {
		t.Errorf("distance %g, not 0.5", d)
	}
	if d := a.Distance(a); d != 0 {
		t.Errorf("distance from itself %g", d)
	}
}

func TestNames(t *testing.T) {
	if names := Names(Exact(1, ""), Unknown()); names[0] != "1" || names[1] != "–" || len(names) != 2 {
		t.Errorf("names %q", names)
	}
}
