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
