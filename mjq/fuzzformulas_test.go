package mjq

import (
	"context"
	"fmt"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/special"
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
				for _, r := range []special.Regime{special.BigDominated, special.SmallDominated, special.Regime(i)} {
					s.AsymptoticThroughput(r)
					s.RefinedThroughput(r)
					s.AsymptoticRelativeCompletions(r)
					s.RefinedRelativeCompletions(r)
				}
				_, _ = s.Delta(i), s.TimeAverage(i)
				_, _ = s.CompletionAverage(i), s.TransitionAverage(i, true)
				_, _, _ = s.MeanResponse(x), s.Table(i), s.String()
				_, err = s.Spec()
			case 1:
				err = special.NewUnitAssignment(n, a).Err()
			case 2:
				q := BrillGreen(a, b, c)
				_, _, _ = q.Waiting(x), q.Waiting1(x), q.Waiting2(x)
				return q.Err()
			case 3:
				q := MPareto1(special.ParetoStream{Rate: a, Shape: b, Scale: c}, special.ParetoStream{Rate: a, Shape: c, Scale: b})
				_ = q.Waiting(x)
				return q.Err()
			case 4:
				_ = law.FitMeanSCV(a, b).Validate()
				_, err = law.FitThreeMoments(a, b, c)
			case 5, 6, 7:
				d := Divisible(a).Class("a", b, 0.5, ExpMean(1)).Class("b", c, 0.5, ExpMean(x))
				_ = d.String()
				switch which % 8 {
				case 5:
					_, err = d.Capacity().Run(ctx)
				case 6:
					_, err = d.ProcessingRate(x).Run(ctx)
				case 7:
					_, err = d.Sojourn(x).Run(ctx)
				}
				return err
			}
			return err
		})
	})
}
