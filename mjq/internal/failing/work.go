package failing

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/mjqueue/mjq/mjq/law"
)

// node stands for work near a value, or for the limit from above of what it gives.
type node struct {
	work, weight float64
	above        bool
}

// workOf are values and weights for which Σ weight·f(work) is E f(work), for f that is smooth but
// for the multiples of a period, unless that is 0, and grows no faster than exp(growth·work). A
// law of finitely many values has them. Of others the survival function is integrated against the
// derivative of the polynomial that f is near, on parts of the line.
func workOf(l law.Law, period, growth float64) []node {
	if jumps := law.Jumps(l); len(jumps) > 0 {
		return values(l, jumps)
	}
	return workFrom(l, l.Quantile(0), period, growth)
}

// workFrom are those of a law without jumps above a value.
func workFrom(l law.Law, lo, period, growth float64) (nodes []node) {
	hi := l.Quantile(1)
	for a, i := lo, 0; a < hi && i < mostParts; i++ {
		b := min(next(a, l.Mean(), period), hi)
		nodes = part(nodes, l, a, b)
		if left := l.Survival(b); left*math.Exp(growth*b)*math.Pow(b/l.Mean(), 3) < 1e-18 && b > l.Mean() {
			break
		}
		a = b
	}
	return nodes
}

// mostParts bounds the parts of the line: what lies beyond is left out.
const mostParts = 200_000

// next is where the part from a ends: at twice the place, as far as the mean goes, and at
// multiples of the period.
func next(a, mean, period float64) float64 {
	b := a + mean/8
	if a < mean/8 {
		b = max(2*a, 0x1p-40*mean)
	}
	if a > 4*mean {
		b = a + a/32
	}
	if period > 0 {
		if end := (math.Floor(a/period*(1+1e-12)) + 1) * period; end < b*(1+1e-12) {
			return end
		}
	}
	return b
}

// values are those of a law that takes finitely many.
func values(l law.Law, at []float64) (nodes []node) {
	before := 1.0
	for _, x := range at {
		after := l.Survival(x)
		if before > after {
			nodes = append(nodes, node{x, before - after, false})
		}
		before = after
	}
	return nodes
}

// ends are Gauss' points and weights on (0, 1), and the polynomial's points.
var ends = newRule(8)

// part adds nodes for a < work <= b.
func part(nodes []node, l law.Law, a, b float64) []node {
	survival := make([]float64, len(ends.at))
	for g, x := range ends.at {
		survival[g] = l.Survival(a + x*(b-a))
	}
	first, last := l.Survival(a), l.Survival(b)
	if a == l.Quantile(0) {
		first = 1 // with the work that is exactly a
	}
	for i, x := range ends.points {
		w := 0.0
		for g := range ends.at {
			w += ends.weight[g] * ends.slope[i][g] * survival[g]
		}
		switch i {
		case 0:
			w += first
		case len(ends.points) - 1:
			w -= last
		}
		nodes = append(nodes, node{a + x*(b-a), w, i == 0})
	}
	return nodes
}

// rule integrates against the derivative of a polynomial through points.
type rule struct {
	points     []float64   // in [0, 1], both ends among them
	at, weight []float64   // of Gauss on (0, 1)
	slope      [][]float64 // by point and place of Gauss, of the polynomial that is 1 at the point and 0 at the others
}

// newRule has n points, those of Chebyshev, and as many of Gauss.
func newRule(n int) (r rule) {
	for i := range n {
		r.points = append(r.points, (1-math.Cos(math.Pi*float64(i)/float64(n-1)))/2)
	}
	r.at, r.weight = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(r.at, r.weight, 0, 1)
	for i := range n {
		slopes := make([]float64, n)
		for g, x := range r.at {
			for without := range n {
				if without == i {
					continue
				}
				term := 1 / (r.points[i] - r.points[without])
				for j := range n {
					if j != i && j != without {
						term *= (x - r.points[j]) / (r.points[i] - r.points[j])
					}
				}
				slopes[g] += term
			}
		}
		r.slope = append(r.slope, slopes)
	}
	return r
}
