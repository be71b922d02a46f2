package patience

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

func waits(t testing.TB, g General) *Waits {
	t.Helper()
	w, err := g.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestGeneral: what another program found of one need and patience of other laws.
func TestGeneral(t *testing.T) {
	for name, g := range map[string]General{
		"det":      {5, 6, 1, law.Deterministic{X: 1.5}},
		"det_wide": {1, 0.9, 1, law.Deterministic{X: 2}},
		"det_four": {4, 3, 1, law.Deterministic{X: 0.8}},
		"uniform":  {5, 6, 1, law.Uniform{Lo: 0, Hi: 3}},
	} {
		w := waits(t, g)
		oracle.Near(t, "patience-"+name+"-leave", w.Left)
		oracle.Near(t, "patience-"+name+"-time", w.InLine)
		if name != "uniform" {
			oracle.Near(t, "patience-"+name+"-wait", w.Delay)
		}
	}
	oracle.Near(t, "patience-erlangA-leave0", waits(t, General{5, 6, 1, law.ExpMean(2)}).Left)
	oracle.Near(t, "patience-erlangA_over-leave0", waits(t, General{2, 4, 1, law.ExpMean(5)}).Left)
}

// TestExponential: with exponential patience what leaves is the rate times what waits, and
// the waits of those who start and of those who leave make up the time in line.
func TestExponential(t *testing.T) {
	for _, g := range []General{{3, 2, 1, law.ExpMean(4)}, {40, 60, 1, law.ExpMean(0.5)}, {500, 480, 1, law.ExpMean(2)}} {
		w, mean := waits(t, g), g.Patience.(law.Exponential).Mean()
		if math.Abs(w.Left-w.InLine/mean) > 1e-11*w.Left {
			t.Errorf("%+v: %v leave, and %v by the time in line", g, w.Left, w.InLine/mean)
		}
	}
}

// TestPatient: nobody leaves who waits for ever, and waits are those of M/M/c.
func TestPatient(t *testing.T) {
	const c, load = 4, 3.
	w := waits(t, General{c, load, 1, law.ExpMean(1e9)})
	b := 1.0
	for s := 1; s <= c; s++ {
		b = load * b / (float64(s) + load*b)
	}
	delay := b / (1 - load/c*(1-b))
	if math.Abs(w.Delay-delay) > 1e-7 || math.Abs(w.Mean-delay/(c-load)) > 1e-7 || math.Abs(w.Second-2*delay/(c-load)/(c-load)) > 1e-6 {
		t.Errorf("%+v, want delay %v, mean %v", *w, delay, delay/(c-load))
	}
}
