package estimate

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// tail is a survival function with an atom at 0, and its decay.
type tail struct {
	atom, rate float64
	at         func(x float64) float64
}

// tails are exponential, hyperexponential with far-off rates, Erlang (which is
// exponential only in the limit), one that
// begins with a sharp bend, and one with a step at 5.
var tails = []tail{
	{0.4, 0.5, func(x float64) float64 { return 0.6 * math.Exp(-0.5*x) }},
	{0, 0.5, func(x float64) float64 { return 0.3*math.Exp(-0.5*x) + 0.7*math.Exp(-40*x) }},
	{0.1, 2, func(x float64) float64 { return 0.9 * (1 + 2*x + 2*x*x) * math.Exp(-2*x) }},
	{0, 0.5, func(x float64) float64 { return (math.Exp(-0.5*x) + math.Exp(-0.5*x-300*x)) / 2 }},
	{0, 0.5, func(x float64) float64 { return 0.5*math.Exp(-0.5*x) + 0.5/(1+math.Exp(20*(x-5))) }},
}

func fitted(tails []tail, theta, scale float64) (curves []result.Curve, calls int) {
	var atoms, rates []float64
	for _, l := range tails {
		atoms, rates = append(atoms, l.atom), append(rates, l.rate)
	}
	curves, _ = FitCurves(func(x []float64) [][]float64 {
		calls++
		values := make([][]float64, len(tails))
		for i, l := range tails {
			for _, x := range x {
				values[i] = append(values[i], l.at(x)*math.Exp(theta*x))
			}
		}
		return values
	}, theta, atoms, rates, scale, 1e-11)
	return curves, calls
}

// TestCurves holds curves of known laws against them, near 0 and far in the tail,
// from any first panel, tilted and not, one by one and on common panels.
func TestCurves(t *testing.T) {
	for _, theta := range []float64{0, 0.45} {
		for _, scale := range []float64{0.01, 1, 30} {
			for i, l := range tails {
				alone, calls := fitted([]tail{l}, theta, scale)
				if calls > 46 || len(alone[0].Coef) > 30 {
					t.Errorf("law %d, scale %v, θ = %v: %d panels in %d calls", i, scale, theta, len(alone[0].Coef), calls)
				}
				together, _ := fitted(tails, theta, scale)
				for _, c := range []result.Curve{alone[0], together[i]} {
					checkCurve(t, i, l, &c)
				}
			}
		}
	}
}

// TestCurveOfPolynomials: tilted by its own decay, Erlang's law is a polynomial
// that never becomes flat; it ends where the law has fallen.
func TestCurveOfPolynomials(t *testing.T) {
	curves, _ := fitted(tails[2:3], tails[2].rate, 1)
	if n := len(curves[0].Coef); n > 6 {
		t.Errorf("%d panels", n)
	}
	checkCurve(t, 2, tails[2], &curves[0])
}

func checkCurve(t *testing.T, i int, l tail, c *result.Curve) {
	t.Helper()
	for _, x := range []float64{1e-9, 1e-4, 0.003, 0.02, 0.1, 0.77, 2, 5, 11, 23} {
		want := l.at(x)
		if got := c.Survival(x); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("law %d: P(X > %v) = %v, want %v", i, x, got, want)
		}
		p := 1 - want
		if x := c.Quantile(p); p > l.atom && p < 1 && !(math.Abs(l.at(x)-want) <= 1e-9) {
			t.Errorf("law %d: Quantile(%v) = %v, beyond which lies %v", i, p, x, l.at(x))
		}
	}
	if got := c.Survival(1e-300); got > 1-l.atom {
		t.Errorf("law %d: P(X > 0) = %v with an atom of %v", i, got, l.atom)
	}
	// Beyond the panels the decay goes on.
	end := c.Edges[len(c.Edges)-1]
	if a, b := c.Survival(end+1), c.Survival(end+3); c.Survival(end) > 0 && !(math.Abs(b-a*math.Exp(-2*l.rate)) <= 1e-12*a) {
		t.Errorf("law %d: P(X > x) falls from %v to %v within 2", i, a, b)
	}
	if a, b := c.Survival(math.Nextafter(end, 0)), c.Survival(end); !(math.Abs(a-b) <= 1e-12*a) {
		t.Errorf("law %d: P(X > x) jumps from %v to %v at the last edge", i, a, b)
	}
	if c.Survival(-1e-9) != 1 || c.Survival(0) != 1-l.atom || !math.IsNaN(c.Survival(math.NaN())) {
		t.Errorf("law %d: P(X > x) is %v below 0 and %v there", i, c.Survival(-1e-9), c.Survival(0))
	}
	if c.Quantile(l.atom) != 0 || c.Quantile(0) != 0 || !math.IsInf(c.Quantile(1), 1) || !math.IsNaN(c.Quantile(-0.1)) || !math.IsNaN(c.Quantile(1.1)) {
		t.Errorf("law %d: the quantiles of the ends are %v, %v and %v", i, c.Quantile(0), c.Quantile(l.atom), c.Quantile(1))
	}
	if !c.Known() || new(result.Curve).Known() {
		t.Errorf("law %d: known %v", i, c.Known())
	}
}

// TestMixCurves: the mixture of survival functions.
func TestMixCurves(t *testing.T) {
	curves, _ := fitted(tails[:3], 0.2, 1)
	probs := []float64{0.5, 0.2, 0.3}
	m := result.MixCurves(curves, probs)
	if !alike(m.Atom, 0.5*0.4+0.3*0.1) || m.Rate != 0.5 {
		t.Errorf("atom %v, decay %v", m.Atom, m.Rate)
	}
	for _, x := range []float64{0, 0.01, 1, 7} {
		want := 0.0
		for i := range probs {
			want += probs[i] * tails[i].at(x)
		}
		if got := m.Survival(x); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("P(X > %v) = %v, want %v", x, got, want)
		}
	}
}

// TestChebyshev: the coefficients of what is a polynomial, and its values.
func TestChebyshev(t *testing.T) {
	x := PanelNodes(1, 5)
	values := make([]float64, len(x))
	for i, x := range x {
		u := (x - 3) / 2
		values[i] = 7 - 2*u + 0.5*(4*u*u*u-3*u) // 7 T0 - 2 T1 + T3/2
		if !(x > 1 && x < 5) {
			t.Errorf("node %v outside the panel", x)
		}
	}
	for k, c := range Coefficients(values) {
		if want := map[int]float64{0: 7, 1: -2, 3: 0.5}[k]; !(math.Abs(c-want) <= 1e-13) {
			t.Errorf("coefficient %d is %v, want %v", k, c, want)
		}
	}
	panel := result.Curve{Edges: []float64{0, 2}, Coef: [][]float64{{0.7, -0.2, 0, 0.05}}}
	if got := panel.Survival(1.3); !(math.Abs(got-(0.7-0.06+0.05*(4*0.027-0.9))) <= 1e-14) {
		t.Errorf("the value at 0.3 is %v", got)
	}
	if got := sum(panel.Coef[0]); !(math.Abs(got-panel.Survival(math.Nextafter(2, 0))) <= 1e-14) {
		t.Errorf("the value at 1 is %v", got)
	}
}

// TestCurvesOfNoise end, though no polynomial fits.
func TestCurvesOfNoise(t *testing.T) {
	calls := 0
	curves, whole := FitCurves(func(x []float64) [][]float64 {
		calls++
		values := make([]float64, len(x))
		for i := range x {
			values[i] = 100 + float64((calls*31+i*17)%13)
		}
		return [][]float64{values}
	}, 0, []float64{0}, []float64{1}, 1, 1e-9)
	if n := len(curves[0].Coef); n != mostPanels || whole || calls > 3*mostPanels {
		t.Errorf("%d panels in %d calls", n, calls)
	}
	if e := curves[0].Edges[1]; e != 1.0/(1<<mostHalvings) {
		t.Errorf("the first panel ends at %v", e)
	}
}

// TestCurveOfNothing: a law that is always 0 has one panel, whatever the tolerance.
func TestCurveOfNothing(t *testing.T) {
	zero := func(x []float64) [][]float64 { return [][]float64{make([]float64, len(x))} }
	if c, whole := FitCurves(zero, 0, []float64{1}, []float64{1}, 2, 0); !whole || len(c[0].Coef) != 1 || c[0].Edges[1] != 2 {
		t.Errorf("panels end at %v", c[0].Edges)
	}
}
