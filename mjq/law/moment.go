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
