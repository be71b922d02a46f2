package classic

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

func waits(t testing.TB, g Impatient) *ImpatientWaits {
	t.Helper()
	w, err := g.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestImpatient: what another program found of one need and patience of other laws.
func TestImpatient(t *testing.T) {
	for name, g := range map[string]Impatient{
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
	oracle.Near(t, "patience-erlangA-leave0", waits(t, Impatient{5, 6, 1, law.ExpMean(2)}).Left)
	oracle.Near(t, "patience-erlangA_over-leave0", waits(t, Impatient{2, 4, 1, law.ExpMean(5)}).Left)
}

// TestImpatientExponential: with exponential patience what leaves is the rate times what waits, and
// the waits of those who start and of those who leave make up the time in line.
func TestImpatientExponential(t *testing.T) {
	for _, g := range []Impatient{{3, 2, 1, law.ExpMean(4)}, {40, 60, 1, law.ExpMean(0.5)}, {500, 480, 1, law.ExpMean(2)}} {
		w, mean := waits(t, g), g.Patience.(law.Exponential).Mean()
		if math.Abs(w.Left-w.InLine/mean) > 1e-11*w.Left {
			t.Errorf("%+v: %v leave, and %v by the time in line", g, w.Left, w.InLine/mean)
		}
	}
}

// TestImpatientThatStay: nobody leaves who waits for ever, and waits are those of M/M/c.
func TestImpatientThatStay(t *testing.T) {
	const c, load = 4, 3.
	w := waits(t, Impatient{c, load, 1, law.ExpMean(1e9)})
	b := 1.0
	for s := 1; s <= c; s++ {
		b = load * b / (float64(s) + load*b)
	}
	delay := b / (1 - load/c*(1-b))
	if math.Abs(w.Delay-delay) > 1e-7 || math.Abs(w.Mean-delay/(c-load)) > 1e-7 || math.Abs(w.Second-2*delay/(c-load)/(c-load)) > 1e-6 {
		t.Errorf("%+v, want delay %v, mean %v", *w, delay, delay/(c-load))
	}
}

// TestImpatientJumps: patience of ten thousand values is nearly uniform, and costs little more than the values.
func TestImpatientJumps(t *testing.T) {
	const n = 10_000
	var values []float64
	for i := range n {
		values = append(values, 3*(float64(i)+0.5)/n)
	}
	w, smooth := waits(t, Impatient{4, 5, 1, law.NewEmpirical(values)}), waits(t, Impatient{4, 5, 1, law.Uniform{Lo: 0, Hi: 3}})
	for name, x := range map[string][2]float64{"leave": {w.Left, smooth.Left}, "mean": {w.Mean, smooth.Mean}, "second": {w.Second, smooth.Second},
		"survival": {w.Survival(context.Background(), 1), smooth.Survival(context.Background(), 1)}} {
		if math.Abs(x[0]-x[1]) > 1e-6*x[1] {
			t.Errorf("%s: %v with values, %v uniform", name, x[0], x[1])
		}
	}
	if w.q.spent > 100*n {
		t.Errorf("%d rules for %d values", w.q.spent, n)
	}
}

// jagged is patience whose survival function jumps nearly everywhere, by a little. It ends a context at one
// of its evaluations.
type jagged struct {
	n    *int
	at   int
	stop func()
}

func (j jagged) Survival(x float64) float64 {
	if *j.n++; *j.n == j.at {
		j.stop()
	}
	return math.Exp(-x) * (1 + 1e-9*math.Mod(1e9*x, 1))
}

func (j jagged) Quantile(p float64) float64 { return -math.Log1p(-p) }

// TestImpatientEnds: integrals that do not get smooth end with an error, and with their context at once.
func TestImpatientEnds(t *testing.T) {
	n := 0
	q := &quadrature{Impatient: &Impatient{2, 3, 1, jagged{n: &n}}, ctx: context.Background(), most: 2000}
	if q.over(8); q.err() != errRoughPatience || n > len(panelNodes)*(q.most+1000) {
		t.Errorf("%v after %d evaluations", q.err(), n)
	}
	ctx, stop := context.WithCancel(context.Background())
	n = 0
	if _, err := (&Impatient{2, 3, 1, jagged{&n, 100_000, stop}}).Solve(ctx); err != context.Canceled || n > 110_000 {
		t.Errorf("%v after %d evaluations, the context ended after 100,000", err, n)
	}
}
