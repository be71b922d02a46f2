package estimate

import (
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/result"
	"gonum.org/v1/gonum/stat/distuv"
)

// Student's interval is right for normal observations. Those of waiting times are
// skewed: an estimate that is too low comes with a standard error that is too low
// as well, and its interval misses. To second order in the number of observations,
// two-sided intervals hold what they promise when they are wider by the factor
//
//	1 + [γ² (z⁴ + 2z² - 3)/18 - κ (z² - 3)/12] / n
//
// with γ the skewness and κ the excess kurtosis of the observations, or of their
// influence on the estimate, and z the normal quantile (P. Hall, The Bootstrap and
// Edgeworth Expansion, Springer 1992, Section 2.6).

// shape is what the correction asks of a law.
type shape struct {
	skewness2, kurtosis float64
	rare                float64 // of exponentials: see prior
}

// correction is the bracket above, at least 0.
func (s shape) correction(level float64) float64 {
	z := normal(level)
	return max(0, s.skewness2*(z*z*z*z+2*z*z-3)/18-s.kurtosis*(z*z-3)/12)
}

// normal is the two-sided normal quantile. Every interval of a run asks for one and the
// same: it is kept.
func normal(level float64) float64 {
	if z := lastNormal.Load(); z != nil && z.level == level {
		return z.quantile
	}
	z := &struct{ level, quantile float64 }{level, distuv.UnitNormal.Quantile((1 + level) / 2)}
	lastNormal.Store(z)
	return z.quantile
}

var lastNormal atomic.Pointer[struct{ level, quantile float64 }]

// shapeOf is that of a sample. It does not show where fewer than four or where all
// are equal.
func shapeOf(x []float64) shape {
	n := float64(len(x))
	mean := 0.0
	for _, v := range x {
		mean += v / n
	}
	var m2, m3, m4 float64
	for _, v := range x {
		d := v - mean
		m2 += d * d / n
		m3 += d * d * d / n
		m4 += d * d * d * d / n
	}
	if s := (shape{skewness2: m3 * m3 / (m2 * m2 * m2), kurtosis: m4/(m2*m2) - 3}); n >= 4 && !math.IsNaN(s.skewness2) {
		return s
	}
	return shape{}
}

// A sample whose interval is too narrow is one without the rare large values that
// would show its skewness, so the correction computed from a sample comes short just
// where it is needed. Two things make up for that, both chosen so that waits
// of queues near and far from their limit are covered (TestSkewedCoverage):
// the sample's own correction counts one and a half times, and to it comes that of
// exponential observations, which waits near the limit are (Kingman), whose number
// is not read off skewness but off the error of the mean; less of it where
// observations vary less than exponential ones.
const ownShare = 1.5

// With probability p an exponential X and else 0, its squared coefficient of variation
// is 2/p - 1; for small p the squared skewness of the observation is about 4/p, that of
// its square 37.5/p.
var (
	exponentialMean     = shape{4, 6, 0.5}          // of X
	exponentialVariance = shape{112.5, 213, 1. / 6} // of (X - E[X])²
)

// On a path large waits are also those that last. That makes the mean over a path
// more skewed than that of as many independent observations: by these factors in
// corrections, measured on single servers near their limit.
const pathMean, pathVariance = 5, 2.5

// controlledShare is how many times as large corrections are with control variates,
// which explain more of the spread of estimates than of its skewness.
const controlledShare = 1.5

// most is the largest correction for exponential observations: beyond it they are so
// few that the expansion says nothing.
const most = 2

// prior is the correction for a given number of exponential observations with the squared
// coefficient of variation scv: less below 1 and more above it, where most are 0
// that the others, as a wait or the waste at low load, are few.
func (s shape) prior(level, effective, scv float64) float64 {
	scale := scv
	if scv > 1 {
		scale = max(1, (1+scv)*s.rare)
	}
	if c := s.correction(level) / effective * scale; effective > 0 && !math.IsNaN(c) {
		return min(most, c)
	}
	return 0
}

// widening is the factor by which an interval is wider than Student's: influence
// is that of each observation on the estimate, up to a constant factor.
func widening(influence []float64, level, prior float64) float64 {
	return 1 + ownShare*shapeOf(influence).correction(level)/float64(max(1, len(influence))) + prior
}

// Interval is the interval of a value from the influence of every observation on it
// times the weight of all: Student's, corrected for skewness. One observation has no
// interval.
func Interval(value float64, influence []float64, weight, level float64, of Statistic, worth Worth, method string) result.Estimate {
	e := Plain(value, influence, weight, level, method)
	e.HalfWidth *= widening(influence, level, of.prior(level, worth))
	return e
}

// Plain is Interval without a correction.
func Plain(value float64, influence []float64, weight, level float64, method string) result.Estimate {
	n, squares := len(influence), 0.0
	for _, d := range influence {
		squares += d * d
	}
	se := math.Sqrt(squares*float64(n)/float64(n-1)) / weight
	return result.Estimate{Value: value, HalfWidth: result.StudentT(level, n-1) * se, Level: level, N: n, Method: method}
}

// Worth is what paths tell of a wait: as much of its mean as a number of independent
// observations, whose squared coefficient of variation is SCV. The zero value says
// that it is not known.
type Worth struct{ Observations, SCV float64 }

// worth is for a mean, a variance and the squared standard error of the mean.
func worth(mean, variance, se2 float64) Worth {
	return Worth{variance / se2, variance / (mean * mean)}
}

// Statistic says what is estimated from paths.
type Statistic int

// The statistics whose intervals differ.
const (
	OfMean Statistic = iota
	OfVariance
)

// prior is the correction for a path that is worth a given number of exponential observations.
func (s Statistic) prior(level float64, w Worth) float64 {
	if s == OfVariance {
		return exponentialVariance.prior(level, w.Observations/pathVariance, w.SCV)
	}
	return exponentialMean.prior(level, w.Observations/pathMean, w.SCV)
}

// Known is the half-width of an interval whose standard error follows from the law of the
// observations, with the squared skewness and the excess kurtosis of their average.
func Known(se, level, skewness2, kurtosis float64) float64 {
	z := normal(level)
	return z * math.Abs(se) * (1 + shape{skewness2: skewness2, kurtosis: kurtosis}.correction(level))
}
