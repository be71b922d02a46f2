package mjq

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/mjq/figure"
)

// PlotResources draws, for a queue with types of resources, the mean fraction
// of the units of each type that is idle while a job waits, one point a result,
// and that is idle for any reason, as a line, against the arrival rate.
func PlotResources(results ...*Result) *Figure {
	f := figure.New("Idle units by type of resource").X("arrival rate λ").Y("fraction of units")
	if len(results) == 0 {
		return f
	}
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b *Result) int { return cmp.Compare(a.Rate, b.Rate) })
	first := sorted[0]
	for j, resource := range first.Resources {
		var x, hol, half, idle []float64
		for _, r := range sorted {
			units, e := float64(resource.Units), r.Resources[j]
			x, hol, half = append(x, r.Rate), append(hol, e.WastedHOL.Value/units), append(half, e.WastedHOL.HalfWidth/units)
			idle = append(idle, e.Idle.Value/units)
		}
		f.Points(resource.Name+", a job waits", x, hol, half).Theory(resource.Name+", in all", x, idle)
	}
	f.Stability(first.Limit.Rate, fmt.Sprintf("λ_{c} = %.4g", first.Limit.Rate))
	return f.Caption(fmt.Sprintf("%s; %g %% intervals; seed %d", first.Solver, 100*first.Level, first.Run.Seed))
}
