package law

import (
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/integrate/quad"
)

// tabulated is the spread of any law, by numbers: the integral of the tail over
// cells between quantiles. It is immutable once made.
type tabulated struct {
	of      Law
	mean    float64   // ∫ P(X > x) dx
	edges   []float64 // ascending, from 0
	excess  []float64 // ∫ P(X > y) dy from the edge on
	tail    []float64 // P(H > edge)
	squares float64   // E[X³]/E[X], of which the variance is made
}

// Cells end at these many quantiles evenly spread, and at as many for every
// factor of two by which the tail beyond falls.
const (
	evenCells   = 128
	octaveCells = 4
)

// The nodes and weights of Gauss and Legendre on [0, 1].
var legendreNodes, legendreWeights = func() (x, w [16]float64) {
	quad.Legendre{}.FixedLocations(x[:], w[:], 0, 1)
	return x, w
}()

// cellIntegral is ∫_a^b f.
func cellIntegral(f func(x float64) float64, a, b float64) (sum float64) {
	for i, x := range legendreNodes {
		sum += legendreWeights[i] * f(a+(b-a)*x)
	}
	return sum * (b - a)
}

func newTabulated(l Law) tabulated {
	t := tabulated{of: l, edges: cellEdges(l)}
	n := len(t.edges)
	t.excess, t.tail = make([]float64, n), make([]float64, n)
	third, last, before := 0.0, 0.0, 0.0
	for i := n - 2; i >= 0; i-- {
		t.excess[i] = t.excess[i+1] + cellIntegral(l.Survival, t.edges[i], t.edges[i+1])
		part := cellIntegral(func(x float64) float64 { return 3 * x * x * l.Survival(x) }, t.edges[i], t.edges[i+1])
		third += part
		switch i {
		case n - 2:
			last = part
		case n - 2 - octaveCells:
			before = part
		}
	}
	t.mean = t.excess[0]
	t.squares = third / t.mean
	if math.IsInf(l.Quantile(1), 1) && last >= before {
		t.squares = math.Inf(1) // x³ P(X > x) does not fall
	}
	for i, x := range t.edges {
		t.tail[i] = (x*l.Survival(x) + t.excess[i]) / t.mean
	}
	return t
}

// cellEdges ends where no more than rounding is left of the integral of the
// tail.
func cellEdges(l Law) []float64 {
	edges := []float64{0}
	add := func(x float64) {
		if x > edges[len(edges)-1] && !math.IsInf(x, 1) {
			edges = append(edges, x)
		}
	}
	for i := 60; i > 7; i-- { // the tail may be steep at 0
		add(l.Quantile(math.Exp2(-float64(i))))
	}
	for i := range evenCells {
		add(l.Quantile(float64(i) / evenCells))
	}
	for i := 7 * octaveCells; i < 45*octaveCells; i++ {
		add(l.Quantile(1 - math.Exp2(-float64(i)/octaveCells)))
	}
	if end := l.Quantile(1); !math.IsInf(end, 1) {
		add(end)
		return edges
	}
	mean, x := l.Mean(), edges[len(edges)-1]
	for x*l.Survival(x) > 1e-17*mean && x < 1e250*mean {
		x *= math.Exp2(1.0 / octaveCells)
		add(x)
	}
	add(2 * x)
	return edges
}

// Validate is that of the law.
func (t tabulated) Validate() error { return t.of.Validate() }

// Mean is E[X²]/E[X] from the moments that the law states, or +Inf.
func (t tabulated) Mean() float64 {
	m := t.of.Mean()
	return t.of.Variance()/m + m
}

// Variance is E[X³]/E[X] less the squared mean, E[X³] by numbers, or +Inf.
func (t tabulated) Variance() float64 {
	m := t.Mean()
	if math.IsInf(m, 1) {
		return m
	}
	return max(0, t.squares-m*m)
}

// Survival adds the rest of the cell of x to the cells beyond.
func (t tabulated) Survival(x float64) float64 {
	last := len(t.edges) - 1
	x = max(0, x)
	if x >= t.edges[last] {
		return x * t.of.Survival(x) / t.mean // the integral is below rounding there
	}
	i := sort.SearchFloat64s(t.edges, x)
	excess := t.excess[i] + cellIntegral(t.of.Survival, x, t.edges[i])
	return min(1, (x*t.of.Survival(x)+excess)/t.mean)
}

// Quantile bisects within a cell.
func (t tabulated) Quantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 1:
		return t.of.Quantile(1)
	}
	return t.inverse(1 - p)
}

// inverse is the smallest x with P(H > x) ≤ u. Numbers are below 2^1024 and no nearer than 2^-1074, so
// that after 2098 halvings there is none between lo and hi, and hi is the smallest.
func (t tabulated) inverse(u float64) float64 {
	const mostHalves = 2098
	i := sort.Search(len(t.tail), func(i int) bool { return t.tail[i] <= u })
	if i == 0 || i == len(t.tail) {
		return t.edges[min(i, len(t.edges)-1)]
	}
	lo, hi := t.edges[i-1], t.edges[i]
	for k := 0; k < mostHalves && hi-lo > 1e-14*hi; k++ {
		if mid := lo + (hi-lo)/2; t.Survival(mid) <= u {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// Laplace is ∫ (1 - sx) exp(-sx) P(X > x) dx / E[X], by cells no longer than a
// few 1/|s|. For s < 0 it is +Inf where the law is not bounded, since whether it
// exists cannot be told.
func (t tabulated) Laplace(s float64) float64 {
	if s < 0 && math.IsInf(t.of.Quantile(1), 1) {
		return math.Inf(1)
	}
	sum := 0.0
	for i := 1; i < len(t.edges) && s*t.edges[i-1] < 50; i++ {
		a, b := t.edges[i-1], t.edges[i]
		if s > 0 {
			b = min(b, (s*a+100)/s)
		}
		parts := math.Ceil(1 + math.Abs(s)*(b-a)/2)
		for k := range int(parts) {
			sum += cellIntegral(func(x float64) float64 {
				return (1 - s*x) * math.Exp(-s*x) * t.of.Survival(x)
			}, a+(b-a)*float64(k)/parts, a+(b-a)*float64(k+1)/parts)
		}
	}
	return sum / t.mean
}

// Sample inverts the tail; one word.
func (t tabulated) Sample(rng rand.Source) float64 { return t.inverse(unit(rng)) }

// Scaled is the spread of the scaled law.
func (t tabulated) Scaled(c float64) Law { return newTabulated(t.of.Scaled(c)) }

// String is "Spread(...)".
func (t tabulated) String() string { return "Spread(" + t.of.String() + ")" }

// TailIndex is one less than that of the law this is the spread of.
func (t tabulated) TailIndex() float64 { return TailIndex(t.of) - 1 }
