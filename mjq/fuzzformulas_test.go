package mjq

import (
	"context"
	"fmt"
	"testing"
)

// FuzzFormulas: the closed formulas answer soon and without a panic, whatever
// their arguments.
func FuzzFormulas(f *testing.F) {
	for which := range byte(8) {
		f.Add(which, 3, 1, 0.5, 1., 4., 2.)
		for i, n := range extremeInts {
			x := extremeFloats[(i+int(which))%len(extremeFloats)]
			f.Add(which, n, n, x, x, x, 1e308)
			f.Add(which, n, 2, 1e-300, 1e300, x, 1.)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, n, i int, a, b, c, x float64) {
		what := fmt.Sprintf("formula %d of %d, %d, %v, %v, %v, %v", which%8, n, i, a, b, c, x)
		_ = answered(t, what, func(ctx context.Context) (err error) {
			switch which % 8 {
			case 0:
				s := OneAndN(n, a, b, c)
				for _, r := range []Regime{BigDominated, SmallDominated, Regime(i)} {
					s.AsymptoticThroughput(r)
					s.RefinedThroughput(r)
					s.AsymptoticRelativeCompletions(r)
					s.RefinedRelativeCompletions(r)
				}
				_, _ = s.Delta(i), s.TimeAverage(i)
				_, _ = s.CompletionAverage(i), s.TransitionAverage(i, true)
				_, _, _ = s.MeanResponse(x), s.Table(i), s.String()
				_, err = s.Model(x)
			case 1:
				_, err = UnitAssignment(n, a)
			case 2:
				q, err := BrillGreen(a, b, c)
				if err == nil {
					_, _, _ = q.Waiting(x), q.Waiting1(x), q.Waiting2(x)
				}
				return err
			case 3:
				q, err := MPareto1(ParetoStream{Rate: a, Shape: b, Scale: c}, ParetoStream{Rate: a, Shape: c, Scale: b})
				if err == nil {
					q.Waiting(x)
				}
				return err
			case 4:
				_ = FitMeanSCV(a, b).Validate()
				_, err = FitThreeMoments(a, b, c)
			case 5, 6, 7:
				d, err := Divisible(a).Class("a", b, 0.5, ExpMean(1)).Class("b", c, 0.5, ExpMean(x)).Build()
				if err != nil {
					return err
				}
				_ = d.String()
				switch which % 8 {
				case 5:
					_, err = d.Capacity(ctx)
				case 6:
					_, err = d.ProcessingRate(ctx, x)
				case 7:
					_, err = d.Sojourn(ctx, x)
				}
				return err
			}
			return err
		})
	})
}
