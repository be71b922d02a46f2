package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// blocking is what is pink in every picture.
const blocking = "idle through blocking"

// Waste draws the mean number of servers idle through head-of-line blocking,
// and idle for any reason, against the arrival rate.
func Waste(results ...*result.Result) *figure.Figure {
	f := figure.New("Idle servers").X("arrival rate λ").Y("mean number of servers")
	var x, hol, half, idle []float64
	sorted := byRate(results)
	for _, r := range sorted {
		x, hol, half = append(x, r.Rate), append(hol, r.WastedHOL.Value), append(half, r.WastedHOL.HalfWidth)
		idle = append(idle, r.Idle.Value)
	}
	f.Ribbon(blocking, x, make([]float64, len(x)), hol).Look(blocking, figure.Look{Color: figure.Idle})
	f.Points(blocking, x, hol, half).Theory("idle in all", x, idle)
	if len(sorted) > 0 {
		last := lastStable(sorted)
		if v := last.WastedHOL.Value; !math.IsNaN(v) {
			f.Caption(fmt.Sprintf("%.3g servers are idle through blocking%s.", v, last.AtRate(3)))
		}
		limit(f, sorted[0]).Convert(axis(sorted[0].Unit, -1), nil)
	}
	return f
}

// lastStable is the result at the highest rate at which the queue is stable, or the last of all.
func lastStable(sorted []*result.Result) *result.Result {
	for _, r := range slices.Backward(sorted) {
		if r.Stable {
			return r
		}
	}
	return sorted[len(sorted)-1]
}

// Resources draws idle units by type of resource against the arrival rate. Points are the mean
// fraction of units that is idle while a job waits, one a result; lines are the fraction that
// is idle for any reason.
func Resources(results ...*result.Result) *figure.Figure {
	f := figure.New("Idle units by type of resource").X("arrival rate λ").Y("fraction of units")
	if len(results) == 0 {
		return f
	}
	sorted := byRate(results)
	first, last, text := sorted[0], lastStable(sorted), ""
	for j, resource := range first.Resources {
		if v := last.Resources[j].WastedHOL.Value; !math.IsNaN(v) {
			text += fmt.Sprintf("%.2g %% of %s idle while a job waits%s. ", 100*v/float64(resource.Units), resource.Name, last.AtRate(3))
		}
	}
	for j, resource := range first.Resources {
		var x, hol, half, idle []float64
		for _, r := range sorted {
			units, e := float64(resource.Units), r.Resources[j]
			x, hol, half = append(x, r.Rate), append(hol, e.WastedHOL.Value/units), append(half, e.WastedHOL.HalfWidth/units)
			idle = append(idle, e.Idle.Value/units)
		}
		f.Points(resource.Name+", a job waits", x, hol, half).Theory(resource.Name+", in all", x, idle)
	}
	return limit(f, first).Convert(axis(first.Unit, -1), nil).Caption(text + source(first.Solver, first.Level, first.Run.Seed))
}
