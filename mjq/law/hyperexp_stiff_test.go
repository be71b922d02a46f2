package law

import (
	"math"
	"testing"
)

// TestHyperExpOfLargeSCV: the two moments hold where the second mean is that of few jobs.
func TestHyperExpOfLargeSCV(t *testing.T) {
	for _, scv := range []float64{1, 4, 1e5, 1e6, 1e10, 1e14} {
		l := HyperExpMeanSCV(3, scv)
		if got := l.Variance() / 9; math.Abs(l.Mean()/3-1) > 1e-12 || math.Abs(got/scv-1) > 1e-9 {
			t.Errorf("SCV %v: mean %v, SCV %v", scv, l.Mean(), got)
		}
	}
}
