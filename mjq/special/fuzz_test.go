package special

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/law"
)

// FuzzFormulas: the closed formulas answer soon and without a panic, whatever their
// arguments, and questions stop when their context does.
func FuzzFormulas(f *testing.F) {
	extremes := []float64{0, math.Copysign(0, -1), -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 5e-324, 1e-320, 1}
	for which := range byte(7) {
		f.Add(which, 3, 1, 0.5, 1., 4., 2.)
		for i, n := range []int{math.MaxInt, math.MinInt, 0, -1, 1, math.MaxInt32 + 1} {
			x := extremes[(i+int(which))%len(extremes)]
			f.Add(which, n, n, x, x, x, 1e308)
			f.Add(which, n, 2, 1e-300, 1e300, x, 1.)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, n, i int, a, b, c, x float64) {
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer stop()
		started := time.Now()
		if err := formula(ctx, which%7, n, i, a, b, c, x); err != nil && strings.Contains(err.Error(), "panic") {
			t.Error(err)
		}
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("formula %d took %v", which%7, took)
		}
	})
}

// formula asks one of the queues all that it knows.
func formula(ctx context.Context, which byte, n, i int, a, b, c, x float64) (err error) {
	switch which {
	case 0:
		s := OneAndN{N: n, BigProb: a, SmallRate: b, BigRate: c}
		for _, r := range []Regime{BigDominated, SmallDominated, Regime(i)} {
			s.AsymptoticThroughput(r)
			s.RefinedThroughput(r)
			s.AsymptoticRelativeCompletions(r)
			s.RefinedRelativeCompletions(r)
		}
		_, _ = s.Delta(i), s.TimeAverage(i)
		_, _ = s.CompletionAverage(i), s.TransitionAverage(i, true)
		_, _, _ = s.MeanResponse(x), s.Table(i), s.String()
		return s.Model().Err()
	case 1:
		u := UnitAssignment{N: n, BigProb: a}
		if float64(n)*a < 0.1 { // up to a second of work
			return u.Err()
		}
		_ = u.Ratio()
		return u.Model().Err()
	case 2:
		q := BrillGreen{Lambda1: a, Lambda2: b, Mu: c}
		_, _, _ = q.Waiting(x), q.Waiting1(x), q.Waiting2(x)
		return q.Model().Err()
	case 3:
		q := MPareto1{{Rate: a, Shape: b, Scale: c}, {Rate: a, Shape: c, Scale: b}}
		_ = q.Waiting(x)
		return q.Model().Err()
	}
	d := Amount(a).Class("a", b, 0.5, law.ExpMean(1)).Class("b", c, 0.5, law.ExpMean(x))
	_ = d.String()
	switch which {
	case 4:
		_, err = d.Capacity(ctx)
	case 5:
		_, err = d.ProcessingRate(ctx, x)
	case 6:
		_, err = d.Sojourn(ctx, x)
	}
	return err
}
