package law

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
)

// boundedPower has density proportional to x^(Power-1) on [Lo, Hi]: the spread
// of the uniform law (Power 2) and of the bounded Pareto law (Power 1-Shape, of
// either sign). Lo > 0 unless Power > 0.
type boundedPower struct{ Lo, Hi, Power float64 }

// Validate wants ordered finite bounds.
func (l boundedPower) Validate() error {
	f := check.Faults{Of: l}
	f.That(l.Lo >= 0 && l.Hi > l.Lo && !math.IsInf(l.Hi, 1), "the bounds %v and %v are not ordered and finite; fix the law that this is the spread of", l.Lo, l.Hi)
	return f.Err("")
}

// between is ∫_a^b x^(e-1) dx / Hi^e, 0 ≤ a ≤ b ≤ Hi.
func (l boundedPower) between(a, b, e float64) float64 {
	switch {
	case a == b:
		return 0
	case e == 0:
		return math.Log(b / a)
	case a == 0:
		return math.Pow(b/l.Hi, e) / e
	}
	return math.Pow(b/l.Hi, e) * -math.Expm1(e*math.Log(a/b)) / e
}

// moment is E[X^k].
func (l boundedPower) moment(k float64) float64 {
	return math.Pow(l.Hi, k) * l.between(l.Lo, l.Hi, l.Power+k) / l.between(l.Lo, l.Hi, l.Power)
}

// Mean is the first moment, in closed form.
func (l boundedPower) Mean() float64 { return l.moment(1) }

// Variance is the second moment less the squared mean.
func (l boundedPower) Variance() float64 {
	m := l.moment(1)
	return max(0, l.moment(2)-m*m)
}

// Survival is the part of the integral of the density above x.
func (l boundedPower) Survival(x float64) float64 {
	return l.between(min(max(x, l.Lo), l.Hi), l.Hi, l.Power) / l.between(l.Lo, l.Hi, l.Power)
}

// Quantile is the closed inverse.
func (l boundedPower) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.inverse(1-p, p)
}

// inverse is the x with the given tail above it, and the mass below it.
func (l boundedPower) inverse(tail, below float64) float64 {
	var x float64
	switch {
	case l.Power == 0:
		x = l.Hi * math.Exp(tail*math.Log(l.Lo/l.Hi))
	case l.Lo == 0:
		x = l.Hi * math.Pow(below, 1/l.Power)
	default: // x^Power mixes those of the bounds
		ratio := math.Log(l.Lo / l.Hi)
		x = l.Hi * math.Exp(math.Log1p(tail*math.Expm1(l.Power*ratio))/l.Power)
	}
	return min(max(x, l.Lo), l.Hi)
}

// Laplace integrates over the quantiles, to 1e-10; where next to nothing comes from the
// upper end, over t = ln(x - Lo), which takes as long for any s.
func (l boundedPower) Laplace(s float64) float64 {
	switch {
	case s == 0:
		return 1
	case s*(l.Hi-l.Lo) > 100:
		lo := math.Log(l.Lo / l.Hi)
		height, area := expIntegral(func(t float64) float64 { // e^t is (x - Lo)/Hi
			x := max(t, lo) + math.Log1p(math.Exp(-math.Abs(t-lo)))
			return t + (l.Power-1)*x - s*l.Hi*math.Exp(t)
		})
		return math.Exp(height-s*l.Lo) * area / l.between(l.Lo, l.Hi, l.Power)
	}
	return unitIntegral(func(below, tail float64) float64 { return math.Exp(-s * l.inverse(tail, below)) })
}

// Sample inverts the tail; one word.
func (l boundedPower) Sample(rng rand.Source) float64 {
	u := unit(rng)
	return l.inverse(u, 1-u)
}

// Scaled scales both bounds.
func (l boundedPower) Scaled(c float64) Law { return boundedPower{c * l.Lo, c * l.Hi, l.Power} }

// String names the law that this is the spread of.
func (l boundedPower) String() string {
	if l.Power == 2 {
		return fmt.Sprintf("Spread(Uniform(%v, %v))", l.Lo, l.Hi)
	}
	return fmt.Sprintf("Spread(BoundedPareto(%v, %v, %v))", l.Lo, l.Hi, 1-l.Power)
}

// Form is "BoundedPower" of lo, hi and power.
func (l boundedPower) Form() Form {
	return Form{"BoundedPower", []Parameter{{"lo", l.Lo}, {"hi", l.Hi}, {"power", l.Power}}}
}

func init() {
	register(boundedPower{}.Form(), func(f Form) Law { return boundedPower{f.Float("lo"), f.Float("hi"), f.Float("power")} })
}
