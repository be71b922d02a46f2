package plots

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// ByTime draws the mean waiting time of every class as time goes by, with intervals,
// over the time at which jobs arrive. An exact course is drawn without marks.
func ByTime(c *result.Transient) *figure.Figure {
	return overTime(c, "How waits go with the time", "mean waiting time", 1,
		func(x *result.PartClass) result.Estimate { return x.Waiting.Mean })
}

// QuantilesByTime is ByTime with the p-quantile of the waiting time.
func QuantilesByTime(p float64, c *result.Transient) *figure.Figure {
	name := fmt.Sprintf("%g %% quantile of waiting time", 100*p)
	return overTime(c, name+" by the time of arrival", name, 1,
		func(x *result.PartClass) result.Estimate { return x.Waiting.Quantile(p) })
}

// NoWaitByTime is ByTime with the probability of not having to wait.
func NoWaitByTime(c *result.Transient) *figure.Figure {
	return overTime(c, "Who has to wait, by the time of arrival", "probability of having to wait", 0,
		func(x *result.PartClass) result.Estimate { return x.Waiting.NoWait })
}

// JobsByTime draws the mean number of jobs in the system and of waiting jobs as time goes by,
// with intervals.
func JobsByTime(c *result.Transient) *figure.Figure {
	f := ofCourse(c, "How many jobs there are", "mean number of jobs")
	draw(f, c, "in the system", func(p *result.Part) result.Estimate { return p.MeanJobs })
	draw(f, c, "in the queue", func(p *result.Part) result.Estimate { return p.MeanQueue })
	return f.Convert(axis(c.Unit, 1), nil)
}

// overTime draws a number of every class.
func overTime(c *result.Transient, title, label string, power int, of func(*result.PartClass) result.Estimate) *figure.Figure {
	f := ofCourse(c, title, label)
	if len(c.Parts) == 0 {
		return f
	}
	for i := range c.Parts[0].Classes {
		draw(f, c, c.Parts[0].Classes[i].Name, func(p *result.Part) result.Estimate { return of(&p.Classes[i]) })
	}
	return f.Convert(axis(c.Unit, 1), axis(c.Unit, power))
}

// ofCourse is an empty figure with its axes.
func ofCourse(c *result.Transient, title, label string) *figure.Figure {
	f := figure.New(title).X("time from now").Y(label).Legible()
	if c.Period > 0 {
		f.X("time of the period")
	}
	if exact(c) {
		return f.Caption(method(c.Solver))
	}
	return f.Caption(source(c.Solver, c.Level, c.Run.Seed))
}

// exact reports whether nothing of the course was drawn at random.
func exact(c *result.Transient) bool { return c.Run.Samples == 0 }

// draw draws a series, at the middle of every part of which it is known.
func draw(f *figure.Figure, c *result.Transient, name string, of func(*result.Part) result.Estimate) {
	var x, y, half []float64
	for i := range c.Parts {
		if e := of(&c.Parts[i]); !math.IsNaN(e.Value) {
			x, y, half = append(x, c.Parts[i].Mid()), append(y, e.Value), append(half, e.HalfWidth)
		}
	}
	if exact(c) {
		f.Theory(name, x, y)
		return
	}
	f.Points(name, x, y, half)
}
