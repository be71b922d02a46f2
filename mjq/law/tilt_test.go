package law

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTilt holds the constant against the transform and the mean of the tilted
// law, and of draws from it, against the derivative of its logarithm.
func TestTilt(t *testing.T) {
	for _, c := range []struct {
		l     Law
		theta float64
		slack float64 // of laws that are rounded up
	}{
		{ExpMean(2), 0.3, 0}, {ErlangMeanPhases(1, 3), 1, 0}, {ErlangMeanPhases(2, 4), 0.5, 0}, {HyperExpMeans(4, 0.5, 0.1), 0.15, 0}, {Cox2(1, 2, 0.5), 0.2, 0},
		{PhaseType([]float64{0.3, 0.5}, [][]float64{{-1, 0.5}, {0.2, -2}}), 0.4, 0}, {Deterministic{3}, 0.5, 0},
		{Uniform{0, 2}, 0.7, 2e-3}, {BoundedPareto{0.15, 400, 1.4}, 0.02, 2e-2}, {NewEmpirical([]float64{1, 2, 4}), 0.3, 2e-3},
	} {
		tilted, logMoment, ok := Tilt(c.l, c.theta)
		want := math.Log(c.l.Laplace(-c.theta))
		if !ok || logMoment < want-1e-9 || logMoment > want+c.slack*math.Abs(want)+1e-9 {
			t.Errorf("%v at %v: log moment %v, %v; the transform gives %v", c.l, c.theta, logMoment, ok, want)
			continue
		}
		const h = 1e-4
		mean := (math.Log(c.l.Laplace(-c.theta-h)) - math.Log(c.l.Laplace(-c.theta+h))) / (2 * h)
		if got := tilted.Mean(); got < mean*(1-1e-5) || got > mean*(1+c.slack+1e-5) {
			t.Errorf("%v at %v: tilted mean %v, want %v", c.l, c.theta, got, mean)
		}
		rng, sum, squares := rand.NewPCG(1, 1), 0.0, 0.0
		for range 100_000 {
			x := tilted.Sample(rng)
			sum += x / 100_000
			squares += x * x / 100_000
		}
		if se := math.Sqrt((squares - sum*sum) / 100_000); math.Abs(sum-tilted.Mean()) > 5*se+1e-9 {
			t.Errorf("%v at %v: draws of mean %v ± %v, tilted mean %v", c.l, c.theta, sum, se, tilted.Mean())
		}
	}
	for _, c := range []struct {
		l     Law
		theta float64
	}{{ExpMean(2), 0.5}, {ErlangMeanPhases(1, 2), 2}, {HyperExpMeans(4, 0.5, 0.1), 0.3}, {Lomax{3, 1}, 1e-6}, {LogNormalMeanSCV(1, 1), 1e-6}} {
		if _, _, ok := Tilt(c.l, c.theta); ok {
			t.Errorf("%v can be tilted by %v", c.l, c.theta)
		}
	}
}
