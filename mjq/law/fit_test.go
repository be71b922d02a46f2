package law

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

func TestFitMeanSCV(t *testing.T) {
	for _, scv := range []float64{0, 0.001, 0.0199, 0.02, 0.021, 0.1, 0.2, 0.25, 0.3, 1. / 3, 0.4, 0.5, 0.7, 0.99, 1, 1.01, 4, 100} {
		l := FitMeanSCV(3, scv)
		if err := l.Validate(); err != nil {
			t.Errorf("SCV %v: %v", scv, err)
			continue
		}
		if math.Abs(l.Mean()-3) > 1e-11 || math.Abs(SCV(l)-scv) > 1e-8 {
			t.Errorf("SCV %v: %v has mean %v and SCV %v", scv, l, l.Mean(), SCV(l))
		}
	}
	if e, ok := FitMeanSCV(3, 0.25).(Erlang); !ok || e.K != 4 {
		t.Errorf("SCV 1/4 is no Erlang law but %v", FitMeanSCV(3, 0.25))
	}
	for _, bad := range [][2]float64{{0, 1}, {-1, 1}, {math.NaN(), 1}, {1, -0.1}, {1, math.Inf(1)}, {math.Inf(1), 1}, {1, math.NaN()}} {
		if FitMeanSCV(bad[0], bad[1]).Validate() == nil {
			t.Errorf("mean %v and SCV %v are fitted", bad[0], bad[1])
		}
	}
}

// rawMoments are E[X], E[X²], E[X³] of a phase-type law by solving with its
// generator, or of Deterministic(x).
func rawMoments(t *testing.T, l Law) [3]float64 {
	t.Helper()
	if d, ok := l.(Deterministic); ok {
		return [3]float64{d.X, d.X * d.X, d.X * d.X * d.X}
	}
	alpha, rows, ok := Phases(l)
	if !ok {
		t.Fatalf("%v has no phases", l)
	}
	a := mat.NewDense(len(rows), len(rows), nil)
	for i, row := range rows {
		a.SetRow(i, row)
	}
	p := mam.PH{Alpha: alpha, A: a}
	return [3]float64{p.Moment(1), p.Moment(2), p.Moment(3)}
}

// Laws whose moments the books have: a fit to them has these moments, and where
// the family is one of fewest phases it is the law itself.
func TestFitThreeMomentsKnown(t *testing.T) {
	for _, c := range []struct {
		what       string
		m1, m2, m3 float64
		want       string // begins the fit; "" for any
	}{
		{"exponential of mean 3", 3, 18, 162, "ExpMean(3)"},
		{"Erlang-4 of mean 2", 2, 5, 15, "ErlangMeanPhases(2, 4)"},
		{"Erlang-50 of mean 1", 1, 51. / 50, 51. * 52 / 2500, "ErlangMeanPhases(1, 50)"},
		{"hyperexponential, 0.9 of mean 1 and 0.1 of 10", 1.9, 2 * 10.9, 6 * 100.9, "Cox2("},
		{"Cox, 2 then 5 with probability 0.3", 3.5, 8 + 0.3*2*(2*5+25), 48 + 0.3*(3*8*5+3*2*50+750), "Cox2("},
		{"uniform on [0, 2]", 1, 4. / 3, 2, "PhaseType("},
		{"lognormal of mean 1 and SCV 2", 1, 3, 27, "Cox2("},
		{"always 7", 7, 49, 343, "Deterministic(7)"},
	} {
		l, err := FitThreeMoments(c.m1, c.m2, c.m3)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if err := l.Validate(); err != nil || !strings.HasPrefix(l.String(), c.want) {
			t.Errorf("%s: %v, want %s; %v", c.what, l, c.want, err)
		}
		for k, got := range rawMoments(t, l) {
			if want := []float64{c.m1, c.m2, c.m3}[k]; !(math.Abs(got/want-1) < 1e-9) {
				t.Errorf("%s: moment %d of %v is %v, want %v", c.what, k+1, l, got, want)
			}
		}
	}
}

// A hyperexponential law has three parameters and so has the Cox law of its
// three moments: they are one law (here both survivals, by their own formulas).
func TestFitThreeMomentsIsHyperExp(t *testing.T) {
	h := HyperExpMeans(1, 10, 0.9)
	l, err := FitThreeMoments(1.9, 21.8, 605.4)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0.1, 1, 5, 20, 100} {
		if a, b := l.Survival(x), h.Survival(x); math.Abs(a/b-1) > 1e-7 {
			t.Errorf("P(X > %v) = %v, want %v", x, a, b)
		}
	}
}

func TestFitThreeMomentsFaults(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		m1, m2, m3 float64
		says       string
	}{
		{0, 1, 1, "give positive"}, {-1, 1, 1, "give positive"}, {nan, 1, 1, "give positive"}, {1, inf, inf, "give positive"},
		{1, 0.5, 1, "no law"}, {1, 2, 3, "no law"}, {1, 1.01, 1.0301, "m2 must be at least 1.02"}, {1, 2, 4.04, "m3 between 4.08"},
	} {
		if l, err := FitThreeMoments(c.m1, c.m2, c.m3); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, %v, %v: %v, error %v does not say %q", c.m1, c.m2, c.m3, l, err, c.says)
		}
	}
}
