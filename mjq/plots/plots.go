// Package plots draws results of package mjq: what changes with the arrival rate,
// one curve a class, and the tails of one result. Each function returns a figure,
// to which more can be added before it is shown or saved; see package figure.
//
//	f := plots.Means(results...).YRange(0.1, 100)
//	widgets.Show(f)          // in a notebook
//	err := f.Save("mean.pdf") // elsewhere
//
// The kind of picture follows the question. Categories such as policies, classes and changes are
// rows with names (Compare, CompareChanges, Changes, Rows). A quantity along a rate, a size or a
// time is a curve with intervals, as a band where they cross (Means, Sweep, ByTime, Curves).
// Distributions are survival curves on a logarithmic axis (Tails, CompareTails). A decision by
// two parameters is a map (Decisions, Map). Captions say what to conclude. A figure whose
// intervals decide nothing has a title that begins with "Undecided".
//
// Functions that take several results draw one point a result, in the order of
// the arrival rates, so that results may come in any order. They belong to one
// model at several rates; classes, the stability limit and the caption are those
// of the lowest rate. Without a result they return an empty figure. Results of
// unstable models appear as arrows.
package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Means draws the mean waiting time of every class against the arrival rate,
// with intervals and a line at the stability limit.
func Means(results ...*result.Result) *figure.Figure {
	return againstRate("Mean waiting time by class", "mean waiting time", 1, results,
		func(c *result.ClassResult) result.Estimate { return c.Waiting.Mean })
}

// Variances draws the variance of the waiting time of every class against the
// arrival rate.
func Variances(results ...*result.Result) *figure.Figure {
	return againstRate("Variance of waiting times by class", "variance of waiting time", 2, results,
		func(c *result.ClassResult) result.Estimate { return c.Waiting.Variance })
}

// Quantiles draws the p-quantile of the waiting time of every class against the
// arrival rate.
func Quantiles(p float64, results ...*result.Result) *figure.Figure {
	name := fmt.Sprintf("%g %% quantile of waiting time", 100*p)
	return againstRate(name+" by class", name, 1, results,
		func(c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(p) })
}

func againstRate(title, label string, power int, results []*result.Result, of func(*result.ClassResult) result.Estimate) *figure.Figure {
	f := figure.New(title).X("arrival rate λ").Y(label).LogY().Legible()
	if len(results) == 0 {
		return f
	}
	sorted := byRate(results)
	first := sorted[0]
	few, note := fewClasses(first.Classes)
	level := 1.0
	for _, i := range few {
		var x, y, half []float64
		for _, r := range sorted {
			e := of(&r.Classes[i])
			x, y, half = append(x, r.Rate), append(y, e.Value), append(half, e.HalfWidth)
			if e.HalfWidth > 0 {
				level = first.Level
			}
		}
		f.Points(first.Classes[i].Name, x, y, half)
	}
	return limit(f, first).Convert(axis(first.Unit, -1), axis(first.Unit, power)).Caption(note + extremes(sorted, label, power, of) + source(first.Solver, level, first.Run.Seed))
}

// QuantileRibbon draws quantiles of the waiting time of one class against the arrival rate. The
// median is a line, the areas between the 25 and 75 % and between the 5 and 95 % quantiles are
// shaded, and the mean has points with intervals. The class "" is all jobs together; a name
// that no class has panics as result.Result.Class does.
func QuantileRibbon(class string, results ...*result.Result) *figure.Figure {
	name := "all jobs"
	if class != "" {
		name = class
	}
	f := figure.New("Spread of waiting times: " + name).X("arrival rate λ").Y("waiting time").LogY()
	if len(results) == 0 {
		return f
	}
	sorted := byRate(results)
	var x, mean, half []float64
	levels := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	quantiles := make([][]float64, len(levels))
	for _, r := range sorted {
		c := r.Class(class)
		x, mean, half = append(x, r.Rate), append(mean, c.Waiting.Mean.Value), append(half, c.Waiting.Mean.HalfWidth)
		for i, p := range levels {
			quantiles[i] = append(quantiles[i], c.Waiting.Quantile(p).Value)
		}
	}
	f.Ribbon("quantiles", x, quantiles...).Points("mean", x, mean, half)
	first := sorted[0]
	return limit(f, first).Convert(axis(first.Unit, -1), axis(first.Unit, 1)).Caption(inTwenty(class, sorted) +
		"Line: median; areas: half and nine tenths of the jobs; points: means. " + source(first.Solver, first.Level, first.Run.Seed))
}

// inTwenty says how long half of the jobs wait and one in twenty, at the highest rate at which the
// queue is stable.
func inTwenty(class string, sorted []*result.Result) string {
	for _, r := range slices.Backward(sorted) {
		c := r.Class(class)
		half, most := c.Waiting.Quantile(0.5).Value, c.Waiting.Quantile(0.95).Value
		if r.Stable && most > 0 {
			return fmt.Sprintf("Half of the jobs wait longer than %s%s, one in twenty longer than %s. ", short3(r.Unit, 1, half), r.AtRate(3), short3(r.Unit, 1, most))
		}
	}
	return ""
}

// mostClasses is how many curves of classes can be told apart.
const mostClasses = 5

// fewClasses are the places of the classes to draw: all, or of many the ones with the shortest and
// the longest mean wait and some between them, and what to say of that.
func fewClasses(classes []result.ClassResult) (at []int, note string) {
	for i := range classes {
		at = append(at, i)
	}
	if len(at) <= mostClasses+2 {
		return at, ""
	}
	slices.SortStableFunc(at, func(i, j int) int {
		return cmp.Compare(classes[i].Waiting.Mean.Value, classes[j].Waiting.Mean.Value)
	})
	var some []int
	for k := range mostClasses {
		some = append(some, at[k*(len(at)-1)/(mostClasses-1)])
	}
	return some, fmt.Sprintf("%d of %d classes, from the shortest to the longest mean wait. ", mostClasses, len(classes))
}

// extremes says which classes have the largest and the smallest value, at the highest rate at which
// the queue is stable, given results by rate.
func extremes(sorted []*result.Result, label string, power int, of func(*result.ClassResult) result.Estimate) string {
	for _, r := range slices.Backward(sorted) {
		if !r.Stable || len(r.Classes) < 2 {
			continue
		}
		short, long := 0, 0
		for i := range r.Classes {
			if m := of(&r.Classes[i]).Value; m > of(&r.Classes[long]).Value {
				long = i
			} else if m < of(&r.Classes[short]).Value {
				short = i
			}
		}
		least, most := of(&r.Classes[short]), of(&r.Classes[long])
		if short == long || !least.Known() || !most.Known() {
			return ""
		}
		return fmt.Sprintf("%s%s%s: %s for %s, %s for %s. ", strings.ToUpper(label[:1]), label[1:], r.AtRate(3),
			short3(r.Unit, power, most.Value), r.Classes[long].Name, short3(r.Unit, power, least.Value), r.Classes[short].Name)
	}
	return ""
}

// short3 is a number of three digits, with its unit if it is a time.
func short3(u result.Unit, power int, v float64) string {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if power != 1 {
		return fmt.Sprint(short)
	}
	return u.Text(short)
}

// byRate is the results in the order of their arrival rates.
func byRate(results []*result.Result) []*result.Result {
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b *result.Result) int { return cmp.Compare(a.Rate, b.Rate) })
	return sorted
}

// limit adds the line at the stability limit.
func limit(f *figure.Figure, r *result.Result) *figure.Figure {
	return f.Stability(r.Limit.Rate, "λ_{c} = "+r.Unit.RateText(r.Limit.Rate, 4))
}

// source says what the bars of a figure mean and how its numbers were found.
func source(solver string, level float64, seed uint64) string {
	if level <= 0 || level >= 1 {
		return method(solver)
	}
	return fmt.Sprintf("Bars are %g %% CIs. %s", 100*level, method(solver, fmt.Sprint("seed ", seed)))
}

// method is the sentence of a caption on how the numbers were found.
func method(solver string, settings ...string) string {
	return "Method: " + strings.Join(append([]string{solver}, settings...), "; ") + "."
}
