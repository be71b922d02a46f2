package plots

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Curves draws series in one figure: exact ones as lines, approximations as dashed lines, estimates
// as points with their intervals, infinite values as arrows. Unknown values are left out. Axes, caption and a target line
// can be added: plots.Curves("Longer bursts, longer waits", s...).X("load").Y("mean wait").
func Curves(title string, series ...result.Series) *figure.Figure {
	f := figure.New(title)
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
	for _, class := range s.Classes {
		curves = append(curves, s.Series(class, result.MeanWait(class)))
	}
	f := Curves("Mean waiting time by class", curves...).X(label).Y("mean waiting time").LogY()
	power := 0
	if strings.HasPrefix(label, "arrival rate") {
		power = -1
	}
	return f.Convert(axis(s.Unit, power), axis(s.Unit, 1)).Caption(caption(s))
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
	f := figure.New(s.Table().Title).X(s.What)
	if series := sized(s, "cost", func(p *result.SizingPoint) result.Estimate { return p.Cost }); len(series.X) > 0 {
		f = Curves(f.Title(), series).X(s.What).Y("cost")
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
	f.Stability(s.Best, "answer "+s.Answer()).Caption(fmt.Sprintf("The answer has a confidence of %g %%.", 100*s.Level))
	var x, y figure.Conversion
	if s.Rates() {
		x = axis(s.Unit, -1)
	}
	if len(s.Times) > 0 && !slices.Contains(s.Times, false) {
		y = axis(s.Unit, 1)
	}
	return f.Convert(x, y)
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
