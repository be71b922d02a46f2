package law

import "math"

// Momenter is implemented by laws that have a formula for [Moment].
type Momenter interface {
	// Moment is E[X^k]. It is called for k ≥ 1 below the tail index only.
	Moment(k int) float64
}

// mostSolved is the most phases whose moments are solved for: the matrix is dense.
const mostSolved = 200

// Moment is E[X^k] for k ≥ 1: +Inf from the tail index on. Laws that are [Momenter]s and
// phase-type laws of up to 200 phases have it in closed form. For all others Survival is
// integrated, to about 1e-9 where it is smooth; that costs some thousand values of it.
func Moment(l Law, k int) float64 {
	if k == 1 {
		return l.Mean()
	}
	if float64(k) >= TailIndex(l) {
		return math.Inf(1)
	}
	if m, ok := ask[Momenter](l); ok {
		return m.Moment(k)
	}
	if n, ok := PhaseCount(l); ok && n <= mostSolved {
		alpha, A, _ := Phases(l)
		return PH{alpha, A}.Moment(k)
	}
	return integratedMoment(l, k)
}

// integratedMoment is k ∫ u^(k-1) P(X > u) du: by octaves up from the lower bound, or from
// the mean where that bound is 0, and then down from there too.
func integratedMoment(l Law, k int) (sum float64) {
	power, start, hi := float64(k), l.Quantile(0), l.Quantile(1)
	density := func(u float64) float64 { return power * math.Pow(u, power-1) * l.Survival(u) }
	sum = math.Pow(start, power)
	if start == 0 {
		start = l.Mean()
		for b := start; b > 0x1p-200*start; b /= 2 {
			part := octave(density, b/2, b)
			sum += part
			if part <= 1e-15*sum {
				break
			}
		}
	}
	for from := start; from < min(hi, math.MaxFloat64/4); from *= 2 {
		part := octave(density, from, min(hi, 2*from))
		sum += part
		if part <= 1e-13*sum && from > l.Mean() {
			break
		}
	}
	return sum
}

// Moment is k! α(-A)^-k 1.
func (l PH) Moment(k int) float64 {
	x := ones(len(l.Alpha))
	for i := range k {
		x, _ = l.solve(0, x)
		for j := range x {
			x[j] *= float64(i + 1)
		}
	}
	return dot(l.Alpha, x)
}

// Moment is M^k (1 + 1/K)···(1 + (k-1)/K).
func (l Erlang) Moment(k int) float64 {
	product := 1.0
	for i := range k {
		product *= l.Mean() * (1 + float64(i)/float64(l.K))
	}
	return product
}

// Moment is X^k.
func (l Deterministic) Moment(k int) float64 { return math.Pow(l.X, float64(k)) }

// Moment is the mean of the k-th powers.
func (l Empirical) Moment(k int) (sum float64) {
	for _, x := range l.Values {
		sum += math.Pow(x, float64(k)) / float64(len(l.Values))
	}
	return sum
}

// Moment is M^k (1 + CV2)^(k(k-1)/2).
func (l LogNormal) Moment(k int) float64 {
	n := float64(k)
	return math.Pow(l.M, n) * math.Exp(n*(n-1)/2*math.Log1p(l.CV2))
}

// Moment is M^k Γ(1+k/Shape)/Γ(1+1/Shape)^k.
func (l Weibull) Moment(k int) float64 {
	one, _ := math.Lgamma(1 + 1/l.Shape)
	all, _ := math.Lgamma(1 + float64(k)/l.Shape)
	return math.Pow(l.M, float64(k)) * math.Exp(all-float64(k)*one)
}

// Moment is the mean of Lo^i Hi^(k-i) over i from 0 to k.
func (l Uniform) Moment(k int) (sum float64) {
	for i := range k + 1 {
		sum += math.Pow(l.Lo, float64(i)) * math.Pow(l.Hi, float64(k-i)) / float64(k+1)
	}
	return sum
}

// Moment is k! Scale^k / ((Shape-1)···(Shape-k)).
func (l Lomax) Moment(k int) float64 {
	product := 1.0
	for i := 1; i <= k; i++ {
		product *= float64(i) * l.Scale / (l.Shape - float64(i))
	}
	return product
}

// Moment is an integral of powers.
func (l BoundedPareto) Moment(k int) float64 { return l.moment(float64(k)) }
