package method

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

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

// setClass turns what a sampler has seen into the result of a class. The response
// adds an independent service, whose moments finalize computes from the law.
func setClass(c *result.ClassResult, t *sampling.Tally, level float64, method string) {
	c.Waiting = result.Metric{Mean: t.MeanW, Variance: t.VarianceW, Effective: t.Effective}
	if t.Waiting.N > 0 {
		c.Waiting.Mean, c.Waiting.Variance = t.Waiting.Mean(level, method), t.Waiting.Variance(level, method)
		c.Waiting.Effective = float64(t.Waiting.N)
	}
	c.Waiting.Level = level
	c.Waiting.Dist = t.Wait.Distribution()
	c.Response = result.Metric{Dist: t.Response.Distribution(), Effective: c.Waiting.Effective, Level: level}
	setPrecision(c, t)
}

// setPrecision notes how well the distributions are known.
func setPrecision(c *result.ClassResult, t *sampling.Tally) {
	c.Waiting.Precision, c.Response.Precision = t.Waits.Precision(), t.Responses.Precision()
}

// finalize computes what follows from the waits: responses by class, the mixture
// of all classes, and the system by Little's law. A job's own service is
// independent of its wait.
func (m *Problem) finalize(r *result.Result, holPerJob result.Estimate, effective float64) {
	for i, c := range m.Classes {
		addService(&r.Classes[i].Response, &r.Classes[i].Waiting, c.Service.Mean(), c.Service.Variance())
	}
	var waits, responses []result.Distribution
	var probs []float64
	second := 0.0 // E[(W + σ)²] of any class
	for i, c := range m.Classes {
		k := &r.Classes[i]
		waits, responses = append(waits, k.Waiting.Dist), append(responses, k.Response.Dist)
		probs = append(probs, c.Prob)
		mean := k.Response.Mean.Value
		second += c.Prob * (k.Response.Variance.Value + mean*mean)
	}
	a := &r.All
	a.Waiting.Dist, a.Response.Dist = result.Mix(waits, probs), result.Mix(responses, probs)
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
