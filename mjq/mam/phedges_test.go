package mam

import (
	"context"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestFitEdges: the last values that a fit takes, and the faults of the first
// that it does not.
func TestFitEdges(t *testing.T) {
	if p, err := FitTwoMoments(1, 1.0/most); err != nil || len(p.Alpha) != most {
		t.Errorf("%d phases: %v", len(p.Alpha), err)
	}
	p, err := FitTwoMoments(3, 1e10)
	if err != nil {
		t.Fatal(err)
	}
	if m, scv := p.Mean(), p.SCV(); !(math.Abs(m-3) <= 1e-14) || !(math.Abs(scv-1e10) <= 1e-3) {
		t.Errorf("mean %.17g, squared coefficient of variation %.17g", m, scv)
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		m1, m2, m3 float64
		says       string
	}{
		{0, 2, 6, "give positive ones"}, {1, 0, 6, "give positive ones"}, {1, 2, 0, "give positive ones"},
		{1, inf, inf, "give positive ones"}, {1, 1, 2, "m1^2 = 1 "}, {1, 2, 4, "m2^2/m1 = 4"}, {2, 8, 30, "m2^2/m1 = 32"},
		{2, 4, 9, "m1^2 = 4 "}, {2, 4.2, 9.6, "m2 must be at least 4.8 "},
	} {
		if _, err := FitThreeMoments(c.m1, c.m2, c.m3, 5); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, %v, %v: %v, want %q", c.m1, c.m2, c.m3, err, c.says)
		}
	}
}

// TestFitRecognises: laws of one kind of phases come back as themselves.
func TestFitRecognises(t *testing.T) {
	for n := 1; n <= 5; n++ {
		k := float64(n)
		want := Erlang(n, 3)
		got, err := FitThreeMoments(3, 9*(k+1)/k, 27*(k+1)*(k+2)/k/k, 5)
		if err != nil || !slices.Equal(got.Alpha, want.Alpha) || !mat.EqualApprox(got.A, want.A, 1e-14) {
			t.Errorf("Erlang of %d phases came back as %v: %v", n, got, err)
		}
	}
	for _, p := range [][]float64{{1.01}, {0.99}} {
		if _, err := Mix(p, Exponential(1)); err == nil {
			t.Errorf("weights %v are taken", p)
		}
	}
	for _, w := range []float64{1 - slack, 1 + slack} { // the least and the largest sum
		if _, err := Mix([]float64{w}, Exponential(1)); err != nil {
			t.Error(err)
		}
	}
	if p, err := FitThreeMoments(1, 2, 6*(1+5e-14), 5); err != nil || len(p.Alpha) != 1 {
		t.Errorf("an exponential law with rounding is fitted by %d phases: %v", len(p.Alpha), err)
	}
	// Three phases of rate 8 and one of mean 5/8, always in turn: all numbers of
	// the fit are binary fractions, and the probability of the chain is 1 exactly.
	p, ok := lastApart(4, 1.4375, 2.8125)
	if !ok || p.Alpha[0] != 1 || p.A.At(0, 0) != -8 || p.A.At(3, 3) != -1.6 {
		t.Errorf("a chain without leaving out comes back as %v", p)
	}
}

// TestThirdMomentBoundsAtTheirEnds: the Erlang law alone has the least second
// moment, two phases of one mean and scv are exponential, and below there is no
// law.
func TestThirdMomentBoundsAtTheirEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][3]float64{{1.5, 3, 3}, {2, 6, 6}, {1.4, inf, -inf}} {
		if low, high := ThirdMomentBounds(1, c[0], 2); !(low == c[1] || math.Abs(low-c[1]) <= 1e-14) || !(high == c[2] || math.Abs(high-c[2]) <= 1e-14) {
			t.Errorf("second moment %v: %v to %v, want %v to %v", c[0], low, high, c[1], c[2])
		}
	}
}

// TestRoots: polynomials with known roots, double, small, large and complex.
func TestRoots(t *testing.T) {
	for _, c := range []struct{ a, b, c, small, large float64 }{{1, -2, 1, 1, 1}, {1, 1e8, 1, -1e-8, -1e8}, {2, -6, 4, 1, 2}} {
		got := quadratic(c.a, c.b, c.c)
		if len(got) != 2 {
			t.Fatalf("%v has roots %v", c, got)
		}
		near(t, "small root", min(math.Abs(got[0]), math.Abs(got[1])), math.Abs(c.small), 1e-15)
		near(t, "large root", max(math.Abs(got[0]), math.Abs(got[1])), math.Abs(c.large), 1e-15)
	}
	if got := quadratic(0, 2, -6); !slices.Equal(got, []float64{3}) {
		t.Errorf("2 x - 6 has roots %v", got)
	}
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{6, -5, 1}, []float64{2, 3}},
		{[]float64{-4, 4, -1, 1}, []float64{1}}, // (x-1)(x^2+4)
		{[]float64{-10000, 10200, -201, 1}, []float64{1, 100, 100}},
		{[]float64{-3, 1, 1e-20}, []float64{3}},
		{[]float64{5}, nil},
	} {
		got := roots(c.p)
		slices.Sort(got)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-3*b }) {
			t.Errorf("%v has roots %v, want %v", c.p, got, c.want)
		}
	}
}

// TestPHAtZero: the probability of the time 0 belongs to the law at 0, and the
// rounding of rates that sum to the diagonal is no exit.
func TestPHAtZero(t *testing.T) {
	p := PH{[]float64{0.3, 0.6}, mat.NewDense(2, 2, []float64{-2, 0, 0, -5})}
	near(t, "probability of 0", p.CDF(0), 0.1, 1e-14)
	near(t, "survival of 0", p.Survival(0), 0.9, 1e-14)
	near(t, "density at 0", p.Density(0), 3.6, 1e-14)
	rounded := PH{[]float64{1, 0, 0}, mat.NewDense(3, 3, []float64{-0.8, 0.7, 0.1, 0, -1, 0, 0, 0, -2})}
	if x := rounded.exits()[0]; x != 0 {
		t.Errorf("rounding is an exit at rate %g", x)
	}
}

// TestQBDUnits: a unit of time changes neither residual nor decay.
func TestQBDUnits(t *testing.T) {
	q := randomQBD(4, 0.8, 1)
	a, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-8, 1e8} {
		var scaled QBD
		for _, m := range []struct{ to, from **mat.Dense }{{&scaled.Up, &q.Up}, {&scaled.Local, &q.Local}, {&scaled.Down, &q.Down}} {
			*m.to = mat.DenseCopyOf(*m.from)
			(*m.to).Scale(unit, *m.to)
		}
		b, err := scaled.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !(b.Residual <= 1e-14) || !(math.Abs(a.Caudal-b.Caudal) <= 1e-13) {
			t.Errorf("unit %v: residual %v, decay %v against %v", unit, b.Residual, b.Caudal, a.Caudal)
		}
	}
}

// TestPHEdges: rounding of a large rate is not a fault, a phase without a way
// out is, and moments of an order that there is not are NaN.
func TestPHEdges(t *testing.T) {
	rounded := PH{[]float64{1, 0}, mat.NewDense(2, 2, []float64{-1e6, 1e6 + 1e-4, 0, -1})}
	if err := rounded.Validate(); err != nil {
		t.Error(err)
	}
	for _, a := range [][]float64{{-2, 1, 0, 0}, {-2, 1, 0, -1e-300}} {
		trap := PH{[]float64{1, 0}, mat.NewDense(2, 2, a)}
		if err := trap.Validate(); (err == nil) != (a[3] != 0) || err != nil && !strings.Contains(err.Error(), "phase 1 never") {
			t.Errorf("%v: %v", a, err)
		}
	}
	p := PH{[]float64{0.3, 0.6}, mat.NewDense(2, 2, []float64{-2, 0, 0, -5})}
	if m := p.Moment(0); !(math.Abs(m-1) <= 1e-15) || !math.IsNaN(p.Moment(-1)) {
		t.Errorf("moments %v and %v of order 0 and -1", m, p.Moment(-1))
	}
	s := complex(0.4, 3)
	if got, want := p.LST(s), 0.1+0.3*2/(2+s)+0.6*5/(5+s); !(cmplx.Abs(got-want) <= 1e-15) {
		t.Errorf("transform %v, want %v", got, want)
	}
}
