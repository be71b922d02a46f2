package replicate

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestTarget: looks come at the first and then after a third more, and either measure
// will do.
func TestTarget(t *testing.T) {
	wide := result.Estimate{Value: -10, HalfWidth: 2}
	for _, c := range []struct {
		target Target
		met    bool
	}{
		{Target{}, false}, {Target{RelErr: 0.2}, true}, {Target{RelErr: 0.19}, false}, {Target{HalfWidth: 2}, true},
		{Target{HalfWidth: 1.9}, false}, {Target{RelErr: 0.2, HalfWidth: 3}, true}, {Target{RelErr: 0.1, HalfWidth: 3}, false},
	} {
		if c.target.Met(wide) != c.met {
			t.Errorf("%+v is met by %v: %v", c.target, wide, !c.met)
		}
	}
	var looks []int
	rule := Target{RelErr: 0.1}.Rule(30)
	for done := range 100 {
		if rule(done, func() result.Estimate { looks = append(looks, done); return wide }) {
			t.Fatal("an end without reaching the target")
		}
	}
	if got := fmt.Sprint(looks); got != "[30 40 53 70 93]" {
		t.Errorf("looks at %s", got)
	}
}

// TestTargetOfNothing: observations that are all 0 meet no target, and are given up.
func TestTargetOfNothing(t *testing.T) {
	nothing := result.Estimate{Level: 0.95, N: 30, Method: "replications"}
	for _, target := range []Target{{RelErr: 0.1}, {HalfWidth: 1}} {
		if target.Met(nothing) {
			t.Errorf("%+v is met by %v", target, nothing)
		}
		rule, end := target.Rule(30), 0
		for done := 0; done < 1000 && end == 0; done++ {
			if rule(done, func() result.Estimate { return nothing }) {
				end = done
			}
		}
		if end < patience*30 || end > 2*patience*30 {
			t.Errorf("%+v: given up after %d", target, end)
		}
	}
}

// TestBatches computes by hand.
func TestBatches(t *testing.T) {
	e := Ratio(estimate.Amount, []float64{1, 2, 3, 6}, []float64{1, 1, 1, 1}, estimate.Worth{}, 0.95, "batch means")
	if e.Value != 3 || e.N != 4 || !(e.HalfWidth > 0) {
		t.Errorf("ratio %+v", e)
	}
	if e := Ratio(estimate.Share, []float64{0}, []float64{0}, estimate.Worth{}, 0.95, ""); !math.IsNaN(e.Value) {
		t.Errorf("0/0 is %v", e)
	}
	if got := Lag1([]float64{1, 2, 3, 4}); math.Abs(got-0.25) > 1e-12 {
		t.Errorf("lag one correlation %v, want 1/4", got)
	}
	joined := Join([]int{1, 2, 3, 4, 5, 6}, func(one, two *int) { *one = 10**one + *two })
	if got := fmt.Sprint(joined); got != "[12 34 56]" {
		t.Errorf("joined %s", got)
	}
}
