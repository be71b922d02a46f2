package result

import (
	"math"
	"strings"
	"testing"
)

// onePart is a part of a sweep of two points, both with the same mean wait.
func onePart(value, half float64) *Sweep {
	r := &Result{All: ClassResult{Waiting: Metric{Mean: Estimate{Value: value, HalfWidth: half, Method: "formula"}}}}
	return &Sweep{Replications: 1, Points: make([]SweepPoint, 2), Jobs: []SweepJob{{Result: r}, {Point: 1, Result: r}}}
}

// A job without observations, or of one replication, has NaN in its interval: it
// is still the same job as itself.
func TestMergeSweepsNaN(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ value, half float64 }{{1, nan}, {nan, nan}, {nan, 0}, {math.Inf(1), 0}} {
		if merged, err := MergeSweeps(onePart(c.value, c.half), onePart(c.value, c.half)); err != nil || len(merged.Jobs) != 2 {
			t.Errorf("%v ± %v twice: %v, %v", c.value, c.half, merged, err)
		}
	}
	for _, c := range []struct{ value, half float64 }{{2, nan}, {1, 0}, {nan, nan}} {
		if _, err := MergeSweeps(onePart(1, nan), onePart(c.value, c.half)); err == nil || !strings.Contains(err.Error(), "two results") {
			t.Errorf("1 ± NaN and %v ± %v: %v", c.value, c.half, err)
		}
	}
}

// Parts come from files, which may hold anything.
func TestMergeSweepsFaults(t *testing.T) {
	for text, spoil := range map[string]func(s *Sweep){
		"no result":               func(s *Sweep) { s.Jobs[0].Result = nil },
		"point 2, replication 0":  func(s *Sweep) { s.Jobs[0].Point = 2 },
		"point -1, replication 0": func(s *Sweep) { s.Jobs[0].Point = -1 },
		"point 0, replication 1":  func(s *Sweep) { s.Jobs[0].Replication = 1 },
	} {
		bad := onePart(1, 0)
		spoil(bad)
		if _, err := MergeSweeps(onePart(1, 0), bad); err == nil || !strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), "part 2") {
			t.Errorf("error %v does not say part 2 and %q", err, text)
		}
	}
	if _, err := MergeSweeps(onePart(1, 0), nil); err == nil || !strings.Contains(err.Error(), "part 2") {
		t.Errorf("no part: %v", err)
	}
	if _, err := MergeSweeps(); err == nil {
		t.Error("nothing is merged")
	}
}
