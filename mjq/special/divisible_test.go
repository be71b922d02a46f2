package special

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

// capacityNote is the example of the capacity note's Section III.
func capacityNote(p1, t1, t2 float64) Divisible {
	d := Amount(6)
	if p1 > 0 {
		d = d.Class("small", 2, p1, law.ExpMean(t1))
	}
	if p1 < 1 {
		d = d.Class("big", 3, 1-p1, law.ExpMean(t2))
	}
	return d
}

// fiveClasses is the mix of Table 3 of Baccelli, Olliaro, Ajmone Marsan and Marin, of
// 842 states, with the needs in servers over unit.
func fiveClasses(total, unit float64) Divisible {
	d := Amount(total)
	for i, c := range five().classes {
		d = d.Class(string(rune('a'+i)), c.need/unit, c.prob, law.ExpRate(c.rate))
	}
	return d
}

// TestCapacityCurve compares Figure 3 of the note with independent values:
// another program's linear solve and product form.
func TestCapacityCurve(t *testing.T) {
	for _, v := range oracle.Values(t, "A2", "capacity_B6_b23") {
		mu := v.Parameters["mu"].([]any)
		d := capacityNote(v.Parameters["p1"].(float64), 1/mu[0].(float64), 1/mu[1].(float64))
		c := mjq.Must(d.Capacity(t.Context()))
		oracle.Relative(t, "capacity", c.Rate, v.Value.(float64), 1e-13)
		oracle.Relative(t, "amount used", 6-c.Unused, 6*c.Rate/c.IdealRate, 1e-12)
	}
}

// TestProcessingRates: the two routes agree, and they cross λ at the capacity.
func TestProcessingRates(t *testing.T) {
	d := capacityNote(.5, 1, 1)
	for _, lambda := range []float64{0.1, 1, 2, 48. / 23, 2.2} {
		p := mjq.Must(d.ProcessingRate(t.Context(), lambda))
		oracle.Relative(t, "two routes", p.FixedPoint, p.Rate, 1e-10)
		if lambda == 48./23 {
			oracle.Relative(t, "crossing", p.Rate, lambda, 1e-12)
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
	p := mjq.Must(d.ProcessingRate(t.Context(), lambda))
	if !math.IsNaN(p.FixedPoint) {
		t.Fatalf("%+v", p)
	}
	oracle.Relative(t, "slowest state", p.Rate, 2, 1e-6)
	r := mjq.Must(d.Sojourn(t.Context(), lambda))
	oracle.Relative(t, "response", r.Response.Mean, 1, 1e-9)
	oracle.Relative(t, "second moment", r.Response.Square, 2, 1e-9)
}

// TestSojournTable compares every exact value for the note's Table I.
func TestSojournTable(t *testing.T) {
	d := capacityNote(.5, 0.4, 1.6)
	for _, name := range []string{"E[W]", "E[Wq^2]", "E[W^2]_eq7", "E[W^2]_exact", "E[Wq]_per_class", "E[Wq^2]_per_class"} {
		for _, v := range oracle.Values(t, "B2", name) {
			r := mjq.Must(d.Sojourn(t.Context(), v.Parameters["lam"].(float64)))
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
				oracle.Relative(t, name, got[i], x.(float64), 1e-10)
			}
		}
	}
}

// TestSojournAsPrinted: leaving out low levels gives the second moments that
// the note prints, rounded or cut; the exact ones are far from it.
func TestSojournAsPrinted(t *testing.T) {
	d := capacityNote(.5, 0.4, 1.6)
	for _, row := range [][3]float64{{1, 1.167, 4.763}, {1.2, 2.553, 6.758}, {1.4, 5.858, 11.120}, {1.6, 16.013, 23.416}, {1.8, 72.044, 85.707}} {
		r := mjq.Must(d.Sojourn(t.Context(), row[0]))
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
	d := fiveClasses(1, 20)
	r := mjq.Must(d.Sojourn(t.Context(), 0.4))
	oracle.Relative(t, "mean wait, all", r.Waiting.Mean, atRate(t, "B3", "E[W]_all", 0.4).(float64), 1e-10)
	means, variances := numbers(atRate(t, "B3", "E[W]_per_class", 0.4)), numbers(atRate(t, "B3", "Var[W]_per_class", 0.4))
	for i, c := range r.Classes {
		oracle.Relative(t, "mean wait of "+c.Name, c.Waiting.Mean, means[i], 1e-10)
		oracle.Relative(t, "variance of "+c.Name, c.Waiting.Variance(), variances[i], 1e-9)
	}
	oracle.Relative(t, "blocked", 20*r.Blocked, atRate(t, "B3", "HOL_waste", 0.4).(float64), 1e-10)
	oracle.Relative(t, "idle", 20*r.Unused, atRate(t, "B3", "total_idle", 0.4).(float64), 1e-10)
}

// TestSojournOfOneAndAll: 256 servers for jobs of 1 and of 256, where what is in
// service changes slowly, against another program.
func TestSojournOfOneAndAll(t *testing.T) {
	oracle.Long(t, "TestSojournOfFiveClasses")
	d := Amount(256).Class("one", 1, 0.999, law.ExpMean(1)).Class("all", 256, 0.001, law.ExpMean(40))
	for _, v := range oracle.Values(t, "B1", "mean_wait_table1")[:1] {
		r := mjq.Must(d.Sojourn(t.Context(), v.Parameters["lam"].(float64)))
		oracle.Relative(t, "mean wait", r.Waiting.Mean, v.Value.(float64), 1e-9)
	}
}

// fractions have the unit 1/30.
func fractions() Divisible {
	return Amount(1).Class("third", 1./3, 0.5, law.ExpMean(1)).Class("tenth", 0.1, 0.3, law.ExpMean(0.5)).
		Class("half", 0.5, 0.2, law.ExpMean(2))
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
		d := Amount(c.total)
		for i, need := range c.needs {
			d = d.Class(string(rune('a'+i)), need, 1/float64(len(c.needs)), law.ErlangMeanPhases(1, 2))
		}
		m, err := d.Model()
		if c.servers == 0 {
			if err == nil || !strings.Contains(err.Error(), "common unit") {
				t.Errorf("%v of %v: %v, error %v", c.needs, c.total, m, err)
			}
			continue
		}
		if err != nil || m.Spec().Servers != c.servers {
			t.Errorf("%v of %v: %v, error %v; want %d servers", c.needs, c.total, m, err, c.servers)
		}
	}
}

func TestDivisibleFaults(t *testing.T) {
	err := Amount(-1).Class("", 0, 0, nil).Class("a", math.NaN(), 0.5, law.ExpMean(0)).Class("a", 1e-9, 0.2, law.ExpMean(1)).Err()
	for _, part := range []string{"total amount is -1", "no name", "need 0", "probability 0", "no law", "need NaN", "the name is taken", "sum to 0.7"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %q:\n%v", part, err)
		}
	}
	if err := Amount(2).Err(); err == nil || !strings.Contains(err.Error(), "no class") {
		t.Errorf("no classes: %v", err)
	}
	if err := Amount(2).Class("a", 2.1, 1, law.ExpMean(1)).Err(); err == nil || !strings.Contains(err.Error(), "exceeds the total") {
		t.Errorf("too large: %v", err)
	}
	if err := Amount(2).Class("a", 1e-9, 1, law.ExpMean(1)).Err(); err == nil || !strings.Contains(err.Error(), "join such jobs") {
		t.Errorf("too small: %v", err)
	}
	d := Amount(2).Class("a", 1, 1, law.ErlangMeanPhases(1, 2))
	if _, err := d.Capacity(t.Context()); err == nil || !strings.Contains(err.Error(), "ErlangMeanPhases(1, 2) is not exponential") {
		t.Errorf("Erlang: %v", err)
	}
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := fractions().Sojourn(t.Context(), rate); err == nil || !strings.Contains(err.Error(), "arrival rate") {
			t.Errorf("rate %v: %v", rate, err)
		}
	}
}

// TestSojournBeyondCapacity: no error, infinite times, a bound of 1.
func TestSojournBeyondCapacity(t *testing.T) {
	for _, rate := range []float64{300. / 149, 2.1, 50} {
		r := mjq.Must(capacityNote(.5, .4, 1.6).Sojourn(t.Context(), rate))
		if r.Stable || !math.IsInf(r.Response.Mean, 1) || r.Response.TailBound(10) != 1 || !math.IsInf(r.Classes[1].Waiting.Mean, 1) {
			t.Errorf("λ = %v: %+v", rate, r)
		}
	}
}

// TestTailBound: M/M/1, where P(W > t) = exp(-(μ-λ)t).
func TestTailBound(t *testing.T) {
	r := mjq.Must(Amount(1).Class("a", 1, 1, law.ExpMean(1)).Sojourn(t.Context(), 0.5))
	oracle.Relative(t, "variance", r.Response.Variance(), 4, 1e-10)
	oracle.Relative(t, "bound", r.Response.TailBound(10), 4./68, 1e-10)
	if b := r.Response.TailBound(2); b != 1 {
		t.Errorf("at the mean %v", b)
	}
}

// TestDivisibleFaultsAreNumbers: what is asked of a wrong description has no number,
// and every question returns its error.
func TestDivisibleFaultsAreNumbers(t *testing.T) {
	d := Amount(1).Class("a", 2, 1, nil)
	if want := d.Err().Error(); !math.IsNaN(d.IdealRate()) || d.String() != want || !strings.Contains(d.HTML(), "exceeds the total") {
		t.Errorf("%v, %v, %v", d.IdealRate(), d, d.HTML())
	}
	_, model := d.Model()
	_, capacity := d.Capacity(t.Context())
	_, rate := d.ProcessingRate(t.Context(), 1)
	_, sojourn := d.Sojourn(t.Context(), -1)
	for what, err := range map[string]error{"model": model, "capacity": capacity, "rate": rate, "sojourn": sojourn} {
		if err == nil || !strings.Contains(err.Error(), "exceeds the total") || !strings.Contains(err.Error(), "no law") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !strings.HasPrefix(sojourn.Error(), "Sojourn: Divisible: ") || !strings.Contains(sojourn.Error(), "arrival rate is -1") {
		t.Errorf("sojourn: %v", sojourn)
	}
}

// TestDivisibleIsAValue: a longer description leaves the shorter one as it was.
func TestDivisibleIsAValue(t *testing.T) {
	d := Amount(2)
	for _, name := range []string{"a", "b", "c"} { // three, so that a slice has room for a fourth
		d = d.Class(name, 1, 1./3, law.ExpMean(1))
	}
	b, c := d.Class("d", 1, 1, law.ExpMean(1)), d.Class("e", 1, 1, law.ExpMean(1))
	if d.Err() != nil || len(d.Classes()) != 3 || b.Classes()[3].Name != "d" || c.Classes()[3].Name != "e" {
		t.Errorf("%v, %v, %v", d, b.Classes(), c.Classes())
	}
	nearly := Amount(2).Class("a", 1, 0.6666667, law.ExpMean(1)).Class("b", 1, 0.3333334, law.ExpMean(1)).Classes()
	absolute(t, "sum of printed probabilities", nearly[0].Prob+nearly[1].Prob, 1, 1e-15)
}

// interrupted stops the question at the first word of progress.
func interrupted[R any](t *testing.T, what string, ask func(ctx context.Context, opts ...mjq.Option) (*R, error)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var stopped time.Time
	r, err := ask(ctx, mjq.Progress(func(s mjq.Step) {
		if !(s.Done >= 0 && s.Done <= s.Total && s.What == what) {
			t.Errorf("%s: progress %+v", what, s)
		}
		if stopped.IsZero() {
			stopped = time.Now()
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("%s: %v, error %v", what, r, err)
	}
	// Far less than it would take on, and more than a busy machine adds to 100 ms.
	if took := time.Since(stopped); took > 5*time.Second {
		t.Errorf("%s: stopped after %v", what, took)
	}
}

func TestDivisibleInterrupted(t *testing.T) {
	d := fiveClasses(20, 1)
	interrupted(t, "Capacity", d.Capacity)
	interrupted(t, "ProcessingRate", func(ctx context.Context, opts ...mjq.Option) (*ProcessingRate, error) {
		return d.ProcessingRate(ctx, 1.75, opts...)
	})
	interrupted(t, "Sojourn", func(ctx context.Context, opts ...mjq.Option) (*Sojourn, error) { return d.Sojourn(ctx, 1.75, opts...) })
}

// TestProgressPanics: a panic of the caller's function is an error.
func TestProgressPanics(t *testing.T) {
	_, err := capacityNote(.5, 1, 1).Capacity(t.Context(), mjq.Progress(func(mjq.Step) { panic("mine") }))
	if err == nil || !strings.HasPrefix(err.Error(), "Capacity: panic: mine") {
		t.Errorf("error %v", err)
	}
}

// TestDivisibleIsRemembered: each question is answered the second time from memory, another
// rate or need is another question, and NoCache computes anew.
func TestDivisibleIsRemembered(t *testing.T) {
	cache.In(t.TempDir())
	t.Cleanup(func() { cache.In("") })
	of := func(need float64) Divisible {
		d := Amount(1)
		for i, amount := range []float64{0.02, 0.1, 0.13, need} {
			d = d.Class(string(rune('a'+i)), amount, 0.25, law.ExpMean(1))
		}
		return d
	}
	for round, want := range []bool{false, true} {
		for _, need := range []float64{0.21, 0.35} {
			for _, rate := range []float64{0.5, 0.6} {
				p, err := of(need).ProcessingRate(t.Context(), rate)
				if err != nil || p.Remembered.IsZero() == want {
					t.Errorf("round %d, rate %v, need %v: remembered %v, %v", round, rate, need, p.Remembered, err)
				}
			}
		}
	}
	if p, err := of(0.35).ProcessingRate(t.Context(), 0.5, mjq.NoCache()); err != nil || !p.Remembered.IsZero() {
		t.Errorf("fresh: remembered %v, %v", p.Remembered, err)
	}
}
