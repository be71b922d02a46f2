package law

import (
	"math"
	"testing"
)

// The tests integrate by rules of their own, so that an error of the package's
// quadrature cannot hide.

// segment is the tanh-sinh integral of f over [a, b].
func segment(f func(float64) float64, a, b float64) float64 {
	half := (b - a) / 2
	term := func(t float64) float64 {
		u := math.Pi / 2 * math.Sinh(t)
		// Distance to the nearer end, kept accurate there.
		d := half * 2 / (1 + math.Exp(2*math.Abs(u)))
		x := a + d
		if u > 0 {
			x = b - d
		}
		c := math.Cosh(u)
		return f(x) * half * math.Pi / 2 * math.Cosh(t) / (c * c)
	}
	return trapezium(term, 3.8)
}

// halfLine is the exp-sinh integral of f over [0, ∞), whose bulk lies around
// the given scale.
func halfLine(f func(float64) float64, scale float64) float64 {
	term := func(t float64) float64 {
		x := math.Exp(math.Pi / 2 * math.Sinh(t))
		v := f(scale * x)
		if v == 0 {
			return 0
		}
		return v * scale * x * math.Pi / 2 * math.Cosh(t)
	}
	return trapezium(term, 6)
}

// trapezium sums term over [-reach, reach], halving the step until it settles.
func trapezium(term func(float64) float64, reach float64) float64 {
	h := 0.25
	sum := 0.0
	for t := -reach; t <= reach; t += h {
		sum += finite(term(t))
	}
	last := math.Inf(1)
	for range 8 {
		if now := sum * h; math.Abs(now-last) <= 1e-13*math.Abs(now) {
			return now
		}
		last = sum * h
		for t := -reach + h/2; t <= reach; t += h {
			sum += finite(term(t))
		}
		h /= 2
	}
	return sum * h
}

// finite drops the ends where the substitution overflows and the integrand is 0.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// TestExpIntegral finds peaks far away, broad and narrow: of the normal density,
// of one that falls on one side like an exponential and on the other like the
// exponential of one, and of one that has no end.
func TestExpIntegral(t *testing.T) {
	for _, c := range []struct{ centre, width, height float64 }{
		{0, 1, 0}, {0.3, 0.01, 5}, {7, 1, -800}, {-7, 1, 900}, {5000, 3, 0}, {-5000, 3, 1}, {-120.7, 0.05, 2}, {333.3, 0.02, 2}, {12, 4000, 0}, {-900, 700, 0}, {1e5, 10, 0},
	} {
		g := func(u float64) float64 { return c.height - (u-c.centre)*(u-c.centre)/(2*c.width*c.width) }
		if at := peak(g); g(at) < c.height-2 {
			t.Errorf("%+v: the peak is sought at %v, where %v are missing", c, at, c.height-g(at))
		}
		height, area := expIntegral(g)
		if got, want := height+math.Log(area), c.height+math.Log(c.width*math.Sqrt(2*math.Pi)); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("%+v: logarithm %v, want %v", c, got, want)
		}
	}
	for _, c := range []struct{ shape, shift float64 }{{1, 0}, {3, 40}, {0.2, -30}, {50, 2}, {0.01, 0}, {400, -3}} {
		// ∫ exp(k(t-c) - e^(t-c)) dt = Γ(k), and its mirror image.
		want, _ := math.Lgamma(c.shape)
		for _, side := range []float64{1, -1} {
			g := func(u float64) float64 {
				u = side*u - c.shift
				return c.shape*u - math.Exp(u)
			}
			if at, most := peak(g), c.shape*math.Log(c.shape)-c.shape; g(at) < most-2 {
				t.Errorf("%+v, side %v: the peak is sought at %v, where %v are missing", c, side, at, most-g(at))
			}
			height, area := expIntegral(g)
			if got := height + math.Log(area); !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("%+v, side %v: logarithm %v, want %v", c, side, got, want)
			}
		}
	}
	if height, area := expIntegral(func(float64) float64 { return math.Inf(1) }); !math.IsInf(height, 1) || area != 1 {
		t.Errorf("what is infinite is %v and %v", height, area)
	}
}

// TestUnsettled: sums that do not end, or never agree, are no number.
func TestUnsettled(t *testing.T) {
	if _, area := expIntegral(func(float64) float64 { return 0 }); !math.IsNaN(area) {
		t.Errorf("an integrand that never falls has the integral %v", area)
	}
	sign := 1.0
	if sum := halveUntilStable(func(float64) float64 { sign = -sign; return sign }); !math.IsNaN(sum) {
		t.Errorf("sums that change their sign settle at %v", sum)
	}
}

// TestTabulatedInverse: the smallest numbers are found, where a hundred decades are halved.
func TestTabulatedInverse(t *testing.T) {
	x := tabulated{of: Exponential{M: 1}, edges: []float64{0, 1e300}, tail: []float64{1, 0}, excess: []float64{1, 0}, mean: 1}
	for _, u := range []float64{0, 0.5, 1 - 1e-12, math.Nextafter(1, 0), 1} {
		if got := x.inverse(u); !(x.Survival(got) <= u) || got > 0 && u < 1 && x.Survival(got*(1-1e-9)) <= u && got > 1e-300 && u > 0 {
			t.Errorf("P(H > x) ≤ %v from %v on: %v", u, got, x.Survival(got))
		}
	}
}

// TestUnitIntegral: powers at either end, each by its distance to that end, and
// a layer of no width at one.
func TestUnitIntegral(t *testing.T) {
	for _, c := range []struct {
		f    func(w, v float64) float64
		want float64
	}{
		{func(w, v float64) float64 { return 1 }, 1},
		{func(w, v float64) float64 { return w }, 0.5},
		{func(w, v float64) float64 { return v * v }, 1.0 / 3},
		{func(w, v float64) float64 { return 1 / math.Sqrt(w) }, 2},
		{func(w, v float64) float64 { return w / math.Sqrt(v) }, 4.0 / 3},
		{func(w, v float64) float64 { return 1e9 * math.Exp(-1e9*w) }, 1},
		{func(w, v float64) float64 { return 1e9 * math.Exp(-1e9*v) }, 1},
		{func(w, v float64) float64 { return w + v }, 1},
	} {
		if got := unitIntegral(c.f); !close(got, c.want, 1e-9) {
			t.Errorf("the integral is %v, want %v", got, c.want)
		}
	}
}

// TestIncreasingRoot finds roots near and far in few steps: halving alone would
// take fifty.
func TestIncreasingRoot(t *testing.T) {
	for _, c := range []struct {
		f    func(u float64) float64
		want float64
		most int
	}{
		{func(u float64) float64 { return math.Exp(u) - 3 }, math.Log(3), 15},
		{func(u float64) float64 { return 2 * (u - 0.4) }, 0.4, 6},
		{func(u float64) float64 { return math.Tanh(u + 0.7) }, -0.7, 18},
		{func(u float64) float64 { return u*u*u - 8 }, 2, 7},
		{func(u float64) float64 { return math.Exp(u/100) - math.Exp(3) }, 300, 21},
		{func(u float64) float64 { return u + 250 }, -250, 14},
		{func(u float64) float64 { return 1 - math.Exp(-u-40) }, -40, 22},
		{func(u float64) float64 { return max(-1, math.Log(max(0, u-5))) }, 6, 9}, // flat, then steep
		{func(u float64) float64 { return math.Log(max(0, u-5)) }, 6, 8},          // -∞ up to 5
	} {
		calls := 0
		got := increasingRoot(func(u float64) float64 { calls++; return c.f(u) })
		if !(math.Abs(got-c.want) <= 1e-13*max(1, math.Abs(c.want))) || calls > c.most {
			t.Errorf("root %v after %d calls, want %v after at most %d", got, calls, c.want, c.most)
		}
	}
	if lo, hi := bracket(func(u float64) float64 { return u - 1000 }); !(lo < 1000 && hi >= 1000) {
		t.Errorf("the bracket of 1000 is %v and %v", lo, hi)
	}
	if lo, hi := bracket(func(u float64) float64 { return u + 1 }); !(lo < -1 && hi >= -1) {
		t.Errorf("the bracket of -1 is %v and %v", lo, hi)
	}
	if lo, hi := bracket(func(u float64) float64 { return -1 }); hi < 1500 || lo > hi {
		t.Errorf("where there is no root the bracket is %v and %v", lo, hi)
	}
	if lo, hi := bracket(func(u float64) float64 { return 1 }); lo > -1500 || lo > hi {
		t.Errorf("where there is no root the bracket is %v and %v", lo, hi)
	}
}
