package chain

import (
	"math"
	"slices"
)

// errors finds the mean level, and bounds, in practice, how far it is off, relative to
// it: what the levels up to the top contribute and what the tail does. An imbalance r of
// level n, which after balance sums to 0, moves the mean by r h, h being the solution of
// Poisson's equation; that is at most half of |r| times the spread of h over the states
// of the level. The slope of h from level to level follows from the chain of the levels
// alone,
//
//	w_n = Σ_{k>n} (k - E[N]) P(N = k) / (flow from n to n+1),
//
// and its spread is taken as span times that.
func (t *iteration) errors(span float64) (mean, inner, tail float64) {
	beyond, falls := t.beyond()
	sum, moment := 0.0, 0.0
	for n, x := range t.at {
		m := total(x)
		sum += m
		moment += float64(n) * m
	}
	for j, m := range beyond {
		sum += m
		moment += float64(t.top+1+j) * m
	}
	mean = moment / sum
	above := make([]float64, len(beyond)+1) // Σ_{k>top+j} (k - mean) P(N = k)
	for j := len(beyond) - 1; j >= 0; j-- {
		above[j] = above[j+1] + (float64(t.top+1+j)-mean)*beyond[j]
	}
	tail = math.Inf(1)
	if falls {
		tail = t.outer(span, above) / moment
	}
	return mean, t.inner(span, mean, above[0]) / moment, tail
}

// inner is the part of the levels, above being Σ_{k>top} (k - mean) P(N = k).
func (t *iteration) inner(span, mean, above float64) (inner float64) {
	for n := t.top; n >= 0 && t.ctx.Err() == nil; n-- {
		y := t.inflow(n)
		t.c.Inside(t.level(n), t.at[n], y)
		if n < t.top {
			above += (float64(n+1) - mean) * total(t.at[n+1])
		}
		inner += span * math.Abs(above) / dot(t.at[n], t.c.Climb(t.level(n))) * absolute(y)
	}
	return inner
}

// outer is the part of the tail. Some of its levels are written out; between two of them
// the larger part counts. Flows up and down that differ move the mean by the slope.
func (t *iteration) outer(span float64, above []float64) (sum float64) {
	last, x := t.c.Last(), t.at[t.top]
	lo, mid, hi, y := slices.Clone(x), make([]float64, len(x)), make([]float64, len(x)), t.in[:len(x)]
	below := t.tail.coefficients(x)
	here := t.tail.next(below)
	was, at, j := 0.0, 0, 1
	for _, to := range samples(len(above) - 1) {
		for ; j < to; j++ {
			below, here = here, t.tail.next(here)
		}
		if j > 1 {
			t.tail.combine(below, lo)
		}
		t.tail.combine(here, mid)
		t.tail.combine(t.tail.next(here), hi)
		clear(y)
		t.c.Up(last, lo, y)
		t.c.Inside(last, mid, y)
		t.c.Down(last, hi, y)
		climb := dot(mid, t.c.Climb(last))
		part := (span*absolute(y) + math.Abs(climb-dot(hi, t.c.Fall(last)))) * math.Abs(above[j]/climb)
		sum += float64(j-at) * max(part, was)
		was, at = part, j
	}
	return sum
}

// samples are numbers from 1 to below most, ever farther apart.
func samples(most int) (out []int) {
	for v := 1.0; int(v) < most; v = max(v+1, 1.3*v) {
		out = append(out, int(v))
	}
	return out
}

// beyond is the probabilities of the levels above the top until they no longer matter;
// false if there are too many.
func (t *iteration) beyond() (out []float64, falls bool) {
	sums, z := t.tail.sums(), t.tail.coefficients(t.at[t.top])
	for m := math.Inf(1); math.Abs(m) > 1e-16*total(t.at[t.top]); {
		if len(out) == mostBeyond || len(out)%4096 == 0 && t.ctx.Err() != nil {
			return out, false
		}
		z = t.tail.next(z)
		m = dot(z, sums)
		out = append(out, m)
	}
	return out, true
}

// mostBeyond is how many levels above the top are counted: enough for a load of 0.99996.
const mostBeyond = 1 << 20

func absolute(a []float64) (sum float64) {
	for _, v := range a {
		sum += math.Abs(v)
	}
	return sum
}
