package levels

import "math"

// errors bounds, in practice, how far the mean level is off, relative to it: what the
// levels up to the top contribute and what the tail does. An imbalance r of level n,
// which after balance sums to 0, moves the mean by r h, h being the solution of Poisson's
// equation; that is at most half of |r| times the spread of h over the states of the
// level. The slope of h from level to level follows from the chain of the levels alone,
//
//	w_n = Σ_{k>n} (k - E[N]) P(N = k) / (flow from n to n+1),
//
// and its spread is taken as span times that.
func (t *iteration) errors(span float64) (inner, tail float64) {
	mean, x := t.mean(), t.at[t.top]
	m, far := total(x), 1/(1-t.eta)
	above := m * t.eta * far * (float64(t.top) + far - mean)
	slope := func(n int) float64 { return span * math.Abs(above) / dot(t.at[n], t.c.Climb(t.kind(n))) }
	// Beyond the top, imbalances fall by eta and slopes rise by a constant.
	rise := span * far * m / dot(x, t.c.Climb(t.kind(t.top)))
	tail = t.defect() * far * (slope(t.top) + rise*far)
	for n := t.top; n >= 0 && t.ctx.Err() == nil; n-- {
		y := t.inflow(n)
		t.c.Inside(t.kind(n), t.at[n], y)
		if n < t.top {
			above += (float64(n+1) - mean) * total(t.at[n+1])
		}
		inner += slope(n) * absolute(y)
	}
	return inner / mean, tail / mean
}

// defect is the imbalance of the first level beyond the top.
func (t *iteration) defect() float64 {
	last, x := t.kind(t.top), t.at[t.top]
	y := t.in[:len(x)]
	clear(y)
	t.c.Down(last, x, y)
	scale(y, t.eta)
	t.c.Inside(last, x, y)
	scale(y, t.eta)
	t.c.Up(last, x, y)
	return absolute(y)
}

// mean is the mean level.
func (t *iteration) mean() (m float64) {
	for n, x := range t.at {
		m += float64(n) * total(x)
	}
	far := 1 / (1 - t.eta)
	return m + total(t.at[t.top])*t.eta*far*(float64(t.top)+far)
}

func absolute(a []float64) (sum float64) {
	for _, v := range a {
		sum += math.Abs(v)
	}
	return sum
}
