package estimate

import (
	"math/rand/v2"
	"testing"
)

// TestSections holds sums, with joins on the way, against sums by hand.
func TestSections(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	var s sections
	var rows [][2]float64
	s.each(func([]float64) { t.Error("a section of nothing") })
	for i := range 77 {
		if s.full(8) {
			if i != 8 && i != 16 && i != 32 && i != 64 {
				t.Errorf("full at %d", i)
			}
			s.join()
		}
		row := [2]float64{rng.Float64(), rng.Float64()}
		rows = append(rows, row)
		s.add(row[0], row[1])
	}
	if s.width != 16 || s.observed != 77 {
		t.Fatalf("%d observations in sections of %d", s.observed, s.width)
	}
	n := 0
	s.each(func(row []float64) {
		var want [2]float64
		for _, r := range rows[16*n : 16*n+16] {
			want[0] += r[0]
			want[1] += r[1]
		}
		if !near9(row[0], want[0]) || !near9(row[1], want[1]) {
			t.Errorf("section %d: %v, by hand %v", n, row, want)
		}
		n++
	})
	if n != 4 { // the fifth is not complete
		t.Errorf("%d sections", n)
	}
}
