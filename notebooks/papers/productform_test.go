package papers

import (
	"math"
	"testing"
)

// TestOneDuration: the product is stationary if all services have one mean, and not otherwise.
func TestOneDuration(t *testing.T) {
	c := OneDuration{Servers: 5, Needs: []int{1, 2, 4}, Probs: []float64{0.5, 0.3, 0.2}}
	if n := len(c.States()); n != 243 {
		t.Errorf("%d states, not 3^5", n)
	}
	if d := c.Imbalance([]float64{2, 2, 2}); d > 1e-13 {
		t.Errorf("one duration: imbalance %g", d)
	}
	if d := c.Imbalance([]float64{2, 2, 1.8}); d < 0.01 {
		t.Errorf("two durations: imbalance %g", d)
	}
	sum, oldest := 0.0, []int{0, 1, 2, 0, 0} // 1 + 2 fit, 4 more do not
	for _, m := range c.States() {
		sum += c.Product(m)
	}
	if math.Abs(sum-1) > 1e-12 || c.Serving(oldest) != 2 {
		t.Errorf("probabilities sum to %g, %d serve", sum, c.Serving(oldest))
	}
}

// TestTwoClasses has the example of 6 units for 2 and 3, solved by hand, and local balance
// where needs are irrational.
func TestTwoClasses(t *testing.T) {
	c := TwoClasses{Total: 6, Need1: 2, Need2: 3, Prob1: 0.5, Rate1: 2.5, Rate2: 0.625}
	for x, want := range map[InService]float64{{0, 0, 2}: 0.4, {0, 1, 1}: 0.5, {1, 2, 0}: 0.05, {0, 3, 0}: 0.05} {
		if got := c.Product()[x]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %g, not %g", x, got, want)
		}
	}
	for _, c := range []TwoClasses{c, {Total: 1, Need1: 1. / 9, Need2: 1 / math.Sqrt(8), Prob1: 0.6, Rate1: 1, Rate2: 0.1}} {
		if one, two := c.LocalImbalance(); one > 1e-12 || two > 1e-12 {
			t.Errorf("%+v: local imbalance %g, %g", c, one, two)
		}
	}
	c.Rate2 = 2.5
	if math.Abs(c.Product()[InService{0, 0, 2}]-0.4) < 0.01 {
		t.Error("short jobs of class 2 have the probabilities of long ones")
	}
}
