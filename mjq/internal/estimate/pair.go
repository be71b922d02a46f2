package estimate

import "math"

// Pair accumulates the first and second moments of a pair of observations
// (x, y) without cancellation (Welford; merging after Chan, Golub and LeVeque).
// With y = x², or its conditional expectation, it yields the mean and the
// variance of a quantity, each with an interval.
type Pair struct {
	N          int
	X, Y       float64 // means
	XX, XY, YY float64 // centred sums
}

// Add observes (x, y).
func (p *Pair) Add(x, y float64) {
	p.N++
	n := float64(p.N)
	dx, dy := x-p.X, y-p.Y
	p.X += dx / n
	p.Y += dy / n
	p.XX += dx * (x - p.X)
	p.XY += dx * (y - p.Y)
	p.YY += dy * (y - p.Y)
}

// Merge adds the observations of q.
func (p *Pair) Merge(q Pair) {
	if q.N == 0 {
		return
	}
	if p.N == 0 {
		*p = q
		return
	}
	a, b := float64(p.N), float64(q.N)
	n := a + b
	dx, dy := q.X-p.X, q.Y-p.Y
	p.XX += q.XX + dx*dx*a*b/n
	p.XY += q.XY + dx*dy*a*b/n
	p.YY += q.YY + dy*dy*a*b/n
	p.X += dx * b / n
	p.Y += dy * b / n
	p.N += q.N
}

// Mean estimates E[x].
func (p *Pair) Mean(level float64, method string) Estimate {
	if p.N == 0 {
		return Unknown()
	}
	n := float64(p.N)
	half := T(level, p.N-1) * math.Sqrt(p.XX/(n-1)/n)
	return Estimate{Value: p.X, HalfWidth: half, Level: level, N: p.N, Method: method}
}

// Variance estimates E[y] - E[x]², which is the variance when y is x² or its
// conditional expectation. The interval is the delta method's: the influence of
// one observation is y - 2·E[x]·x.
func (p *Pair) Variance(level float64, method string) Estimate {
	if p.N == 0 {
		return Unknown()
	}
	n := float64(p.N)
	influence := (p.YY - 4*p.X*p.XY + 4*p.X*p.X*p.XX) / (n - 1)
	value := p.Y - p.X*p.X
	if p.N > 1 {
		value += p.XX / (n - 1) / n // x̄² overshoots E[x]² by its variance
	}
	half := T(level, p.N-1) * math.Sqrt(max(0, influence)/n)
	return Estimate{Value: value, HalfWidth: half, Level: level, N: p.N, Method: method}
}
