package exact

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestGeneralCurve: the law of the waits has the atom and the moments that the integrals give, and
// is 0 from the longest patience on.
func TestGeneralCurve(t *testing.T) {
	ctx := context.Background()
	for _, g := range []classic.Impatient{
		{Servers: 5, Rate: 6, Service: 1, Patience: law.Deterministic{X: 1.5}}, {Servers: 13, Rate: 10, Service: 1, Patience: law.Deterministic{X: 0.1}},
		{Servers: 1, Rate: 0.9, Service: 1, Patience: law.Deterministic{X: 40}}, {Servers: 200, Rate: 190, Service: 1, Patience: law.Uniform{Lo: 0.1, Hi: 3}},
		{Servers: 3, Rate: 2, Service: 1, Patience: law.ExpMean(4)}, {Servers: 40, Rate: 60, Service: 1, Patience: law.ExpMean(0.5)},
		{Servers: 4, Rate: 5, Service: 1, Patience: law.Empirical{Values: []float64{0.2, 0.7, 3}}}, {Servers: 5, Rate: 3, Service: 0.4, Patience: law.LogNormalMeanSCV(2, 9)},
	} {
		w, err := g.Solve(ctx)
		if err != nil {
			t.Fatal(err)
		}
		c, err := generalCurve(ctx, w)
		if atOnce := (1 - w.Delay) / (1 - w.Left); err != nil || math.Abs(c.Atom-atOnce) > 1e-10 {
			t.Errorf("%v: %v start at once, and %v by the moments; %v", g, c.Atom, atOnce, err)
		}
		mean, steps, end := 0.0, 400_000, c.Edges[len(c.Edges)-1]
		for i := range steps {
			mean += c.Survival(end*(float64(i)+0.5)/float64(steps)) * end / float64(steps)
		}
		if math.Abs(mean-w.Mean) > 3e-8*w.Mean {
			t.Errorf("%v: the mean of the law is %v, and %v by the moments", g, mean, w.Mean)
		}
		if last := g.Patience.Quantile(1); c.Survival(last) > 1e-9 {
			t.Errorf("%v: %v wait for longer than anybody would", g, c.Survival(last))
		}
	}
}
