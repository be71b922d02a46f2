package result

import (
	"fmt"
	"math"
	"reflect"
	"slices"
)

// poolEstimates weighs independent estimates of one number by their numbers of
// observations and adds their errors. What all have to the bit, not from observations, is
// one estimate and not several. A finite number and an infinite one leave it unknown.
func poolEstimates(es []Estimate) Estimate {
	if es[0].N == 0 && !slices.ContainsFunc(es, func(e Estimate) bool { return e != es[0] }) {
		return es[0]
	}
	out := Estimate{Level: 1, Method: es[0].Method}
	squares, infinite := 0.0, 0
	for i, w := range weightsOf(es) {
		e := es[i].plain()
		if math.IsInf(e.Value, 0) {
			infinite++
		}
		out.Value += w * e.Value
		squares += w * w * e.HalfWidth * e.HalfWidth
		out.N += e.N
		out.Level = min(out.Level, e.Level)
	}
	out.HalfWidth = math.Sqrt(squares)
	if infinite > 0 && infinite < len(es) {
		return Unknown()
	}
	return out.plain()
}

// weightsOf are shares of the observations, or equal ones when the number of one is not
// known.
func weightsOf(es []Estimate) []float64 {
	total, known := 0.0, true
	for _, e := range es {
		total += float64(e.N)
		known = known && e.N > 0
	}
	weights := make([]float64, len(es))
	for i, e := range es {
		weights[i] = float64(e.N) / total
		if !known {
			weights[i] = 1 / float64(len(es))
		}
	}
	return weights
}

// poolMetrics completes a metric that is pooled field by field. The variance of all
// observations is the weighted variance within the replications and that of their means,
// and what they are worth adds up.
func poolMetrics(ms []Metric, out Metric) Metric {
	var means []Estimate
	out.Effective = 0
	for _, m := range ms {
		means = append(means, m.Mean)
		out.Effective += m.Effective
	}
	for i, w := range weightsOf(means) {
		if d := means[i].Value - out.Mean.Value; !math.IsInf(means[i].Value, 1) { // else the variance is infinite, too
			out.Variance.Value += w * d * d
		}
	}
	out.Variance = out.Variance.plain()
	if !out.Mean.Known() && slices.ContainsFunc(means, Estimate.Known) {
		out.Dist, out.Curve, out.Precision = Distribution{}, Curve{}, Precision{}
	}
	return out
}

// poolDistributions mixes distributions by their numbers of observations.
func poolDistributions(ds []Distribution) Distribution {
	var totals []float64
	for _, d := range ds {
		totals = append(totals, d.Total)
	}
	return Mix(ds, totals)
}

func poolPrecisions(ps []Precision) (out Precision) {
	for i := range ps {
		out.Join(&ps[i])
	}
	return out
}

// poolLimits completes a limit that is pooled field by field: the same in all
// replications, or else from limits that were found independently.
func poolLimits(ls []Stability, out Stability) Stability {
	var rates []Estimate
	for i := range ls {
		rates = append(rates, ls[i].Estimate())
	}
	rate := poolEstimates(rates)
	out.Rate, out.HalfWidth = rate.Value, rate.HalfWidth
	return out
}

// poolRuns completes what is pooled field by field by what adds up over the replications,
// and the extremes.
func poolRuns(rs []Run, out Run) Run {
	out.Samples, out.Steps, out.NotCoalesced, out.Elapsed, out.ElapsedLimit = 0, 0, 0, 0, 0
	out.MinWindow, out.Residual = math.MaxInt64, 0
	for _, r := range rs {
		out.Samples += r.Samples
		out.Steps += r.Steps
		out.NotCoalesced += r.NotCoalesced
		out.Elapsed += r.Elapsed
		out.ElapsedLimit += r.ElapsedLimit
		out.MinWindow, out.MaxWindow = min(out.MinWindow, r.MinWindow), max(out.MaxWindow, r.MaxWindow)
		out.Residual = max(out.Residual, r.Residual)
	}
	out.StepsPerSec = 0
	if out.Elapsed > 0 {
		out.StepsPerSec = float64(out.Steps) / out.Elapsed.Seconds()
	}
	return out
}

// forget leaves nothing that is measured.
func (r *Result) forget() {
	v := reflect.ValueOf(r).Elem()
	visit(v, func(m *Metric) { *m = Metric{Level: m.Level} })
	visit(v, func(c *Count) { *c = Count{} })
	visit(v, func(e *Estimate) { *e = Unknown() })
}

// undecided says that replications are not of one opinion.
func undecided(stable, all int) string {
	return fmt.Sprintf("Waits and queue are unknown: %d of %d replications are stable and the others are not. The rate is too near the stability limit to tell; find the limit more precisely or choose a lower rate.", stable, all)
}
