package special

import (
	"math"
	"math/cmplx"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
)

// BrillGreen is the queue of Brill and Green (Management Science 30, 1984) with two servers.
// Jobs arrive in a Poisson process and need one server (class 1) or both (class 2), first come,
// first served. Service times of both classes are exponential with one rate. Figure 1 of
// Golovin's paper has rates 1, 1 and 4. P(W > x) of each class is a sum of three exponentials,
// exact to about 1e-12 and found in microseconds.
//
//	special.BrillGreen{Lambda1: 1, Lambda2: 1, Mu: 4}.Waiting2(0.5)
//
// The rates must be positive and finite, and the queue stable: λ < 2μ/(4p2 - 2p2² + p1²),
// where λ = λ1 + λ2 and pk = λk/λ. Where Err is not nil all numbers are NaN.
type BrillGreen struct {
	Lambda1, Lambda2 float64 // arrival rates of the classes
	Mu               float64 // service rate
}

// tails are the solution of the queue.
type tails struct {
	idle, half                float64 // probabilities that both servers are free, and that exactly one is
	rates, weights1, weights2 [3]complex128
	err                       error
}

// solved is the queue solved, in microseconds.
func (q BrillGreen) solved() *tails {
	t := &tails{err: q.Err()}
	if t.err != nil {
		t.idle, t.half = math.NaN(), math.NaN()
		for i := range t.rates {
			t.rates[i], t.weights1[i], t.weights2[i] = cmplx.NaN(), cmplx.NaN(), cmplx.NaN()
		}
		return t
	}
	t.solve(q.Lambda1/q.Mu, q.Lambda2/q.Mu, q.Mu)
	return t
}

// Err is nil, or says everything that is wrong with the rates: which of them is not
// positive and finite, or that the queue is not stable.
func (q BrillGreen) Err() error {
	var f check.Faults
	for _, r := range []struct {
		name string
		x    float64
	}{{"arrival rate of class 1", q.Lambda1}, {"arrival rate of class 2", q.Lambda2}, {"service rate", q.Mu}} {
		f.That(r.x > 0 && !math.IsInf(r.x, 1), "the %s is %v; give a positive finite number", r.name, r.x)
	}
	if len(f.List()) == 0 {
		rate := q.Lambda1 + q.Lambda2
		p1, p2 := q.Lambda1/rate, q.Lambda2/rate
		limit := 2 * q.Mu / (4*p2 - 2*p2*p2 + p1*p1)
		f.That(!(rate >= limit), "the arrival rate %v reaches the stability limit %.6g of this mix; lower it", rate, limit)
	}
	return f.Err("BrillGreen")
}

// Model is the queue as a model with classes "one" and "two".
func (q BrillGreen) Model() mjq.Model {
	rate := q.Lambda1 + q.Lambda2
	return mjq.Servers(2).Poisson(rate).Class("one", 1, q.Lambda1/rate, law.ExpRate(q.Mu)).Class("two", 2, q.Lambda2/rate, law.ExpRate(q.Mu))
}

// solve works in units of 1/μ. The ordered workload is (V1, V2) with V2 - V1 either 0
// or exponential of rate μ; jobs of class k wait Vk. The transforms of V1 in the two
// states satisfy two linear equations, whose determinant is s times a quartic with one
// positive root, where the numerators vanish, and three others, the decay rates. With
// a = s+1 and b = s+2 the equations are
//
//	((s-λ) a² + λ2 a) φ0 + λ2 φ1        = f0 a² - λ2 (P00 a + P01)
//	λ1 b φ0 + ((s-λ) b + 2 λ1) φ1       = f1 b - 2 λ1 P01
//	f0 = λ P00 - P01,   f1 = (λ+1) P01 - λ1 P00
//
// for the transforms φ0, φ1 of the density of V1 while V2 - V1 is 0, or not, and
// P00 = P(V2 = 0), P01 = P(V1 = 0 < V2).
func (q *tails) solve(l1, l2, mu float64) {
	l := l1 + l2
	a, b := poly{1, 1}, poly{2, 1}
	aa := a.times(a)
	m00, m01 := aa.times(poly{-l, 1}).plus(l2, a), poly{l2}
	m10, m11 := b.times(poly{l1}), b.times(poly{-l, 1}).plus(2*l1, poly{1})
	det := m00.times(m11).plus(-1, m01.times(m10))
	// The right sides of P00 = 1 and of P01 = 1, and Cramer's rule for each.
	right := [2][2]poly{
		{aa.times(poly{l}).plus(-l2, a), b.times(poly{-l1})},
		{aa.times(poly{-1}).plus(-l2, poly{1}), b.times(poly{l + 1}).plus(-2*l1, poly{1})},
	}
	var num [2][2]poly // by unknown φ0, φ1 and by state
	for k, r := range right {
		num[0][k] = r[0].times(m11).plus(-1, m01.times(r[1]))
		num[1][k] = m00.times(r[1]).plus(-1, m10.times(r[0]))
	}
	positive, others := quarticRoots(det[1:])
	// P01/P00 makes the numerator vanish at the positive root; then the mass is 1.
	ratio := -real(num[0][0].at(positive)) / real(num[0][1].at(positive))
	mass := 1 + ratio
	for _, n := range num {
		mass += (n[0][1] + ratio*n[1][1]) / det[1] // the value at s = 0
	}
	q.idle, q.half = 1/mass, ratio/mass
	slope := det.slope()
	for i, s := range others {
		d := slope.at(s)
		phi0 := (complex(q.idle, 0)*num[0][0].at(s) + complex(q.half, 0)*num[0][1].at(s)) / d
		phi1 := (complex(q.idle, 0)*num[1][0].at(s) + complex(q.half, 0)*num[1][1].at(s)) / d
		q.rates[i] = -s * complex(mu, 0)
		q.weights1[i] = (phi0 + phi1) / -s
		q.weights2[i] = (phi0 + phi1/(s+1)) / -s // V2 is V1 or V1 and an exponential more
	}
}

// Idle is the probability that both servers are free.
func (q BrillGreen) Idle() float64 { return q.solved().idle }

// Half is the probability that exactly one server is free.
func (q BrillGreen) Half() float64 { return q.solved().half }

// Exponentials are the terms of the tails: P(W > x) of class k is the real part of
// Σ_i weightsk[i] exp(-rates[i] x).
func (q BrillGreen) Exponentials() (rates, weights1, weights2 [3]complex128) {
	t := q.solved()
	return t.rates, t.weights1, t.weights2
}

// Waiting1 is P(W > x) of class 1, which needs one server; 1 for x < 0.
func (q BrillGreen) Waiting1(x float64) float64 {
	t := q.solved()
	return t.above(&t.weights1, x)
}

// Waiting2 is P(W > x) of class 2, which needs both servers.
func (q BrillGreen) Waiting2(x float64) float64 {
	t := q.solved()
	return t.above(&t.weights2, x)
}

// Waiting is P(W > x) of a job of any class.
func (q BrillGreen) Waiting(x float64) float64 {
	return (q.Lambda1*q.Waiting1(x) + q.Lambda2*q.Waiting2(x)) / (q.Lambda1 + q.Lambda2)
}

// MeanWaiting1 is E[W] of class 1.
func (q BrillGreen) MeanWaiting1() float64 {
	t := q.solved()
	return t.mean(&t.weights1)
}

// MeanWaiting2 is E[W] of class 2.
func (q BrillGreen) MeanWaiting2() float64 {
	t := q.solved()
	return t.mean(&t.weights2)
}

func (q *tails) above(w *[3]complex128, x float64) float64 {
	if x < 0 && q.err == nil {
		return 1
	}
	var sum complex128
	for i, r := range q.rates {
		sum += w[i] * cmplx.Exp(-r*complex(x, 0))
	}
	return real(sum)
}

func (q *tails) mean(w *[3]complex128) float64 {
	var sum complex128
	for i, r := range q.rates {
		sum += w[i] / r
	}
	return real(sum)
}
