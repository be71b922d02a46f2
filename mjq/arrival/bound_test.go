package arrival

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestPastBound: it is ln of the transform for independent gaps, the root of a
// quadratic for two phases, and it bounds what powers of the kernel give.
func TestPastBound(t *testing.T) {
	for _, theta := range []float64{0, 0.1, 1, 30} {
		logGap, slack, ok := PastBound(erlang, theta)
		if !ok || slack != 0 {
			t.Errorf("Erlang gaps at %v: slack %v, %v", theta, slack, ok)
		}
		near(t, "the bound of Erlang gaps", logGap, -3*math.Log1p(theta*2/3), 1e-13)

		// (theta I - D0)^-1 D1 of bursty, by hand: D0 = [-0.5 0.2; 0.3 -1.5].
		a, b := theta+0.5, theta+1.5
		det := a*b - 0.06
		trace, product := (0.3*b+1.2*a)/det, 0.36/det
		want := math.Log(trace/2 + math.Sqrt(trace*trace/4-product))
		logGap, slack, ok = PastBound(bursty, theta)
		near(t, "the bound of bursts", logGap, want, 1e-13)
		if !ok || theta > 0 && !(slack > 0) || theta == 0 && slack > 1e-13 {
			t.Errorf("bursts at %v: slack %v, %v", theta, slack, ok)
		}
	}
	for _, p := range all() {
		logGap, slack, ok := PastBound(p, 0.3)
		if !ok {
			t.Errorf("%v has no bound", p)
			continue
		}
		c := p.Chain()
		if c.Clock != nil {
			continue
		}
		k := c.kernel(0.3)
		x := mat.NewVecDense(len(c.Start), nil)
		for i := range c.Start {
			x.SetVec(i, 1)
		}
		for n := 1; n <= 40; n++ {
			x.MulVec(k, x)
			most, mean := math.Log(mat.Max(x)), math.Log(mat.Dot(mat.NewVecDense(len(c.Start), c.Start), x))
			if mean > slack+float64(n)*logGap+1e-12 {
				t.Errorf("%v: the transform of %d gaps is exp(%v), above the bound exp(%v)", p, n, mean, slack+float64(n)*logGap)
			}
			if n == 40 && most < float64(n)*logGap-1e-9 {
				t.Errorf("%v: the bound is not sharp: %v, %v", p, most, float64(n)*logGap)
			}
		}
	}
	if logGap, _, _ := PastBound(Profile{Period: 1, Rates: []float64{1, 3}}, 2); math.Abs(logGap-math.Log(3./5)) > 1e-14 {
		t.Errorf("a profile has the bound %v", logGap)
	}
	if _, _, ok := PastBound(bursty, -1); ok {
		t.Error("a negative theta")
	}
}
