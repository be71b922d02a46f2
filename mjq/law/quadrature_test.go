package law

import "math"

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
