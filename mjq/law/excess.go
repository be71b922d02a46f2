package law

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Excess is E[(X-x)⁺] = ∫ P(X > u) du over u > x, the part of the mean that lies
// above x: the stop-loss of actuaries. It is Mean() - x for x <= 0, falls to 0 and
// is +Inf for every x when the mean is infinite. Laws of this package have closed
// forms, good to about 1e-13 of the mean, but for the spreads of Weibull and
// Lomax laws and of bounded ones. For those and all others Survival is integrated,
// to about 1e-9 of the mean where it is smooth and about 1e-3 where it jumps; a
// thousand to some ten thousand values of it are then the cost.
func Excess(l Law, x float64) float64 {
	mean := l.Mean()
	if x <= 0 || math.IsInf(mean, 1) {
		return mean - x
	}
	if closed, ok := l.(interface{ excess(x float64) float64 }); ok {
		return max(0, closed.excess(x))
	}
	lo, hi := l.Quantile(0), l.Quantile(1)
	switch {
	case x <= lo:
		return mean - x
	case x >= hi:
		return 0
	}
	// The two sides of x sum to the mean; the lower one loses all digits where
	// little is left above.
	if rest := mean - lo - upwards(l, lo, x); rest > 1e-4*mean {
		return rest
	}
	sum := 0.0
	for from := x; from < min(hi, math.MaxFloat64/4); from *= 2 {
		part := octave(l, from, min(hi, 2*from))
		sum += part
		if part <= 1e-13*sum {
			break
		}
	}
	return sum
}

// upwards is ∫ P(X > u) du over lo < u < x, by halves towards lo.
func upwards(l Law, lo, x float64) (sum float64) {
	for width := x - lo; width > 0x1p-60*x; width /= 2 {
		sum += octave(l, lo+width/2, lo+width)
	}
	return sum
}

// octave is ∫ P(X > u) du over lo < u < hi: the rule of Gauss with five points on
// each of eight parts.
func octave(l Law, lo, hi float64) (sum float64) {
	const parts = 8
	at := [5]float64{-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640}
	weight := [5]float64{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891}
	half := (hi - lo) / (2 * parts)
	for i := range parts {
		mid := lo + float64(2*i+1)*half
		for k, a := range at {
			sum += weight[k] * half * l.Survival(mid+half*a)
		}
	}
	return sum
}

func (l Exponential) excess(x float64) float64 { return l.M * math.Exp(-x/l.M) }

func (l HyperExponential) excess(x float64) float64 {
	return l.P*Exponential{l.M1}.excess(x) + (1-l.P)*Exponential{l.M2}.excess(x)
}

// excess follows from x·f_K(x) = K·f_{K+1}(x)/rate, f_K being the Erlang density.
func (l Erlang) excess(x float64) float64 {
	k := float64(l.K)
	y := x * k / l.M
	return l.M*mathext.GammaIncRegComp(k+1, y) - x*mathext.GammaIncRegComp(k, y)
}

func (l Coxian2) excess(x float64) float64 { return PhaseType(l.phases()).excess(x) }

// excess is α exp(Ax) (-A)^-1 1.
func (l PH) excess(x float64) (sum float64) {
	left, _ := l.solve(0, ones(len(l.Alpha)))
	now := l.after(x)
	for i, p := range l.Alpha {
		sum += p * dot(now[i][:len(left)], left)
	}
	return sum
}

func (l BoundedPareto) excess(x float64) float64 {
	switch {
	case x <= l.Lo:
		return l.Mean() - x
	case x >= l.Hi:
		return 0
	}
	ratio, e := math.Log(l.Hi/x), 1-l.Shape
	integral := ratio // ∫_1^{Hi/x} y^-Shape dy
	if e != 0 {
		integral = math.Expm1(e*ratio) / e
	}
	end := math.Exp(-l.Shape * math.Log(l.Hi/l.Lo))
	return (math.Exp(-l.Shape*math.Log(x/l.Lo))*x*integral - end*(l.Hi-x)) / -math.Expm1(-l.Shape*math.Log(l.Hi/l.Lo))
}

func (l Lomax) excess(x float64) float64 {
	return l.Mean() * math.Exp((1-l.Shape)*math.Log1p(x/l.Scale))
}

// excess is an incomplete gamma function; logarithms keep the scale of small
// shapes from underflow.
func (l Weibull) excess(x float64) float64 {
	gamma, _ := math.Lgamma(1 + 1/l.Shape)
	return l.M * mathext.GammaIncRegComp(1/l.Shape, math.Exp(l.Shape*(math.Log(x/l.M)+gamma)))
}

func (l LogNormal) excess(x float64) float64 {
	mu, sigma := l.normal()
	z := (mu - math.Log(x)) / sigma
	return l.M*distuv.UnitNormal.CDF(z+sigma) - x*distuv.UnitNormal.CDF(z)
}

func (l Deterministic) excess(x float64) float64 { return l.X - x }

func (l Uniform) excess(x float64) float64 {
	switch {
	case x <= l.Lo:
		return l.Mean() - x
	case x >= l.Hi:
		return 0
	}
	return (l.Hi - x) * (l.Hi - x) / (2 * (l.Hi - l.Lo))
}

func (l Empirical) excess(x float64) (sum float64) {
	for _, v := range l.Values[sort.SearchFloat64s(l.Values, x):] {
		sum += v - x
	}
	return sum / float64(len(l.Values))
}

func (w weighed) excess(x float64) (sum float64) {
	for i := sort.SearchFloat64s(w.values, x); i < len(w.values); i++ {
		p := w.upTo[i]
		if i > 0 {
			p -= w.upTo[i-1]
		}
		sum += p * (w.values[i] - x)
	}
	return sum
}
