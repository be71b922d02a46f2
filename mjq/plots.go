package mjq

import (
	"cmp"
	"fmt"
	"math"
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

// PlotQuantileRibbon draws how the waiting time of one class spreads, against
// the arrival rate: the median as a line, the areas between the 25 and 75 % and
// between the 5 and 95 % quantiles shaded, and the mean as points with
// intervals. The class "" is all jobs together; a name that no class has
// panics as Result.Class does.
func PlotQuantileRibbon(class string, results ...*Result) *Figure {
	name := "all jobs"
	if class != "" {
		name = class
	}
	f := figure.New("Spread of waiting times: " + name).X("arrival rate λ").Y("waiting time").LogY()
	if len(results) == 0 {
		return f
	}
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b *Result) int { return cmp.Compare(a.Rate, b.Rate) })
	var x, mean, half []float64
	levels := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	quantiles := make([][]float64, len(levels))
	for _, r := range sorted {
		c := &r.All
		if class != "" {
			c = r.Class(class)
		}
		x, mean, half = append(x, r.Rate), append(mean, c.Waiting.Mean.Value), append(half, c.Waiting.Mean.HalfWidth)
		for i, p := range levels {
			quantiles[i] = append(quantiles[i], c.Waiting.Quantile(p).Value)
		}
	}
	f.Ribbon("quantiles", x, quantiles...).Points("mean", x, mean, half)
	f.Stability(sorted[0].Limit.Rate, fmt.Sprintf("λ_{c} = %.4g", sorted[0].Limit.Rate))
	return f.Caption(fmt.Sprintf("line: median; areas: half and nine tenths of the jobs; %s; %g %% intervals of the mean; seed %d", sorted[0].Solver, 100*sorted[0].Level, sorted[0].Run.Seed))
}

// PlotTails draws P(W > x), the chance that a job of each class waits longer
// than x, on a logarithmic axis: down to one job in a thousand, or to what ten
// observations show, and down to one in a million if the result is exact. An
// exponential tail is a straight line.
func PlotTails(r *Result) *Figure {
	return plotTails(r, func(end float64, k int) float64 { return end * float64(k) / tailPoints })
}

// PlotTailsLogLog is PlotTails with both axes logarithmic, over three decades
// of x: a tail that falls as a power of x is a straight line.
func PlotTailsLogLog(r *Result) *Figure {
	return plotTails(r, func(end float64, k int) float64 { return end * math.Pow(1000, float64(k)/tailPoints-1) }).LogX()
}

// tailPoints is the number of steps in a curve of PlotTails.
const tailPoints = 200

// plotTails draws the tails at the points that grid places up to an end.
func plotTails(r *Result, grid func(end float64, k int) float64) *Figure {
	f := figure.New(fmt.Sprintf("How long jobs wait at λ = %.4g", r.Rate)).X("waiting time x").Y("P(W > x)").LogY()
	for i := range r.Classes {
		w := &r.Classes[i].Waiting
		lowest := 1e-3
		if w.Effective > 0 { // NaN without intervals
			lowest = max(lowest, 10/w.Effective)
		}
		if w.Curve.Known() {
			lowest = 1e-6
		}
		end := w.Quantile(1 - lowest).Value
		var x, y []float64
		for k := 0; k <= tailPoints; k++ {
			x = append(x, grid(end, k))
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
