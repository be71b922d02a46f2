package special

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mathext"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
)

// ParetoStream is a Poisson stream of jobs whose services have the Pareto law of
// type II, law.Lomax: P(S > x) = (1 + x/Scale)^-Shape.
type ParetoStream struct{ Rate, Shape, Scale float64 }

// load is ρ = λ E[S].
func (p ParetoStream) load() float64 { return p.Rate * p.Scale / (p.Shape - 1) }

// MPareto1 is the M/G/1 queue, first come first served, fed by streams with Pareto
// services: equation (15) of Golovin's paper, due to Ramsay (Queueing Systems 57,
// 2007), for one stream, whole shapes and others alike, and its extension to mixtures.
// It is the queue that bounds a multiserver-job queue in which every job takes all
// servers. The waiting time is a mixture of exponentials, P(W > x) = ∫ g(s) exp(-sx) ds
// with
//
//	g(s) = (1-ρ)/π · Im(s) / (s ((1 - Re(s))² + Im(s)²)),
//
// Re(s) + i Im(s) = Σ ρ_k (R + i I)(Scale_k s, Shape_k - 1), from the jump of the
// transform of the excess services across the negative axis.
//
// At least one stream is needed, positive finite rates and scales, shapes above 1 and at
// most 100, and a load below 1; otherwise Err says all that is wrong and every number is
// NaN. The first tail takes some ten milliseconds.
//
//	special.MPareto1{{Rate: 2.25, Shape: 3.5, Scale: 1}}.Waiting(100)
type MPareto1 []ParetoStream

// mixture is the law of the waiting time.
type mixture struct {
	MPareto1
	load   float64
	phases []phase
}

var mixtures = kept[MPareto1, *mixture]{same: slices.Equal[MPareto1], solve: func(q MPareto1) *mixture {
	m := &mixture{MPareto1: q, load: q.sum()}
	m.integrate()
	return m
}}

// sum is the load of all streams.
func (q MPareto1) sum() (load float64) {
	for _, p := range q {
		load += p.load()
	}
	return load
}

// Err is nil, or says everything that is wrong with the streams, a load of 1 or more
// included.
func (q MPareto1) Err() error {
	var f check.Faults
	f.That(len(q) > 0, "there is no stream of jobs; give at least one")
	for i, p := range q {
		f.That(p.Rate > 0 && !math.IsInf(p.Rate, 1), "stream %d: the rate is %v; give a positive finite number", i+1, p.Rate)
		f.That(p.Scale > 0 && !math.IsInf(p.Scale, 1), "stream %d: the scale is %v; give a positive finite number", i+1, p.Scale)
		f.That(p.Shape > 1 && p.Shape <= 100, "stream %d: the shape is %v; give one above 1, for a finite mean, and at most 100", i+1, p.Shape)
	}
	if len(f.List()) == 0 {
		f.That(q.sum() < 1, "the load is %v; lower the rates until it is below 1", q.sum())
	}
	return f.Err("MPareto1")
}

// Load is ρ.
func (q MPareto1) Load() float64 {
	if q.Err() != nil {
		return math.NaN()
	}
	return q.sum()
}

// Model is the queue as a model, with a class a stream: "1", "2", ...
func (q MPareto1) Model() mjq.Model {
	rate := 0.0
	for _, p := range q {
		rate += p.Rate
	}
	m := mjq.Servers(1).Poisson(rate)
	for i, p := range q {
		m = m.Class(strconv.Itoa(i+1), 1, p.Rate/rate, law.Lomax{Shape: p.Shape, Scale: p.Scale})
	}
	return m
}

// MeanWaiting is Pollaczek and Khinchine's λ E[S²]/(2(1-ρ)); +Inf for a shape of
// at most 2.
func (q MPareto1) MeanWaiting() float64 {
	if q.Err() != nil {
		return math.NaN()
	}
	sum := 0.0
	for _, p := range q {
		if p.Shape <= 2 {
			return math.Inf(1)
		}
		sum += p.load() * p.Scale / (p.Shape - 2)
	}
	return sum / (1 - q.sum())
}

// Waiting is P(W > x), to about 1e-11 of itself however far in the tail; less for
// loads above 0.999 and for shapes below 1.06; 1 for x < 0. Cost: some thousand
// exponentials, ten microseconds.
func (q MPareto1) Waiting(x float64) float64 {
	switch {
	case q.Err() != nil:
		return math.NaN()
	case x < 0:
		return 1
	}
	sum := 0.0
	for _, p := range mixtures.of(slices.Clone(q)).phases {
		sum += p.weight * math.Exp(-p.rate*x)
	}
	return sum
}

// phase is one exponential of the mixture.
type phase struct{ rate, weight float64 }

// integrate makes the integral over s a sum by the trapezoidal rule, with a step
// at which the weights add up to P(W > 0) = ρ. In ln s the density is smooth but
// for one peak that can be narrow, of half-width w about c; so does v in
//
//	ln s = c + ln(1 + w e^v) - ln(1 + w e^-v),
//
// which is 2w sinh v near the peak and v ± ln w far away.
func (q *mixture) integrate() {
	c, w := q.peak()
	deep := 100.0
	short := math.Inf(1)
	for _, p := range q.MPareto1 {
		deep = max(deep, min(40/(p.Shape-1), 690))
		short = min(short, p.Scale)
	}
	from, to := -deep+math.Log(w), math.Log(750/short)-c-math.Log(w)
	for step := 1.0 / 8; step >= 1.0/256; step /= 2 {
		q.phases = q.phases[:0]
		sum := 0.0
		for v := from; v < to; v += step {
			up, down := w*math.Exp(v), w*math.Exp(-v)
			s := math.Exp(c + math.Log1p(up) - math.Log1p(down))
			if weight := step * q.density(s) * (up/(1+up) + down/(1+down)); weight > 0 {
				q.phases = append(q.phases, phase{s, weight})
				sum += weight
			}
		}
		if math.Abs(sum-q.load) < 1e-12*q.load {
			return
		}
	}
}

// density is s g(s), the density in ln s.
func (q *mixture) density(s float64) float64 {
	re, im := q.jump(s)
	return (1 - q.load) / math.Pi * im / ((1-re)*(1-re) + im*im)
}

// jump is Re and Im of the transform of the excess services above the cut.
func (q *mixture) jump(s float64) (re, im float64) {
	for _, p := range q.MPareto1 {
		r, i := excessJump(s*p.Scale, p.Shape-1)
		re += p.load() * r
		im += p.load() * i
	}
	return re, im
}

// peak looks for the smallest s with Re(s) = 1, the decay rate that the queue
// would have were the services light: there the density has a peak of half-width
// Im/Re', returned for ln s. Without one the width is 1.
func (q *mixture) peak() (centre, width float64) {
	at := func(t float64) float64 {
		re, _ := q.jump(math.Exp(t))
		return re - 1
	}
	top := math.Inf(-1)
	for _, p := range q.MPareto1 {
		top = max(top, math.Log((p.Shape+10)/p.Scale))
	}
	const stride = 0.05
	for t := top - 60; t < top; t += stride {
		if at(t) < 0 {
			continue
		}
		lo, hi := t-stride, t
		for range 60 {
			if mid := (lo + hi) / 2; at(mid) < 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		_, im := q.jump(math.Exp(hi))
		const h = 1e-4
		return hi, min(1, 2*h*im/math.Abs(at(hi+h)-at(hi-h)))
	}
	return top, 1
}

// excessJump is R(u, a) and I(u, a) of the paper: the real and the imaginary
// part of a e^-u E_(a+1)(-u ± i0), where a e^s E_(a+1)(s) transforms the Lomax law
// of shape a and scale 1. By Kummer's relation
//
//	R = e^-u Σ_k a u^k/((a-k) k!) - I cot(πa),   I = π u^a e^-u / Γ(a).
//
// At whole a, where the paper takes another formula, one term and the cotangent
// have poles that cancel; they are put together for every a.
func excessJump(u, a float64) (r, i float64) {
	if u > 740 { // I is nothing there, and the asymptotic series of R is exact
		term := -a / u
		for k := 1.0; k < 40; k++ {
			r += term
			term *= (a + k) / u
		}
		return r, 0
	}
	lg, _ := math.Lgamma(a)
	i = math.Pi * math.Exp(a*math.Log(u)-u-lg)
	pole := math.Round(a)
	term := math.Exp(-u) // u^k e^-u / k!
	for k := 0.0; k <= a || term > 1e-18*math.Abs(r) || k < u; k++ {
		if k == pole {
			r += term * nearPole(u, a, pole)
		} else {
			r += term * a / (a - k)
		}
		term *= u / (k + 1)
	}
	return r, i
}

// nearPole is a/(a-n) less I cot(πa) n! e^u/u^n, for a within 1/2 of n: with
// δ = a-n it is a/δ (1 - exp F), F = ln(πδ cot(πδ)) + δ ln u - ln(Γ(a+1)/n!).
func nearPole(u, a, n float64) float64 {
	d := a - n
	cot := math.Pi * d / math.Tan(math.Pi*d)
	switch {
	case d == 0:
		return -a * (math.Log(u) - logGammaSlope(0, n))
	case math.Abs(d) < 1e-4:
		f := math.Log1p(-math.Pi*d*math.Pi*d/3) + d*(math.Log(u)-logGammaSlope(d, n))
		return -a / d * math.Expm1(f)
	case cot <= 0: // δ = ±1/2, where the cotangent is 0 but for rounding
		return a / d
	}
	above, _ := math.Lgamma(a + 1)
	below, _ := math.Lgamma(n + 1)
	return -a / d * math.Expm1(math.Log(cot)+d*math.Log(u)-above+below)
}

// logGammaSlope is ln(Γ(n+1+δ)/n!)/δ for small δ by Taylor's series at the whole
// n, where the derivatives are sums.
func logGammaSlope(d, n float64) float64 {
	slope := -eulerGamma
	for k := 1.0; k <= n; k++ {
		slope += 1 / k
	}
	return slope + d/2*mathext.Zeta(2, n+1) - d*d/3*mathext.Zeta(3, n+1)
}
