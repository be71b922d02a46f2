package mam

import (
	"math"
	"math/cmplx"
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
	if m, scv := p.Mean(), p.SCV(); math.Abs(m-3) > 1e-14 || math.Abs(scv-1e10) > 1e-3 {
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
	if m := p.Moment(0); math.Abs(m-1) > 1e-15 || !math.IsNaN(p.Moment(-1)) {
		t.Errorf("moments %v and %v of order 0 and -1", m, p.Moment(-1))
	}
	s := complex(0.4, 3)
	if got, want := p.LST(s), 0.1+0.3*2/(2+s)+0.6*5/(5+s); cmplx.Abs(got-want) > 1e-15 {
		t.Errorf("transform %v, want %v", got, want)
	}
}
