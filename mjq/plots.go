package mjq

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/mjq/figure"
)

// Figure is a plot under construction; see package figure for what can be
// added to it.
type Figure = figure.Figure

// PlotMeans draws the mean waiting time of every class against the arrival
// rate, one point a result, with intervals and a line at the stability limit.
// Results of unstable models appear as arrows.
func PlotMeans(results ...*Result) *Figure {
	return plotAgainstRate("Mean waiting time by class", "mean waiting time", results,
		func(c *ClassResult) Estimate { return c.Waiting.Mean })
}

// PlotVariances draws the variance of the waiting time of every class against
// the arrival rate.
func PlotVariances(results ...*Result) *Figure {
	return plotAgainstRate("Variance of waiting times by class", "variance of waiting time", results,
		func(c *ClassResult) Estimate { return c.Waiting.Variance })
}

// PlotQuantiles draws the p-quantile of the waiting time of every class against
// the arrival rate.
func PlotQuantiles(p float64, results ...*Result) *Figure {
	name := fmt.Sprintf("%g %% quantile of waiting time", 100*p)
	return plotAgainstRate(name+" by class", name, results,
		func(c *ClassResult) Estimate { return c.Waiting.Quantile(p) })
}

func plotAgainstRate(title, label string, results []*Result, of func(*ClassResult) Estimate) *Figure {
	f := figure.New(title).X("arrival rate λ").Y(label).LogY()
	if len(results) == 0 {
		return f
	}
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b *Result) int { return cmp.Compare(a.Rate, b.Rate) })
	first := sorted[0]
	for i := range first.Classes {
		var x, y, half []float64
		for _, r := range sorted {
			e := of(&r.Classes[i])
			x, y, half = append(x, r.Rate), append(y, e.Value), append(half, e.HalfWidth)
		}
		f.Points(first.Classes[i].Name, x, y, half)
	}
	f.Stability(first.Limit.Rate, fmt.Sprintf("λ_{c} = %.4g", first.Limit.Rate))
	return f.Caption(fmt.Sprintf("%s; %g %% intervals; seed %d", first.Solver, 100*first.Level, first.Run.Seed))
}

// PlotWaste draws the mean number of servers idle through head-of-line
// blocking, and idle for any reason, against the arrival rate.
func PlotWaste(results ...*Result) *Figure {
	f := figure.New("Idle servers").X("arrival rate λ").Y("mean number of servers")
	var x, hol, half, idle []float64
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b *Result) int { return cmp.Compare(a.Rate, b.Rate) })
	for _, r := range sorted {
		x, hol, half = append(x, r.Rate), append(hol, r.WastedHOL.Value), append(half, r.WastedHOL.HalfWidth)
		idle = append(idle, r.Idle.Value)
	}
	f.Points("blocked by the head of line", x, hol, half).Theory("idle in all", x, idle)
	if len(sorted) > 0 {
		f.Stability(sorted[0].Limit.Rate, fmt.Sprintf("λ_{c} = %.4g", sorted[0].Limit.Rate))
	}
	return f
}

// PlotTails draws P(W > x), the chance that a job of each class waits longer
// than x, on a logarithmic axis: down to one job in a thousand, or to what ten
// observations show, and down to one in a million if the result is exact.
func PlotTails(r *Result) *Figure {
	f := figure.New(fmt.Sprintf("How long jobs wait at λ = %.4g", r.Rate)).X("x").Y("P(W > x)").LogY()
	for i := range r.Classes {
		w := &r.Classes[i].Waiting
		lowest := max(1e-3, 10/w.Effective)
		if w.Curve.Known() {
			lowest = 1e-6
		}
		end := w.Quantile(1 - lowest).Value
		var x, y []float64
		for k := 0; k <= 200; k++ {
			x = append(x, end*float64(k)/200)
			y = append(y, 1-w.CDF(x[k]).Value)
		}
		if w.Curve.Known() {
			f.Theory(r.Classes[i].Name, x, y)
		} else {
			f.Steps(r.Classes[i].Name, x, y)
		}
	}
	if r.Run.Samples == 0 {
		return f.Caption(r.Solver)
	}
	return f.Caption(fmt.Sprintf("%s; %d samples; seed %d", r.Solver, r.Run.Samples, r.Run.Seed))
}
