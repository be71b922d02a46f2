package result

import (
	"math"
	"slices"
)

// Pool makes one result of independent replications of the same point, in
// their order; nil of none.
func Pool(rs []*Result) *Result {
	if len(rs) < 2 || !rs[0].Stable {
		if len(rs) == 0 {
			return nil
		}
		return rs[0]
	}
	out := *rs[0]
	out.Classes = slices.Clone(out.Classes)
	out.Notes, out.Run = nil, Run{Version: rs[0].Run.Version, Seed: rs[0].Run.Seed, Complete: true, Window: rs[0].Run.Window, MinWindow: math.MaxInt64}
	of := func(what func(r *Result) *ClassResult) ClassResult {
		c := *what(&out)
		c.Waiting = poolMetrics(rs, func(r *Result) *Metric { return &what(r).Waiting })
		c.Response = poolMetrics(rs, func(r *Result) *Metric { return &what(r).Response })
		return c
	}
	for i := range out.Classes {
		out.Classes[i] = of(func(r *Result) *ClassResult { return &r.Classes[i] })
	}
	out.All = of(func(r *Result) *ClassResult { return &r.All })
	estimates := func(what func(r *Result) Estimate) Estimate {
		es := make([]Estimate, len(rs))
		for i, r := range rs {
			es[i] = what(r)
		}
		return poolEstimates(es)
	}
	out.WastedHOL = estimates(func(r *Result) Estimate { return r.WastedHOL })
	out.Idle = estimates(func(r *Result) Estimate { return r.Idle })
	out.Utilization = estimates(func(r *Result) Estimate { return r.Utilization })
	out.MeanJobs = estimates(func(r *Result) Estimate { return r.MeanJobs })
	for _, r := range rs {
		addRun(&out.Run, &r.Run)
		for _, n := range r.Notes {
			if !slices.Contains(out.Notes, n) {
				out.Notes = append(out.Notes, n)
			}
		}
	}
	return &out
}

// add counts another replication.
func addRun(r *Run, q *Run) {
	r.Samples += q.Samples
	r.Steps += q.Steps
	r.Unsettled += q.Unsettled
	r.MinWindow, r.MaxWindow = min(r.MinWindow, q.MinWindow), max(r.MaxWindow, q.MaxWindow)
	r.WarmUp, r.Jobs, r.Theta, r.Eps, r.Block = q.WarmUp, q.Jobs, q.Theta, q.Eps, q.Block
	r.Complete = r.Complete && q.Complete
	r.Elapsed += q.Elapsed
	r.ElapsedLimit += q.ElapsedLimit
	r.StepsPerSec = float64(r.Steps) / r.Elapsed.Seconds()
}

// poolMetrics pools a metric. The variance of all observations is the weighted
// variance within the replications and that of their means.
func poolMetrics(rs []*Result, what func(r *Result) *Metric) Metric {
	out := Metric{Level: what(rs[0]).Level}
	var means, variances []Estimate
	var dists []Distribution
	var totals []float64
	for _, r := range rs {
		m := what(r)
		means, variances = append(means, m.Mean), append(variances, m.Variance)
		dists, totals = append(dists, m.Dist), append(totals, m.Dist.Total)
		out.Effective += m.Effective
		out.Precision.Join(&m.Precision)
	}
	out.Mean, out.Variance = poolEstimates(means), poolEstimates(variances)
	weights := weightsOf(means)
	for i, m := range means {
		if !math.IsInf(m.Value, 1) { // else the variance is infinite, too
			out.Variance.Value += weights[i] * (m.Value - out.Mean.Value) * (m.Value - out.Mean.Value)
		}
	}
	out.Dist = Mix(dists, totals)
	return out
}

// poolEstimates weighs independent estimates of one number by their numbers of
// observations and adds their errors.
func poolEstimates(es []Estimate) Estimate {
	out := Estimate{Level: es[0].Level, Method: es[0].Method}
	squares := 0.0
	for i, w := range weightsOf(es) {
		out.Value += w * es[i].Value
		squares += w * w * es[i].HalfWidth * es[i].HalfWidth
		out.N += es[i].N
	}
	out.HalfWidth = math.Sqrt(squares)
	return out
}

// weightsOf are shares of the observations, or equal ones when their number is
// not known.
func weightsOf(es []Estimate) []float64 {
	total := 0.0
	for _, e := range es {
		total += float64(e.N)
	}
	weights := make([]float64, len(es))
	for i, e := range es {
		weights[i] = float64(e.N) / total
		if total == 0 {
			weights[i] = 1 / float64(len(es))
		}
	}
	return weights
}
