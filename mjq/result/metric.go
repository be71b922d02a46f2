package result

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Metric describes a random time: its mean and variance with intervals, and
// its distribution where the method gives one. Under services of heavy tails a mean
// or a variance may be +Inf, or have no interval (HalfWidth NaN), and quantiles be
// finite all the same; a note of the result says so.
type Metric struct {
	Mean, Variance  Estimate
	NoWait          Estimate // of waits: the probability of none, behind the others of a batch
	MeanDelayed     Estimate // of waits: the mean of those that are not 0, E[W | W > 0]; unknown if nobody waits
	ServiceLevel    Estimate // the share within the time asked for, where one was (Within); see also Arriving
	Dist            Distribution
	Curve           Curve        // the exact distribution, from exact solvers; Dist is empty then
	Precision       Precision    // of Dist, from replications or paths; empty if from independent observations
	TailProbability []Exceedance // from a run that splits: probabilities that it is longer than some times
	Effective       float64      // number of independent observations that the mean of Dist is worth; NaN if that is not known
	Level           float64      // of the intervals of Quantile and CDF
}

// Quantile returns the p-quantile (0 < p < 1) with its confidence interval. The interval is
// that of the fraction of observations at or below it: the quantiles at p ± t √(p(1-p)/n). n is
// the number of independent observations. For replications and paths it is the number that
// explains how much this fraction differs between them, which Precision has. For batch means,
// traces and a GPU it is the number that would have the error of the mean, an approximation.
// The wider side is the half-width. Whether there is an interval does not depend on the largest
// observations of the run, but on its length: see Precision. It is NaN where the run is too short.
func (m *Metric) Quantile(p float64) Estimate {
	if m.unstable() {
		return Infinite(m.Mean.Method)
	}
	if !(p > 0 && p < 1) {
		return Unknown()
	}
	if m.Curve.Known() {
		return m.exactly(m.Curve.Quantile(p))
	}
	if m.Dist.Total == 0 {
		return Unknown()
	}
	q := m.Dist.Quantile(p)
	e := Estimate{Value: q, HalfWidth: math.NaN(), Level: m.Level, N: m.Mean.N, Method: m.Mean.Method}
	if m.Precision.Tail > 0 && p > m.Precision.Tail {
		return e
	}
	if dp := m.fraction(p); p-dp > 0 && p+dp < 1 {
		e.HalfWidth = max(q-m.Dist.Quantile(p-dp), m.Dist.Quantile(p+dp)-q)
	}
	return e
}

// exactly is a number that the curve gives. It is taken to be as exact, relatively, as the
// mean, which has a half-width where sweeps found the law.
func (m *Metric) exactly(v float64) Estimate {
	e := Exact(v, m.Mean.Method)
	if m.Mean.HalfWidth > 0 {
		e.HalfWidth = math.Abs(v) * m.Mean.HalfWidth / m.Mean.Value
	}
	return e
}

// worth is how many independent observations tell of a fraction p of the distribution, and the
// degrees of freedom with which that is known; NaN if it is not.
func (m *Metric) worth(p float64) (n float64, degrees int) {
	switch {
	case !(m.Effective > 1): // not known, nor then for tails that heavy what others tell
		return math.NaN(), 0
	case m.Precision.Groups > 0:
		return m.Precision.At(p), m.Precision.Groups - 1
	}
	return m.Effective, int(m.Effective)
}

// fraction is the half-width of the interval in which the share of observations up to the
// p-quantile lies; NaN if it is not known.
func (m *Metric) fraction(p float64) float64 {
	n, degrees := m.worth(p)
	return StudentT(m.Level, degrees) * math.Sqrt(p*(1-p)/n)
}

// share is the half-width of the interval of a probability of which the observations have shown
// the share p, the wider side of Binomial; NaN if it is not known.
func (m *Metric) share(p float64) float64 {
	n, degrees := m.worth(p)
	if math.IsNaN(n) {
		return n
	}
	if p > 0 && p < 1 {
		if n*math.Min(p, 1-p) >= ManyEvents {
			return m.fraction(p)
		}
		t := StudentT(m.Level, degrees) / distuv.UnitNormal.Quantile((1+m.Level)/2)
		n /= t * t
	}
	lo, hi := Binomial(m.Level, p, n)
	return math.Max(p-lo, hi-p)
}

// CDF is P(X ≤ x). Its interval is that of Binomial for as many independent observations as the
// distribution is worth there, and the wider side is the half-width. For x = NaN it is NaN.
func (m *Metric) CDF(x float64) Estimate {
	if math.IsNaN(x) {
		return Unknown()
	}
	if m.unstable() {
		return Exact(0, m.Mean.Method)
	}
	if m.never() {
		if x < 0 {
			return Exact(0, m.Mean.Method)
		}
		return Exact(1, m.Mean.Method)
	}
	if m.Curve.Known() {
		return m.exactly(1 - m.Curve.Survival(x))
	}
	if m.Dist.Total == 0 {
		return Unknown()
	}
	p := m.Dist.CDF(x)
	return Estimate{Value: p, HalfWidth: m.share(p), Level: m.Level, N: m.Mean.N, Method: m.Mean.Method}
}

// unstable reports whether the time is infinite, and not just its mean.
func (m *Metric) unstable() bool {
	return math.IsInf(m.Mean.Value, 1) && m.Dist.Total == 0 && !m.Curve.Known()
}

// never reports whether the time is known to be always 0, as of waits in a queue in which nobody
// waits. A mean of 0 that has only been observed has an interval, or none that is known.
func (m *Metric) never() bool { return m.Mean.Known() && m.Mean.Value == 0 && m.Mean.HalfWidth == 0 }

// PDF is the density, averaged over the given number of equal bins from 0 to
// the 0.999-quantile: the edges, one more than the bins, and the
// heights. The atom at 0 is left out, so the area is P(X > 0) less the tail. There
// are none for bins below 1 or above a million.
func (m *Metric) PDF(bins int) (edges, density []float64) {
	exact := m.Curve.Known()
	if m.Dist.Total == 0 && !exact || bins < 1 || bins > mostBins {
		return nil, nil
	}
	top := m.Quantile(0.999).Value
	edges = make([]float64, bins+1)
	for i := range edges {
		edges[i] = top * float64(i) / float64(bins)
	}
	if !exact {
		return edges, m.Dist.Density(edges)
	}
	for i, e := range edges[1:] {
		density = append(density, (m.Curve.Survival(edges[i])-m.Curve.Survival(e))/(e-edges[i]))
	}
	return edges, density
}

// mostBins is more than any picture shows.
const mostBins = 1_000_000
