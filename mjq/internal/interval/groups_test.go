package interval_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/result"
)

// pairs is a queue that two jobs of a rare class hold up together, with arrivals that are
// Poisson or come in bursts.
func pairs(bursts bool) mjq.Model {
	m := mjq.Servers(16).Class("c", 1, 0.9997, mjq.ExpMean(1)).Class("r", 8, 0.0003, mjq.ExpMean(30))
	if bursts {
		return m.Process(arrival.MMPP([]float64{9, 1}, [][]float64{{-0.005, 0.005}, {0.008, -0.008}}))
	}
	return m.Poisson(6)
}

// TestSamplesOfGroups: jobs of the rare class tell of the moments of their wait about what the
// exact distribution says that they do, although only pairs of them make long waits.
func TestSamplesOfGroups(t *testing.T) {
	for _, bursts := range []bool{false, true} {
		m := pairs(bursts)
		r := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		w := &r.Class("r").Waiting
		s := scarcity.Of(m.Spec(), r.Rate/r.Limit.Rate).Samples(1000).Waiting(w.Mean.Value, w.Variance.Value)
		second := w.Variance.Value + w.Mean.Value*w.Mean.Value
		for k, want := range []float64{1000 * w.Mean.Value * w.Mean.Value / second, 1000 * second * second / fourthMoment(w)} {
			if got := s.Effective(k + 1); !(got > want/2.5 && got < 2.5*want) {
				t.Errorf("bursts %v: 1000 samples count %v for moment %d, want %v", bursts, got, k+1, want)
			}
		}
	}
}

// fourthMoment is that of an exact distribution.
func fourthMoment(w *result.Metric) (sum float64) {
	const step = 1.02
	above := 1 - w.CDF(0).Value
	for x := 1e-2; above > 1e-13; x *= step {
		next := 1 - w.CDF(x*step).Value
		sum += (above - next) * math.Pow(x, 4) * step * step
		above = next
	}
	return sum
}

// TestVarianceOfGroups: too few jobs of the rare class wait for a pair to tell of the variance of
// their wait, which the interval of their own waits would miss with these seeds, and a note says
// so; the mean has its interval.
func TestVarianceOfGroups(t *testing.T) {
	m := pairs(true)
	truth := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).Class("r").Waiting
	for _, seed := range []uint64{3, 15} {
		r := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 60_000}, mjq.Seed(seed)))
		w := r.Class("r").Waiting
		if !math.IsNaN(w.Variance.HalfWidth) || math.IsNaN(w.Mean.HalfWidth) || w.Variance.Value > 0.5*truth.Variance.Value {
			t.Errorf("seed %d: mean %v, variance %v, and the exact one is %v", seed, w.Mean, w.Variance, truth.Variance)
		}
		if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, `The variance of the wait of class "r" has no interval`) || !strings.Contains(notes, "5.8e+02 jobs") {
			t.Errorf("seed %d: notes %q", seed, notes)
		}
	}
}
