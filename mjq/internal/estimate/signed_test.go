package estimate

import (
	"math"
	"reflect"
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
	if !reflect.DeepEqual(d, want) { // no cell for what has cancelled
		t.Errorf("%+v, want %+v", d, want)
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

// TestSignedEnds: negative weights at 0 and beyond all positive ones.
func TestSignedEnds(t *testing.T) {
	var s Signed
	s.Add(0, 3)
	s.Add(0, -1)
	s.Add(1, 3)
	s.Add(9, -1) // of 4 in all: 0: 2, 1: 5, 9: 4
	d := s.Distribution()
	if d.CDF(0) != 0.5 || d.CDF(2) != 1 || d.Total != 4 || len(d.Cells) != 1 {
		t.Errorf("%+v", d)
	}
	var none Signed
	none.Add(1, 1)
	none.Add(2, -1)
	if d := none.Distribution(); d.Total != 0 || len(d.Cells) != 0 {
		t.Errorf("of no weight: %+v", d)
	}
}
