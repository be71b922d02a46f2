package result

import (
	"math"
	"testing"
)

// TestShareOfNothing: a probability of which 200 observations show nothing is known to
// 3/200, and not exactly.
func TestShareOfNothing(t *testing.T) {
	m := Metric{Dist: Distribution{Zero: 200, Total: 200}, Effective: 200, Level: 0.95}
	for what, e := range map[string]Estimate{"P(W > 0)": m.Survival(0), "P(W > 9)": m.Survival(9), "P(W ≤ 0)": m.CDF(0)} {
		if e.Value != math.Round(e.Value) || math.Abs(e.HalfWidth-math.Log(20)/200) > 1e-12 {
			t.Errorf("%s is %v", what, e)
		}
	}
	if q := m.Quantile(0.9); q.Value != 0 || q.HalfWidth != 0 {
		t.Errorf("the 90 %% quantile is %v, though P(W = 0) is above 0.985", q)
	}
	m.Effective = math.NaN()
	if e := m.CDF(0); !math.IsNaN(e.HalfWidth) {
		t.Errorf("of unknown worth: %v", e)
	}
}
