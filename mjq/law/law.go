// Package law holds the probability laws of interarrival and service times:
// moments, tail, quantiles, Laplace transform and sampling.
//
// Every law is a plain value with exported parameters and no generator inside,
// so it can be shared by goroutines, compared (a law that holds slices by its
// String) and printed. A law with impossible parameters reports it from Validate,
// so that a model can name all its faults at once; making one never fails.
//
// A type has the name that the field gives the law: [Uniform], [Lomax],
// [BoundedPareto]. Where its fields are what one has at hand, it is written as a
// literal, Uniform{Lo: 0, Hi: 2}. There is a function where parameters can be
// given in several ways, or have to be prepared, and it says in its name what it
// takes: [ExpMean] and [ExpRate], [ErlangMeanPhases], [HyperExpMeanSCV], [NewEmpirical].
// Package mjq has a function of plain numbers for each of them, mjq.Uniform(0, 2),
// and String writes the law as a call of that. All take times first (means, bounds, a
// scale), then what has no unit: a squared coefficient of variation, a shape, a number
// of phases, a probability.
//
// [Law] is what every law implements. Abilities of some laws are optional interfaces. Each has
// a function that uses it, and falls back on a general way for other laws:
//
//	Phaser       Phases, PhaseCount   else it is not phase-type, and exact solvers refuse it
//	Tilter       Tilt                 else by its phases, or by rounding if it is bounded
//	Excesser     Excess               else by integrating Survival
//	TailIndexer  TailIndex            else by the slope of Survival
//	Momenter     Moment               else by its phases, or by integrating Survival
//	Spreader     Spread               else by its phases, or by integrating Survival
//	Preparer     Prepare              else by its own Sample
//	Memoryless   MemorylessRate       else arrivals are no Poisson process
//	Former       FormOf, Marshal      else it is not written, and no GPU has it
//
// A law from outside the package may implement any of them. An interface that a law
// implements only because it embeds another law is ignored, for the methods describe
// the embedded one. [Register] lets Unmarshal read a law from outside.
//
// All times are in the unit the caller chooses; nothing here assumes seconds.
package law

import (
	"math"
	"math/rand/v2"
)

// Law is the distribution of a non-negative random time X.
//
// Methods other than Validate and String assume that Validate returns nil.
type Law interface {
	// Validate returns nil, or an error that names the parameter, its value
	// and the remedy. A valid law may have an infinite mean or variance.
	Validate() error
	// Mean is E[X]; +Inf when it does not exist.
	Mean() float64
	// Variance is Var[X]; +Inf when it does not exist.
	Variance() float64
	// Survival is P(X > x): 1 for x < 0, non-increasing, right-continuous.
	Survival(x float64) float64
	// Quantile is the smallest x with P(X <= x) >= p, for p in [0, 1];
	// +Inf at p = 1 for a law without an upper bound, NaN outside [0, 1].
	Quantile(p float64) float64
	// Laplace is E[exp(-sX)] for s >= 0, and for s < 0 as far as it exists;
	// +Inf where it does not.
	Laplace(s float64) float64
	// Sample draws X from 64-bit words of rng, using the words in order, so that
	// the same words always give the same value. Laws with an inverse take one
	// word and return the x whose Survival is u = float64(word>>11+1) * 0x1p-53,
	// which is in (0, 1]: so -ln u is finite.
	Sample(rng rand.Source) float64
	// Scaled is the law of c·X, for c > 0.
	Scaled(c float64) Law
	// String is a Go expression that rebuilds the law, as "ExpMean(0.5)", for
	// laws of this package a call of package mjq.
	String() string
}

// SCV is the squared coefficient of variation Var[X] / E[X]² of a law:
// 0 when deterministic, 1 when exponential, +Inf when the mean or the
// variance is infinite.
func SCV(l Law) float64 {
	m, v := l.Mean(), l.Variance()
	switch {
	case math.IsInf(m, 1) || math.IsInf(v, 1):
		return math.Inf(1)
	case v == 0: // also where the mean is 0
		return 0
	}
	return v / (m * m)
}
