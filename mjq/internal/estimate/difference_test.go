package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDifferenceCovers: pairs of batches that share most of their noise; the interval
// holds the true difference in at least 95 of 100 and is as narrow as what they do not
// share. It is somewhat wide for these normal ones, since it makes room for the skewness
// of waits.
func TestDifferenceCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const runs, batches, jobs = 2000, 30, 1000
	covered, width := 0, 0.0
	for range runs {
		var a, b []Batch
		for range batches {
			common, n := 5*rng.NormFloat64(), float64(jobs+rng.IntN(100))
			batch := func(mean float64) Batch {
				x := mean + common + 0.1*rng.NormFloat64()
				return Batch{N: n, X: n * x, X2: n * (x*x + mean*mean)}
			}
			a, b = append(a, batch(7)), append(b, batch(6.5))
		}
		d := Difference(a, b, 0.95, "")
		if d.Covers(0.5) {
			covered++
		}
		width += d.HalfWidth / runs
	}
	if covered < 0.94*runs || covered > 0.995*runs {
		t.Errorf("%d of %d intervals cover", covered, runs)
	}
	if want := 2.05 * 0.1 * math.Sqrt(2./batches); width < want || width > 1.5*want {
		t.Errorf("half-width %v, about %v expected", width, want)
	}
	if d := Difference(make([]Batch, 3), make([]Batch, 2), 0.95, ""); !math.IsNaN(d.Value) {
		t.Errorf("of nothing %v", d)
	}
	same := []Batch{{10, 20, 50}, {10, 22, 60}, {10, 30, 99}}
	if d := Difference(same, same[:2], 0.95, ""); d.Value != 0 || d.HalfWidth != 0 {
		t.Errorf("of a policy and itself %v", d)
	}
}
