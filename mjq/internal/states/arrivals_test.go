package states

import (
	"math"
	"testing"
)

// TestArrivals: the phase is 0 for two thirds of the time, so that batches of two come at
// the rate 1 and jobs of the second class at 4/3, by hand.
func TestArrivals(t *testing.T) {
	a := Arrivals{D0: [][]float64{{-3, 1}, {2, -5}}, Drawn: []float64{0.25, 0.75}, Events: []Event{
		{Rates: [][]float64{{1, 0}, {0, 1}}, Size: 2, Class: Open},
		{Rates: [][]float64{{1, 0}, {0, 2}}, Size: 1, Class: 1},
	}}
	pi, rates := a.Phases(), a.ClassRates()
	for i, want := range []float64{2. / 3, 1. / 3} {
		if math.Abs(pi[i]-want) > 1e-14 {
			t.Errorf("phase %d with probability %v, want %v", i, pi[i], want)
		}
	}
	for c, want := range []float64{0.5, 1.5 + 4./3} {
		if math.Abs(rates[c]-want) > 1e-14 {
			t.Errorf("class %d at the rate %v, want %v", c, rates[c], want)
		}
	}
}
