package estimate

import (
	"math"
	"testing"
)

// TestSigned: weights cancel, a distribution function that would fall stays where it is,
// and without negative weights all is as a histogram has it.
func TestSigned(t *testing.T) {
	var s, q Signed
	var h Histogram
	for _, x := range []float64{0, 1, 1, 3, 8} {
		s.Add(x, 1)
		h.Add(x)
	}
	q.Add(5, 4)
	q.Add(5, -4)
	s.Merge(&q)
	d, want := s.Distribution(), h.Distribution()
	for _, x := range []float64{0, 0.5, 2, 4, 10} {
		if d.CDF(x) != want.CDF(x) {
			t.Errorf("P(X ≤ %v) = %v, want %v", x, d.CDF(x), want.CDF(x))
		}
	}
	s.Add(2, 2)
	s.Add(3, -2) // 0: 1/5, 1: 3/5, 2: 5/5, 3: 4/5, 8: 5/5
	d = s.Distribution()
	if got := d.CDF(2.5); got != 1 || d.Total != 5 {
		t.Errorf("P(X ≤ 2.5) = %v of %v", got, d.Total)
	}
	var spread Spread
	s.Spread(&spread)
	if spread.weight != 5 {
		t.Errorf("a weight of %v", spread.weight)
	}
	s.Reset()
	if d := s.Distribution(); d.Total != 0 || !math.IsNaN(d.CDF(1)) {
		t.Errorf("%v after Reset", d)
	}
}
