package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// Pair accumulates the first and second moments of a pair of observations
// (x, y) without cancellation (Welford), and in sections what tells their skewness.
// With y = x², or its conditional expectation, it yields the mean and the
// variance of a quantity, each with an interval.
type Pair struct {
	N          int
	X, Y       float64 // means
	XX, XY, YY float64 // centred sums

	sections sections
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
	if p.sections.full(mostSections) {
		p.sections.join()
	}
	p.sections.add(x, y)
}

// Worth is what the observations of x are worth if they are means over paths and y
// those of the squares.
func (p *Pair) Worth() Worth {
	return worth(p.X, p.Y-p.X*p.X, p.XX/float64(p.N)/float64(p.N-1))
}

// influence is that of each section on E[y] + slope·E[x], centred, in the memory of list.
func (p *Pair) influence(list []float64, slope, ofY float64) []float64 {
	centre := slope*p.X + ofY*p.Y
	p.sections.each(func(row []float64) {
		list = append(list, slope*row[0]+ofY*row[1]-centre*float64(p.sections.width))
	})
	return list
}

// Mean estimates E[x].
func (p *Pair) Mean(level float64, method string) result.Estimate {
	if p.N == 0 {
		return result.Unknown()
	}
	var list [mostSections]float64 // lists of thousands of classes would be collected
	n := float64(p.N)
	variance := p.XX / (n - 1)
	half := result.StudentT(level, p.N-1) * math.Sqrt(variance/n) *
		widening(p.influence(list[:0], 1, 0), level, exponentialMean.prior(level, n, variance/(p.X*p.X)))
	return result.Estimate{Value: p.X, HalfWidth: half, Level: level, N: p.N, Method: method}
}

// Plain estimates E[x] with Student's interval.
func (p *Pair) Plain(level float64, method string) result.Estimate {
	if p.N == 0 {
		return result.Unknown()
	}
	n := float64(p.N)
	return result.Estimate{Value: p.X, HalfWidth: result.StudentT(level, p.N-1) * math.Sqrt(p.XX/(n-1)/n), Level: level, N: p.N, Method: method}
}

// Variance estimates E[y] - E[x]², which is the variance when y is x² or its
// conditional expectation. The interval is the delta method's: the influence of
// one observation is y - 2·E[x]·x.
func (p *Pair) Variance(level float64, method string) result.Estimate {
	if p.N == 0 {
		return result.Unknown()
	}
	var list [mostSections]float64
	n := float64(p.N)
	influence := (p.YY - 4*p.X*p.XY + 4*p.X*p.X*p.XX) / (n - 1)
	value := p.Y - p.X*p.X
	if p.N > 1 {
		value += p.XX / (n - 1) / n // x̄² overshoots E[x]² by its variance
	}
	half := result.StudentT(level, p.N-1) * math.Sqrt(max(0, influence)/n) *
		widening(p.influence(list[:0], -2*p.X, 1), level, exponentialVariance.prior(level, n, value/(p.X*p.X)))
	return result.Estimate{Value: value, HalfWidth: half, Level: level, N: p.N, Method: method}
}
