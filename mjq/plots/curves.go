package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Curves draws series in one figure: exact ones as lines, approximations as dashed lines, estimates
// as points with their intervals, or as bands where intervals cross, and infinite values as arrows.
// Curves that lie together become a ratio to the first or one curve with all names; see
// figure.Figure.Legible. Unknown values are left out. Axes, caption and a target line
// can be added: plots.Curves("Longer bursts, longer waits", s...).X("load").Y("mean wait").
func Curves(title string, series ...result.Series) *figure.Figure {
	f := figure.New(title).Legible()
	for _, s := range series {
		y, half := make([]float64, len(s.Values)), make([]float64, len(s.Values))
		for i, e := range s.Values {
			y[i], half[i] = e.Value, e.HalfWidth
		}
		switch {
		case s.Approximate:
			f.Asymptotic(s.Name, s.X, y)
		case slices.ContainsFunc(s.Values, func(e result.Estimate) bool { return e.Known() && e.Level < 1 }):
			f.Points(s.Name, s.X, y, half)
		default:
			f.Theory(s.Name, s.X, y)
		}
	}
	return f
}

// Sweep draws the mean waiting time of every class along the axis of a sweep. It fits sweeps that
// vary one thing; see result.Sweep.Axis.
func Sweep(s *result.Sweep) *figure.Figure {
	label, _ := s.Axis()
	var curves []result.Series
	var classes []result.ClassResult
	if all := s.Results(); len(all) > 0 {
		classes = all[0].Classes
	}
	few, note := fewClasses(classes)
	for _, i := range few {
		class := classes[i].Name
		curves = append(curves, s.Series(class, result.MeanWait(class)))
	}
	f := Curves("Mean waiting time by class", curves...).X(label).Y("mean waiting time").LogY()
	power := 0
	if strings.HasPrefix(label, "arrival rate") {
		power = -1
	}
	return f.Convert(axis(s.Unit, power), axis(s.Unit, 1)).Caption(note + extremes(s.Results(), "mean waiting time", 1,
		func(c *result.ClassResult) result.Estimate { return c.Waiting.Mean }) + caption(s))
}

// caption says what the marks of the figure of a sweep mean, and its method.
func caption(s *result.Sweep) (text string) {
	results := s.Results()
	if slices.ContainsFunc(results, func(r *result.Result) bool { return r.Stable && r.All.Waiting.Mean.Level < 1 }) {
		text += fmt.Sprintf("Bars are %g %% CIs. ", 100*s.Level)
	}
	if slices.ContainsFunc(results, func(r *result.Result) bool { return !r.Stable }) {
		text += "An arrow marks an unstable point. "
	}
	return text + method(s.Method)
}

// Sizing draws what each target asks about, or the cost where there is one, against the sizes that
// were tried, with a line at the answer.
func Sizing(s *result.Sizing) *figure.Figure {
	if len(s.Points) == 0 || len(s.Mix) > 0 {
		return figure.New(s.What)
	}
	f, note := figure.New(s.Table().Title).X(s.What), ""
	if series := sized(s, "cost", func(p *result.SizingPoint) result.Estimate { return p.Cost }); len(series.X) > 0 {
		near, left := nearCost(series)
		f = Curves(f.Title(), near).X(s.What).Y("cost per unit of time")
		if s.Unit != "" {
			f.Y("cost per " + string(s.Unit))
		}
		note = left
	} else {
		var all []result.Series
		for k, target := range s.Targets {
			all = append(all, sized(s, target, func(p *result.SizingPoint) result.Estimate {
				if k >= len(p.Targets) {
					return result.Unknown()
				}
				return p.Targets[k]
			}))
		}
		label := "what the targets ask about"
		if len(all) == 1 {
			label = s.Targets[0]
		}
		f = Curves(f.Title(), all...).X(s.What).Y(label).LogY()
	}
	f.Stability(s.Best, "answer "+s.Answer()).Caption(note + fmt.Sprintf("The answer has a confidence of %g %%.", 100*s.Level))
	var x, y figure.Conversion
	if s.Rates() {
		x = axis(s.Unit, -1)
	}
	if len(s.Times) > 0 && !slices.Contains(s.Times, false) {
		y = axis(s.Unit, 1)
	}
	return f.Convert(x, y)
}

// nearCost leaves out sizes that cost more than twice the least, which would flatten what lies around
// the least, and says so.
func nearCost(s result.Series) (near result.Series, note string) {
	least := math.Inf(1)
	for _, e := range s.Values {
		least = min(least, e.Value)
	}
	near.Name = s.Name
	for i, e := range s.Values {
		if e.Value <= 2*least {
			near.X, near.Values = append(near.X, s.X[i]), append(near.Values, e)
		}
	}
	if left := len(s.X) - len(near.X); left > 0 {
		note = fmt.Sprintf("Left out: %d of the %d sizes tried, which cost more than twice the least. ", left, len(s.X))
	}
	return near, note
}

// sized is a quantity of the sizes that have it.
func sized(s *result.Sizing, name string, of func(*result.SizingPoint) result.Estimate) result.Series {
	series := result.Series{Name: name}
	for i := range s.Points {
		if e := of(&s.Points[i]); e.Known() {
			series.X, series.Values = append(series.X, s.Points[i].Value), append(series.Values, e)
		}
	}
	return series
}
