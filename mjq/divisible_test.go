package mjq

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// capacityNote is the example of the capacity note's Section III.
func capacityNote(p1, t1, t2 float64) *DivisibleModel {
	b := Divisible(6)
	if p1 > 0 {
		b = b.Class("small", 2, p1, ExpMean(t1))
	}
	if p1 < 1 {
		b = b.Class("big", 3, 1-p1, ExpMean(t2))
	}
	return Must(b.Build())
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

// TestCapacityCurve compares Figure 3 of the note with independent values:
// another program's linear solve and product form.
func TestCapacityCurve(t *testing.T) {
	for _, v := range references(t, "A2", "capacity_B6_b23") {
		mu := v.Parameters["mu"].([]any)
		d := capacityNote(v.Parameters["p1"].(float64), 1/mu[0].(float64), 1/mu[1].(float64))
		c, err := d.Capacity(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		near(t, "capacity", c.Rate, v.Value.(float64), 1e-13)
		near(t, "amount used", 6-c.Unused, 6*c.Rate/c.IdealRate, 1e-12)
	}
}

// TestProcessingRates: the two routes agree, and they cross λ at the capacity.
func TestProcessingRates(t *testing.T) {
	d := capacityNote(.5, 1, 1)
	for _, lambda := range []float64{0.1, 1, 2, 48. / 23, 2.2} {
		p, err := d.ProcessingRate(context.Background(), lambda)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "two routes", p.FixedPoint, p.Rate, 1e-10)
		if lambda == 48./23 {
			near(t, "crossing", p.Rate, lambda, 1e-12)
		} else if (p.Rate > lambda) != (lambda < 48./23) {
			t.Errorf("ũ(%v) = %v", lambda, p.Rate)
		}
	}
}

// TestLowRates: the rate of a long line tends to that of the slowest state, and
// a job that meets no other does not wait. The fixed point is too slow there.
func TestLowRates(t *testing.T) {
	const lambda = 1e-6
	d := capacityNote(.5, 1, 1)
	p, err := d.ProcessingRate(context.Background(), lambda)
	if err != nil || !math.IsNaN(p.FixedPoint) {
		t.Fatalf("%+v, error %v", p, err)
	}
	near(t, "slowest state", p.Rate, 2, 1e-6)
	r, err := d.Sojourn(context.Background(), lambda)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "response", r.Response.Mean, 1, 1e-9)
	near(t, "second moment", r.Response.Square, 2, 1e-9)
}

// TestSojournTable compares every exact value for the note's Table I.
func TestSojournTable(t *testing.T) {
	d := capacityNote(.5, 0.4, 1.6)
	for _, name := range []string{"E[W]", "E[Wq^2]", "E[W^2]_eq7", "E[W^2]_exact", "E[Wq]_per_class", "E[Wq^2]_per_class"} {
		for _, v := range references(t, "B2", name) {
			r, err := d.Sojourn(context.Background(), v.Parameters["lam"].(float64))
			if err != nil {
				t.Fatal(err)
			}
			c := r.Classes
			got := map[string][]float64{
				"E[W]": {r.Response.Mean}, "E[Wq^2]": {r.Waiting.Square},
				"E[W^2]_eq7": {r.Independent.Square}, "E[W^2]_exact": {r.Response.Square},
				"E[Wq]_per_class":   {c[0].Waiting.Mean, c[1].Waiting.Mean},
				"E[Wq^2]_per_class": {c[0].Waiting.Square, c[1].Waiting.Square},
			}[name]
			want, several := v.Value.([]any)
			if !several {
				want = []any{v.Value}
			}
			for i, x := range want {
				near(t, name, got[i], x.(float64), 1e-10)
			}
		}
	}
}

// TestSojournAsPrinted: leaving out low levels gives the second moments that
// the note prints, rounded or cut; the exact ones are far from it.
func TestSojournAsPrinted(t *testing.T) {
	d := capacityNote(.5, 0.4, 1.6)
	for _, row := range [][3]float64{{1, 1.167, 4.763}, {1.2, 2.553, 6.758}, {1.4, 5.858, 11.120}, {1.6, 16.013, 23.416}, {1.8, 72.044, 85.707}} {
		r, err := d.Sojourn(context.Background(), row[0])
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.WaitingAsPrinted.Square-row[1]) > 1e-3 || math.Abs(r.ResponseAsPrinted.Square-row[2]) > 5e-4 {
			t.Errorf("λ = %v: %v and %v, printed %v", row[0], r.WaitingAsPrinted.Square, r.ResponseAsPrinted.Square, row[1:])
		}
		if math.Abs(r.Waiting.Square-row[1]) < 0.015 {
			t.Errorf("λ = %v: the exact moment %v is as printed", row[0], r.Waiting.Square)
		}
	}
}

// TestSojournOfFiveClasses compares waits by class with those of another
// program, on 842 states.
func TestSojournOfFiveClasses(t *testing.T) {
	b := Divisible(1)
	for _, c := range Must(FiveClassExponential().Build()).Classes() {
		b = b.Class(c.Name, float64(c.Need)/20, c.Prob, c.Service)
	}
	d := Must(b.Build())
	r, err := d.Sojourn(context.Background(), 0.4)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean wait, all", r.Waiting.Mean, fiveClasses(t, "E[W]_all", 0.4)[0], 1e-10)
	means, variances := fiveClasses(t, "E[W]_per_class", 0.4), fiveClasses(t, "Var[W]_per_class", 0.4)
	for i, c := range r.Classes {
		near(t, "mean wait of "+c.Name, c.Waiting.Mean, means[i], 1e-10)
		near(t, "variance of "+c.Name, c.Waiting.Variance(), variances[i], 1e-9)
	}
	near(t, "blocked", 20*r.Blocked, fiveClasses(t, "HOL_waste", 0.4)[0], 1e-10)
	near(t, "idle", 20*r.Unused, fiveClasses(t, "total_idle", 0.4)[0], 1e-10)
}

// TestSojournOfOneAndAll: 256 servers for jobs of 1 and of 256, where what is in
// service changes slowly, against another program.
func TestSojournOfOneAndAll(t *testing.T) {
	d := Must(Divisible(256).Class("one", 1, 0.999, ExpMean(1)).Class("all", 256, 0.001, ExpMean(40)).Build())
	for _, v := range references(t, "B1", "mean_wait_table1")[:1] {
		r, err := d.Sojourn(context.Background(), v.Parameters["lam"].(float64))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "mean wait", r.Waiting.Mean, v.Value.(float64), 1e-9)
	}
}

// TestSojournAgainstSampling: fractional needs against exact samples of the
// equivalent queue with servers.
func TestSojournAgainstSampling(t *testing.T) {
	d := fractions()
	m := Must(d.Model())
	if m.Servers() != 30 {
		t.Fatalf("%d servers", m.Servers())
	}
	c, err := d.Capacity(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rate := 0.8 * c.Rate
	exact, err := d.Sojourn(context.Background(), rate)
	if err != nil {
		t.Fatal(err)
	}
	r := Must(m.AtRate(rate).Sample().Backward().N(5_000).Seed(3).Run(context.Background()))
	for i, k := range exact.Classes {
		within(t, k.Name+" mean", r.Classes[i].Waiting.Mean, k.Waiting.Mean, 4.5)
		within(t, k.Name+" variance", r.Classes[i].Waiting.Variance, k.Waiting.Variance(), 4.5)
	}
	within(t, "amount blocked", result.Estimate{Value: r.WastedHOL.Value / 30, HalfWidth: r.WastedHOL.HalfWidth / 30}, exact.Blocked, 4.5)
}

func fractions() *DivisibleModel {
	return Must(Divisible(1).Class("third", 1./3, 0.5, ExpMean(1)).Class("tenth", 0.1, 0.3, ExpMean(0.5)).
		Class("half", 0.5, 0.2, ExpMean(2)).Build())
}

func TestDivisibleUnits(t *testing.T) {
	for _, c := range []struct {
		total   float64
		needs   []float64
		servers int
	}{
		{6, []float64{2, 3}, 6}, {6, []float64{2, 2}, 3}, {0.3, []float64{0.1, 0.2}, 3}, {1, []float64{1. / 3, 1. / 7}, 21},
		{2.5, []float64{1, 0.75}, 10}, {1, []float64{0.33333}, 100_000}, {math.Pi, []float64{math.Pi / 4, math.Pi}, 4},
		{1, []float64{math.Sqrt2 / 2}, 0}, {1, []float64{0.333333}, 0},
	} {
		b := Divisible(c.total)
		for i, need := range c.needs {
			b = b.Class(string(rune('a'+i)), need, 1/float64(len(c.needs)), ErlangMean(2, 1))
		}
		m, err := Must(b.Build()).Model()
		if c.servers == 0 {
			if err == nil || !strings.Contains(err.Error(), "common unit") {
				t.Errorf("%v of %v: %v, error %v", c.needs, c.total, m, err)
			}
			continue
		}
		if err != nil || m.Servers() != c.servers {
			t.Errorf("%v of %v: %v, error %v; want %d servers", c.needs, c.total, m, err, c.servers)
		}
	}
}

// TestDivisibleModelIsTheSameQueue: its limit agrees with that of the queue with
// servers, from a chain that shares no code with this one, and with the pile.
func TestDivisibleModelIsTheSameQueue(t *testing.T) {
	d := fractions()
	c, err := d.Capacity(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m := Must(d.Model())
	near(t, "limit of the chain", Must(m.Stability().Exact().Run(context.Background())).Rate, c.Rate, 1e-12)
	st := Must(m.Stability().Pile().Seed(4).RelErr(0.003).Run(context.Background()))
	within(t, "limit", Estimate{Value: st.Rate, HalfWidth: st.HalfWidth}, c.Rate, 4.5)
}

func TestDivisibleFaults(t *testing.T) {
	_, err := Divisible(-1).Class("", 0, 0, nil).Class("a", math.NaN(), 0.5, ExpMean(0)).Class("a", 1e-9, 0.2, ExpMean(1)).Build()
	for _, part := range []string{"Divisible(-1)", "no name", "need 0", "probability 0", "no law", "need NaN", "the name is taken", "sum to 0.7"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %q:\n%v", part, err)
		}
	}
	if _, err := Divisible(2).Build(); err == nil || !strings.Contains(err.Error(), "no class") {
		t.Errorf("no classes: %v", err)
	}
	if _, err := Divisible(2).Class("a", 2.1, 1, ExpMean(1)).Build(); err == nil || !strings.Contains(err.Error(), "exceeds the total") {
		t.Errorf("too large: %v", err)
	}
	if _, err := Divisible(2).Class("a", 1e-9, 1, ExpMean(1)).Build(); err == nil || !strings.Contains(err.Error(), "join such jobs") {
		t.Errorf("too small: %v", err)
	}
	d := Must(Divisible(2).Class("a", 1, 1, ErlangMean(2, 1)).Build())
	if _, err := d.Capacity(context.Background()); err == nil || !strings.Contains(err.Error(), "ErlangMean(2, 1) is not exponential") {
		t.Errorf("Erlang: %v", err)
	}
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := fractions().Sojourn(context.Background(), rate); err == nil || !strings.Contains(err.Error(), "arrival rate") {
			t.Errorf("rate %v: %v", rate, err)
		}
	}
}

// TestSojournBeyondCapacity: no error, infinite times, a bound of 1.
func TestSojournBeyondCapacity(t *testing.T) {
	for _, rate := range []float64{300. / 149, 2.1, 50} {
		r, err := capacityNote(.5, .4, 1.6).Sojourn(context.Background(), rate)
		if err != nil || r.Stable || !math.IsInf(r.Response.Mean, 1) || r.Response.TailBound(10) != 1 || !math.IsInf(r.Classes[1].Waiting.Mean, 1) {
			t.Errorf("λ = %v: %+v, %v", rate, r, err)
		}
	}
}

// TestTailBound: M/M/1, where P(W > t) = exp(-(μ-λ)t).
func TestTailBound(t *testing.T) {
	r, err := Must(Divisible(1).Class("a", 1, 1, ExpMean(1)).Build()).Sojourn(context.Background(), 0.5)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "variance", r.Response.Variance(), 4, 1e-10)
	near(t, "bound", r.Response.TailBound(10), 4./68, 1e-10)
	if b := r.Response.TailBound(2); b != 1 {
		t.Errorf("at the mean %v", b)
	}
}

// TestDivisibleInterrupted stops at the first word of progress.
func TestDivisibleInterrupted(t *testing.T) {
	b := Divisible(20)
	for _, c := range Must(FiveClassExponential().Build()).Classes() {
		b = b.Class(c.Name, float64(c.Need), c.Prob, c.Service)
	}
	for name, run := range map[string]func(context.Context, *DivisibleModel) error{
		"capacity": func(ctx context.Context, d *DivisibleModel) error { _, err := d.Capacity(ctx); return err },
		"sojourn":  func(ctx context.Context, d *DivisibleModel) error { _, err := d.Sojourn(ctx, 1.75); return err },
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var stopped time.Time
		d := Must(b.Build()).Progress(func(done, total float64) {
			if !(done >= 0 && done <= total) {
				t.Errorf("%s: progress %v of %v", name, done, total)
			}
			if stopped.IsZero() {
				stopped = time.Now()
				cancel()
			}
		})
		if err := run(ctx, d); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
		if took := time.Since(stopped); took > soon {
			t.Errorf("%s: stopped after %v", name, took)
		}
	}
}
