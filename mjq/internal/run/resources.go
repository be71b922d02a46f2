package run

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// measuredResources is CloseResources for what the event engine has measured over time.
func measuredResources(p *problem.Problem, r *result.Result, res *events.Result) {
	for j, idle := range res.IdleUnits {
		x := p.Resources[j]
		busy := estimate.Shifted(estimate.Scaled(idle, -1/float64(x.Units)), 1)
		busy.HalfWidth = idle.HalfWidth / float64(x.Units)
		r.Resources = append(r.Resources, result.ResourceResult{Name: x.Name, Units: x.Units, WastedHOL: res.WastedUnits[j], Idle: idle, Utilization: busy})
	}
	MixedUnits(r)
}

// CloseResources adds the types of resources to a result, given the unit-time a
// job that each stood idle while a job waited.
func CloseResources(m *problem.Problem, r *result.Result, perJob []result.Estimate) {
	for j, x := range perJob {
		units := m.Resources[j]
		busy := r.Rate * m.TypeWork(j)
		r.Resources = append(r.Resources, result.ResourceResult{Name: units.Name, Units: units.Units, WastedHOL: estimate.Scaled(x, r.Rate),
			Idle:        result.Exact(float64(units.Units)-busy, "Little's law"),
			Utilization: result.Exact(busy/float64(units.Units), "Little's law")})
	}
	MixedUnits(r)
}

// saturatedResources is CloseResources beyond the stability limit.
func saturatedResources(m *problem.Problem, r *result.Result) {
	for _, x := range r.Limit.Resources {
		work := (float64(x.Units) - x.Wasted) / r.Limit.Rate
		idle := result.Estimate{Value: x.Wasted, HalfWidth: r.Limit.HalfWidth * work, Level: r.Limit.Level, Method: r.Limit.Method}
		r.Resources = append(r.Resources, result.ResourceResult{Name: x.Name, Units: x.Units, WastedHOL: idle, Idle: idle,
			Utilization: result.Estimate{Value: 1 - x.Wasted/float64(x.Units), HalfWidth: idle.HalfWidth / float64(x.Units), Level: idle.Level, Method: idle.Method}})
	}
	MixedUnits(r)
}

// MixedUnits withdraws the totals over units of different types.
func MixedUnits(r *result.Result) {
	if len(r.Resources) > 1 {
		r.WastedHOL, r.Idle, r.Utilization = result.Unknown(), result.Unknown(), result.Unknown()
		r.Fragmentation.Stranded, r.Fragmentation.Unusable = result.Unknown(), result.Unknown()
	}
}

// Measured fills the result with what the simulation has measured.
func Measured(p *problem.Problem, r *result.Result, res *events.Result) {
	shares := p.Shares()
	if p.Features().Has(spec.Turning) {
		shares = turned(p, r, res)
	}
	estimate.Fill(r, res.Classes, &res.All, shares)
	r.Overtaking = res.Overtaking
	s := float64(p.Servers)
	r.WastedHOL, r.Idle, r.MeanJobs = res.Wasted, res.Idle, res.System
	r.Utilization = estimate.Shifted(estimate.Scaled(res.Idle, -1/s), 1)
	r.Utilization.HalfWidth = res.Idle.HalfWidth / s
	if p.Away() {
		r.Up, r.Goodput = res.Up, res.Goodput
	}
	r.Energy.On, r.Energy.Setup = res.On, res.Setup
	if p.Features().Has(spec.Placed) {
		r.Fragmentation = result.Fragmentation{Held: res.Held, Stranded: res.Stranded, Unusable: res.Unusable, EmptyNodes: res.EmptyNodes}
	}
	measuredResources(p, r, res)
	if r.Limit.Method == "upper bound" && res.Overloaded {
		withdraw(p, r, res)
		return
	}
	r.Notes = append(r.Notes, res.Violations...)
	if res.Unfinished > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Waits leave out %d jobs: they did not start within the length of the run again. Raise Jobs, or lower the rate.", res.Unfinished))
	}
}

// withdraw makes unknown what grew throughout a simulation of a queue without a known limit: such
// means are the larger the longer a run is.
func withdraw(p *problem.Problem, r *result.Result, res *events.Result) {
	unknown := func(c *result.ClassResult) {
		for _, m := range estimate.Metrics(c) {
			*m = result.Metric{Level: r.Level}
		}
		estimate.EachNumber(c, func(e *result.Estimate, _ estimate.Kind) { *e = result.Estimate{} })
	}
	grow := res.Growing
	if len(grow) == 0 { // all a little
		for c := range r.Classes {
			grow = append(grow, c)
		}
	}
	var names []string
	for _, c := range grow {
		unknown(&r.Classes[c])
		names = append(names, r.Classes[c].Name)
	}
	unknown(&r.All)
	r.Stable, r.MeanJobs, r.Goodput = false, result.Unknown(), result.Unknown()
	result.MarkUnknown(r)
	r.Notes = append(r.Notes, fmt.Sprintf("Unstable as far as a run can tell, so waits that grow with it are left out: jobs brought %.3g times the work that the servers did, and those of %s came faster than they went. Stability searches for the limit. Lower the rate or add servers.",
		res.Offered.Value/(float64(p.Servers)-res.Idle.Value), strings.Join(names, ", ")))
}
