package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestControlsThatHaveNotBeenSeen: a control whose rare part never came, so that
// its average lies far from its expectation, must not draw the estimate along the
// line of what did come. Where it lies as chance would have it, it must.
func TestControlsThatHaveNotBeenSeen(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	ys, xs := make([]float64, 64), make([]float64, 64)
	for i := range ys {
		xs[i] = 0.5 + 0.01*rng.NormFloat64()
		ys[i] = 0.3 + 0.8*xs[i] + 1e-4*rng.NormFloat64()
	}
	plain := OfReplications(ys, 0.95, "")
	for _, c := range []struct {
		mean float64
		used bool
	}{{0.75, false}, {0.51, false}, {0.503, true}, {0.5, true}} {
		e := Controlled(ys, [][]float64{xs}, []float64{c.mean}, 0.95, "")
		if used := e != plain; used != c.used {
			t.Errorf("expectation %v of a control of mean 0.5 ± 0.0012: used is %v, want %v", c.mean, used, c.used)
		}
		if want := 0.3 + 0.8*c.mean; c.used && !(math.Abs(e.Value-want) < 1e-4) {
			t.Errorf("expectation %v: %v, want %v", c.mean, e, want)
		}
	}
}

// TestControlsPerReplication: of many controls, those that come first are used,
// one for every six replications, also if some before them do not vary.
func TestControlsPerReplication(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	const n = 16 // two controls
	ys, controls, means := make([]float64, n), make([][]float64, 4), []float64{7, 0, 0, 0}
	for k := range controls {
		controls[k] = make([]float64, n)
		for i := range n {
			controls[k][i] = 7
			if k > 0 {
				controls[k][i] = rng.NormFloat64()
			}
		}
	}
	for i := range ys {
		ys[i] = 5 + controls[1][i] - 2*controls[2][i] + 3*controls[3][i]
	}
	got := Controlled(ys, controls, means, 0.95, "")
	want := Controlled(ys, controls[1:3], means[1:3], 0.95, "")
	if got != want || got == OfReplications(ys, 0.95, "") {
		t.Errorf("four controls give %v, the first two that vary %v", got, want)
	}
	all := Controlled(append(ys, ys...), [][]float64{append(controls[1], controls[1]...), append(controls[2], controls[2]...), append(controls[3], controls[3]...)}, means[1:], 0.95, "")
	if math.Abs(all.Value-5) > 1e-9 || all.HalfWidth > 1e-9 {
		t.Errorf("three controls that explain all give %v, want 5", all)
	}
}

// TestControlledByHand: one control over few values, against the textbook line:
// intercept ȳ - b(x̄ - μ), b = Sxy/Sxx, its variance s²(1/n + (x̄ - μ)²/Sxx) with
// n - 2 degrees of freedom.
func TestControlledByHand(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	ys := []float64{2, 1, 4, 3, 7, 5, 8, 6}
	// x̄ = ȳ = 4.5, Sxx = 42, Sxy = 35, b = 5/6, residual sum of squares 42 - 35²/42.
	e := Controlled(ys, [][]float64{xs}, []float64{4}, 0.95, "by hand")
	s2 := (42 - 35.0*35/42) / 6
	half := 2.4469118511449692 * math.Sqrt(s2*(1.0/8+0.25/42))
	if math.Abs(e.Value-(4.5-5.0/12)) > 1e-12 || math.Abs(e.HalfWidth-half) > 1e-9 || e.N != 8 || e.Method != "by hand" {
		t.Errorf("%v ± %v, %d, %s; want %v ± %v", e.Value, e.HalfWidth, e.N, e.Method, 4.5-5.0/12, half)
	}
}

// TestControlledUnits: a control in any unit explains as much as in another; a constant
// one, and what rounding leaves of one, none.
func TestControlledUnits(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 2}
	ys := []float64{2, 1, 4, 3, 7, 5, 8, 6, 7, 8, 5, 6, 3, 4, 2, 1}
	want := Controlled(ys, [][]float64{xs}, []float64{4}, 0.95, "")
	for _, unit := range []float64{1e-30, 1e-9, 1e9, 1e30} {
		var us []float64
		for _, x := range xs {
			us = append(us, unit*x)
		}
		if e := Controlled(ys, [][]float64{us}, []float64{4 * unit}, 0.95, ""); math.Abs(e.Value-want.Value) > 1e-12 || math.Abs(e.HalfWidth-want.HalfWidth) > 1e-12 {
			t.Errorf("in units of %g: %v, want %v", unit, e, want)
		}
	}
	plain := OfReplications(ys, 0.95, "")
	constant := make([]float64, len(ys))
	for i := range constant {
		constant[i] = 1e6 * (1 + 2e-16*float64(i%2))
	}
	if e := Controlled(ys, [][]float64{constant}, []float64{1e6}, 0.95, ""); e != plain {
		t.Errorf("with a constant: %v, want %v", e, plain)
	}
	if e := Controlled(ys, [][]float64{make([]float64, len(ys)), xs}, []float64{0, 4}, 0.95, ""); e != want {
		t.Errorf("after a control that is always 0: %v, want %v", e, want)
	}
}

// TestControlledRounding: a control that varies by 1e-13 of itself is constant but for
// rounding, however well it seems to explain, and however many replications there are.
func TestControlledRounding(t *testing.T) {
	const n = 128
	var ys, xs, wide []float64
	for i := range n {
		y := float64(i * 37 % n)
		ys, xs, wide = append(ys, y), append(xs, 1+1e-13*(y/n)), append(wide, 1+1e-10*(y/n))
	}
	plain := OfReplications(ys, 0.95, "")
	if e := Controlled(ys, [][]float64{xs}, []float64{1 + 5e-14}, 0.95, ""); e != plain {
		t.Errorf("with rounding errors: %v, want %v", e, plain)
	}
	if e := Controlled(ys, [][]float64{wide}, []float64{1 + 5e-11}, 0.95, ""); !(e.HalfWidth < plain.HalfWidth/100) {
		t.Errorf("with what varies by a thousand times as much: %v, without %v", e, plain)
	}
}
