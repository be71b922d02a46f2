package run

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// Outline gives a result its classes, of which nothing is known yet.
func Outline(m *problem.Problem, r *result.Result) {
	r.Classes = slices.Grow(r.Classes, len(m.Classes))
	for _, c := range m.Classes {
		r.Classes = append(r.Classes, result.ClassResult{Name: c.Name, Need: c.Need, Prob: c.Prob})
	}
	r.All = result.ClassResult{Name: "all", Prob: 1}
	result.MarkUnknown(r)
}

// Unstable fills the result of a model beyond its limit: infinite waits, and
// the servers as in saturation.
func Unstable(m *problem.Problem, r *result.Result) {
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
	saturatedResources(m, r)
	r.Run.Complete = true
	known, saturation := "", " Busy and wasted servers are those of saturation."
	if math.IsNaN(r.Limit.Wasted) {
		saturation = ""
	}
	if r.Limit.Method == "upper bound" {
		known = ", which is at most"
	}
	r.Notes = append(r.Notes, fmt.Sprintf("Unstable, so waits are infinite: the rate %.6g %s the stability limit%s %v.%s Lower the rate or add servers.",
		m.Rate(), reaches(m.Rate(), &r.Limit), known, r.Limit.Estimate(), saturation))
}

// reaches says how a rate lies to a limit that is not above it.
func reaches(rate float64, st *result.Stability) string {
	if rate == st.Rate {
		return "equals"
	}
	return "exceeds"
}

// Endless fills the result of a model some of whose jobs take an infinite time on average:
// the waits are infinite, and how busy the servers are is not known.
func Endless(r *result.Result) {
	inf := result.Metric{Mean: result.Infinite("endless services"), Variance: result.Infinite("endless services"), Level: r.Level}
	for c := range r.Classes {
		r.Classes[c].Waiting, r.Classes[c].Response = inf, inf
	}
	r.All.Waiting, r.All.Response = inf, inf
	r.MeanJobs = result.Infinite("endless services")
	r.Run.Complete = true
}

// Gathered fills the waits of a result with what a sampler has seen. The responses, to
// which the service adds, are left to finalize.
func Gathered(m *problem.Problem, r *result.Result, classes []sampling.Gathered, all *sampling.All, method string, workers int) {
	sum := all.Tally(r.Level, method)
	estimate.Fill(r, sampling.Tallies(classes, r.Level, method, workers), &sum, m.Shares())
}

// Finalize computes what follows from the waits: responses by class, the mixture
// of all classes, and the system by Little's law. A job's own service is
// independent of its wait.
func Finalize(m *problem.Problem, r *result.Result, holPerJob result.Estimate, effective float64) {
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
	a.Response.Mean = estimate.Shifted(a.Waiting.Mean, m.MeanService())
	a.Response.Variance = estimate.Shifted(a.Waiting.Variance, second-a.Response.Mean.Value*a.Response.Mean.Value-a.Waiting.Variance.Value)
	r.WastedHOL = estimate.Scaled(holPerJob, r.Rate)
	BusyServers(m, r)
	r.MeanJobs = estimate.Scaled(a.Response.Mean, r.Rate)
}

// BusyServers fills in how busy the servers of a stable queue are, which takes no drawing.
func BusyServers(m *problem.Problem, r *result.Result) {
	busy := r.Rate * m.Work()
	r.Utilization = result.Exact(busy/float64(m.Servers), "Little's law")
	r.Idle = result.Exact(float64(m.Servers)-busy, "Little's law")
}

// oneRow has a single class be what all jobs are: its estimates and those of all jobs, which
// samplers find in different ways, are of the same numbers.
func oneRow(r *result.Result) {
	if len(r.Classes) != 1 {
		return
	}
	c := r.Classes[0]
	if !r.All.BlockedTime.Known() { // which is told by class
		r.All.BlockedTime = c.BlockedTime
	}
	r.Classes[0] = r.All
	r.Classes[0].Name, r.Classes[0].Need, r.Classes[0].Prob = c.Name, c.Need, c.Prob
}

// addService makes the response of a wait and an independent service.
func addService(m *result.Metric, waiting *result.Metric, mean, variance float64) {
	m.Mean = estimate.Shifted(waiting.Mean, mean)
	m.Variance = estimate.Shifted(waiting.Variance, variance)
}

// noWait says of a queue where no job can ever wait that none does.
func noWait(r *result.Result) {
	for i := range r.Classes {
		r.Classes[i].Waiting.NoWait = result.Exact(1, "never waits")
	}
	r.All.Waiting.NoWait = result.Exact(1, "never waits")
}

// neverWaits reports whether no job can ever wait, so that waits that are all 0 are exact.
func neverWaits(m *problem.Problem) bool { return m.Room != nil && *m.Room == 0 || m.NeverWaits() }
