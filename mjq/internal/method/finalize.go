package method

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// outline gives a result its classes, of which nothing is known yet.
func (m *Problem) outline(r *result.Result) {
	for _, c := range m.Classes {
		r.Classes = append(r.Classes, result.ClassResult{Name: c.Name, Need: c.Need, Prob: c.Prob})
	}
	r.All = result.ClassResult{Name: "all", Prob: 1}
	result.MarkUnknown(r)
}

// unstable fills the result of a model beyond its limit: infinite waits, and
// the servers as in saturation.
func (m *Problem) unstable(r *result.Result) {
	inf := result.Metric{Mean: result.Infinite("unstable"), Variance: result.Infinite("unstable"), Level: r.Level}
	for c := range r.Classes {
		r.Classes[c].Waiting, r.Classes[c].Response = inf, inf
	}
	r.All.Waiting, r.All.Response = inf, inf
	r.MeanJobs = result.Infinite("unstable")
	r.WastedHOL = r.Limit.WastedInterval()
	r.Idle = r.WastedHOL
	busy := 1 - r.Idle.Value/float64(m.Servers)
	r.Utilization = result.Estimate{Value: busy, HalfWidth: r.Idle.HalfWidth / float64(m.Servers), Level: r.Limit.Level, Method: r.Limit.Method}
	m.saturatedResources(r)
	r.Run.Complete = true
	r.Notes = append(r.Notes, fmt.Sprintf("Unstable: the rate %.6g exceeds the stability limit %v. Waiting times grow without bound; servers are as in saturation.",
		m.Rate(), r.Limit.Estimate()))
}

// gathered fills the waits of a result with what a sampler has seen. The responses, to
// which the service adds, are left to finalize.
func (m *Problem) gathered(r *result.Result, classes []sampling.Gathered, all *sampling.Gathered, method string, workers int) {
	sum := all.Tally(r.Level, method)
	estimate.Fill(r, sampling.Tallies(classes, r.Level, method, workers), &sum, m.shares())
}

// solved is the moments of waits and responses as a solver knows them.
func solved(known func(float64) result.Estimate, wait, waitVariance, response, responseVariance float64) (t estimate.Tally) {
	t.Waiting.Mean, t.Waiting.Variance = known(wait), known(waitVariance)
	t.Response.Mean, t.Response.Variance = known(response), known(responseVariance)
	return t
}

// solvedMeans is the means alone.
func solvedMeans(known func(float64) result.Estimate, wait, response float64) (t estimate.Tally) {
	t.Waiting.Mean, t.Response.Mean = known(wait), known(response)
	return t
}

// finalize computes what follows from the waits: responses by class, the mixture
// of all classes, and the system by Little's law. A job's own service is
// independent of its wait.
func (m *Problem) finalize(r *result.Result, holPerJob result.Estimate, effective float64) {
	for i, c := range m.Classes {
		addService(&r.Classes[i].Response, &r.Classes[i].Waiting, c.Service.Mean(), c.Service.Variance())
	}
	second := 0.0 // E[(W + σ)²] of any class
	for i, c := range m.Classes {
		k := &r.Classes[i]
		mean := k.Response.Mean.Value
		second += c.Prob * (k.Response.Variance.Value + mean*mean)
	}
	a := &r.All
	a.Waiting.Effective, a.Response.Effective = effective, effective
	a.Waiting.Level, a.Response.Level = r.Level, r.Level
	a.Response.Mean = plus(a.Waiting.Mean, m.MeanService())
	a.Response.Variance = plus(a.Waiting.Variance, second-a.Response.Mean.Value*a.Response.Mean.Value-a.Waiting.Variance.Value)
	r.WastedHOL = times(holPerJob, r.Rate)
	m.busyServers(r)
	r.MeanJobs = times(a.Response.Mean, r.Rate)
}

// busyServers fills in how busy the servers of a stable queue are, which takes no drawing.
func (m *Problem) busyServers(r *result.Result) {
	busy := r.Rate * m.Work()
	r.Utilization = result.Exact(busy/float64(m.Servers), "Little's law")
	r.Idle = result.Exact(float64(m.Servers)-busy, "Little's law")
}

// addService makes the response of a wait and an independent service.
func addService(m *result.Metric, waiting *result.Metric, mean, variance float64) {
	m.Mean = plus(waiting.Mean, mean)
	m.Variance = plus(waiting.Variance, variance)
}

func plus(e result.Estimate, x float64) result.Estimate {
	if !e.Known() {
		return result.Unknown()
	}
	e.Value += x
	return e
}

func times(e result.Estimate, c float64) result.Estimate {
	if !e.Known() {
		return result.Unknown()
	}
	e.Value *= c
	e.HalfWidth *= c
	return e
}
